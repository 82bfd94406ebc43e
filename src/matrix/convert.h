/* convert.h - elements as other programs store them, made into ours.
 *
 * Foreign elements arrive at the tail of the memory that will hold them as
 * ours: narrower ones are then widened in place from the front, without a
 * second piece of memory.
 *
 *     |............|i1 i1 i1 i1|  ──▶  |f8    f8    f8    f8    |
 */
#ifndef MATRIX_CONVERT_H
#define MATRIX_CONVERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "matrix/matrix.h"

/* How an element is stored; kind as in NumPy: f, i, u, b. */
struct element {
	char kind;
	unsigned char bytes;
	bool big_endian;
};

/* How our own dtype is stored. */
struct element element_of(enum dtype d);

/* What it becomes: float16 float32; int32 stays, and all other integers and
 * booleans become int64. */
enum dtype element_dtype(struct element x);

/* Is it stored as we store what it becomes? */
bool element_native(struct element x);

/* A float16 (IEEE 754's binary16) by its bits. */
float half_value(uint16_t bits);

/* Bytes before the first foreign element in m's memory. */
size_t element_offset(const struct matrix *m, struct element x);

/* Writes the next n bytes of such elements, of which `got` are there, as they
 * arrive into arrival_new()'s memory. */
int element_take(struct matrix *m, struct element x, size_t got,
                 const void *bytes, size_t n, struct err *e);

/* Makes m's elements, foreign ones of kind x at that offset, ours. If one of
 * them is beyond int64, all become float64, and m->rounded is set. This and the
 * next work in slices (slice.h): -1 when they were cancelled. */
int convert_elements(struct matrix *m, struct element x, struct err *e);

/* Brings elements that lie with the first index fastest (Fortran's order)
 * into ours, in new memory. */
int convert_fortran(struct matrix *m, struct memory_pool *p, struct err *e);

/* Too much to be done in the polling thread? */
static inline bool convert_is_long(const struct matrix *m)
{
	return matrix_size(m) > (size_t)256 << 10;
}

#endif

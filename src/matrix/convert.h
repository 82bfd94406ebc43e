/* convert.h - converts elements as other programs store them ("foreign" ones)
 * to linalgd's types and byte order.
 *
 * Foreign elements are received at the end of the memory that will hold the
 * converted ones. Narrower ones are then widened in place from the front,
 * without a second allocation.
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

/* How an element is stored. `kind` is f, i, u or b as in NumPy, V for bfloat16,
 * or c for complex. */
struct element {
	char kind;
	unsigned char bytes;
	bool big_endian;
};

/* Returns how a matrix stores a dtype. */
struct element element_of(enum dtype d);

/* Returns the dtype to which foreign elements are converted: int64 for booleans
 * and all integers except int32, which stays int32. Reals and complex numbers
 * keep their type. */
enum dtype element_dtype(struct element x);

/* Is x stored as a matrix stores element_dtype(x), so that nothing has to be
 * converted? */
bool element_native(struct element x);

/* Returns the offset in bytes of the first foreign element in m's memory. */
size_t element_offset(const struct matrix *m, struct element x);

/* Writes the next n bytes of foreign elements, after the `got` bytes received
 * before, to m's memory, which comes from arrival_new(). -1 with ERR_MEMORY if
 * the pool has no room for them. */
int element_take(struct matrix *m, struct element x, size_t got,
                 const void *bytes, size_t n, struct err *e);

/* Converts m's foreign elements of kind x, which begin at element_offset(). If
 * an integer does not fit int64, all elements become float64, and m->rounded is
 * set. This function and the next work in slices (slice.h) and return -1 when
 * cancelled. */
int convert_elements(struct matrix *m, struct element x, struct err *e);

/* Reorders elements from column-major (Fortran's) order, the first index
 * fastest, to row-major order, in new memory. */
int convert_fortran(struct matrix *m, struct memory_pool *p, struct err *e);

/* Returns whether the conversion of m takes too long for the loop's thread. */
static inline bool convert_is_long(const struct matrix *m)
{
	return matrix_size(m) > (size_t)256 << 10;
}

#endif

/* matrix.h - an array of numbers: shape, element type, and where it lies.
 *
 * Elements are row-major, contiguous and little-endian, from the start of the
 * memory on. Two dimensions are a matrix, one a vector, none a scalar, more a
 * stack of matrices (the last two are a matrix's). { .ndim = MATRIX_ABSENT } is
 * an absent matrix.
 *
 * A sparse matrix (layout CSR) has two dimensions; its memory holds the nnz
 * values, row after row, columns ascending, and its index rows + 1 int64 row
 * starts and after them nnz int32 columns.
 */
#ifndef MATRIX_MATRIX_H
#define MATRIX_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "matrix/dtype.h"
#include "matrix/memory.h"

enum { MATRIX_DIMS = 8, MATRIX_ABSENT = -1, MATRIX_SHAPE_TEXT = 192 };

enum layout { DENSE, CSR };

struct matrix {
	enum dtype dtype;
	int ndim;
	size_t dim[MATRIX_DIMS];
	struct memory *memory;		/* counted; NULL until allocated */
	bool text;			/* read from decimal text, in which
					 * whole numbers may stand for
					 * integers */
	bool rounded;			/* float64, read from integers, some of
					 * which were rounded */
	enum layout layout;
	bool coordinates;		/* of CSR: the matrix was read as COO,
					 * and is written to JSON as COO */
	size_t nnz;			/* of CSR */
	struct memory *index;		/* counted; of CSR */
};

/* The number of elements and of bytes in the memory of a matrix of m's shape (a
 * sparse one's nnz). ERR_TOO_LARGE when the count overflows, or would without
 * its empty dimensions: no product of dimensions ever overflows. */
int matrix_count(const struct matrix *m, size_t *elements, struct err *e);
int matrix_bytes(const struct matrix *m, size_t *bytes, struct err *e);

/* matrix_count() and matrix_bytes() for a shape that was checked before. */
size_t matrix_elements(const struct matrix *m);
size_t matrix_size(const struct matrix *m);

/* Bytes of a sparse matrix's index; 0 for a dense one. */
int matrix_index_bytes(const struct matrix *m, size_t *bytes, struct err *e);
size_t matrix_index_size(const struct matrix *m);

/* A vector counts as a column: n rows, 1 column. A scalar is 1 x 1. */
size_t matrix_rows(const struct matrix *m);
size_t matrix_cols(const struct matrix *m);
size_t matrix_stack(const struct matrix *m);	/* matrices in the stack */

/* Allocate memory for m's shape, and for the index of its nnz, from the pool.
 * The second is for a dense matrix whose elements arrive as a body does: see
 * arrival_new(). */
int matrix_alloc(struct matrix *m, struct memory_pool *p, struct err *e);
int matrix_alloc_arriving(struct matrix *m, struct memory_pool *p,
                          struct err *e);
void matrix_fini(struct matrix *m);		/* unrefs; becomes absent */
struct matrix matrix_ref(const struct matrix *m);	/* the same memory */

static inline void *matrix_data(const struct matrix *m)
{
	if (m->memory && m->memory->look)
		m->memory->look(m->memory, m->memory->look_arg);
	return m->memory ? m->memory->data : NULL;
}

/* "3x4", "2x3x4", "5" (a vector), "scalar". */
const char *matrix_shape_text(const struct matrix *m,
                              char text[MATRIX_SHAPE_TEXT]);

/* Return element i as a double (an int64 is rounded), and set it (a value for
 * an integer type is truncated and saturated). For a complex matrix these
 * functions use the real part, and matrix_set() makes the imaginary part 0. */
double matrix_get(const struct matrix *m, size_t i);
void matrix_set(struct matrix *m, size_t i, double value);

/* Return the imaginary part of element i, which is 0 for a real matrix; and set
 * both parts of an element of a complex matrix. */
double matrix_get_imaginary(const struct matrix *m, size_t i);
void matrix_set_complex(struct matrix *m, size_t i, double real,
                        double imaginary);

/* Converts m to another element type, if it does not have that type already.
 * Reals are rounded once; as complex numbers they have imaginary parts of 0,
 * and complex numbers are not converted to reals. ERR_FORMAT names the first
 * element that an integer type cannot represent exactly, or that is finite but
 * beyond the real type. A rounded matrix is not converted to integers, nor a
 * sparse one to float16 or bfloat16. The conversion is done in place, and the
 * memory keeps its size, if the new type is a real type that is no wider and m
 * holds the only reference; an error then leaves the elements undefined.
 * Otherwise the result is in new memory of the pool. */
int matrix_convert(struct matrix *m, enum dtype to, struct memory_pool *p,
                   struct err *e);

/* Does the same for an operand with that name; the error points at the
 * operand. */
int matrix_convert_operand(struct matrix *m, enum dtype to, const char *name,
                           struct memory_pool *p, struct err *e);

#endif

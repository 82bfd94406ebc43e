/* complex.h - complex matrices for kernels that compute with reals.
 *
 * An element is its real part followed by its imaginary part, so that an m x n
 * complex matrix is an m x 2n real one in the same memory. The functions launch
 * the kernels of kernels/complex, for the type of the parts. */
#ifndef OPS_COMPLEX_H
#define OPS_COMPLEX_H

#include "device/seq.h"
#include "ops/op.h"

#define COMPLEX_KERNELS "complex_twist complex_take complex_conjugate " \
	"complex_moduli"

/* Returns m, two or more dimensions of complex elements, as a matrix of reals
 * with twice as many columns, in the same memory. */
struct matrix complex_as_reals(const struct matrix *m);

/* A stack of m x n matrices op(X): element i, j is at i * row + j * column. */
struct complex_operand {
	struct buf x;
	size_t stack, m, n;
	int64_t row, column;
	bool conjugate;
};

/* Describes a stack of matrices (a vector is a column), transposed or not. */
struct complex_operand complex_operand_of(struct seq *s,
                                          const struct matrix *m,
                                          bool transposed, bool conjugate);

/* Write the blocks of op(X), 2m x 2n reals a matrix, or op(X) itself. */
void complex_twist(struct seq *s, const struct complex_operand *x,
                   struct buf to);
void complex_take(struct seq *s, const struct complex_operand *x,
                  struct buf to);

/* Conjugates n elements in place; stores the moduli of n elements. */
void complex_conjugate(struct seq *s, struct buf x, size_t n);
void complex_moduli(struct seq *s, struct buf x, struct buf to, size_t n);

#endif

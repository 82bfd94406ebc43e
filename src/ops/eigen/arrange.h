/* arrange.h - the order of the rows and columns of a pair A, B with a positive
 * definite B, for real and for complex matrices: by B's diagonal. pencil.c
 * tells why. */
#ifndef OPS_EIGEN_ARRANGE_H
#define OPS_EIGEN_ARRANGE_H

#include <stdbool.h>
#include <stddef.h>

/* Matrices are column-major and have n rows. */
struct arrange {
	size_t n;
	size_t bytes;			/* of an element, which begins with its
					 * real part in float64 */
	size_t *order;			/* n: row i becomes row order[i] */
	void *room;			/* n elements */
};

/* Sets the order to that of descending diagonal elements of B, or if B is NULL
 * to that in which the rows are. */
void arrange_find(const struct arrange *g, const void *b);

/* Puts the rows and the columns of an n x n matrix into that order. */
void arrange_apply(const struct arrange *g, void *x);

/* Puts the rows of an n x columns matrix, which are in that order, back into
 * the order that they had before. */
void arrange_undo(const struct arrange *g, void *x, size_t columns);

/* Reverses the order of so many elements. */
void arrange_reverse(const struct arrange *g, void *x, size_t elements);

/* L is the Cholesky factor of B. Returns whether B is ill-conditioned, but not
 * so much that the QZ algorithm takes it for a singular matrix. B's condition
 * number is about the squared ratio of the extreme diagonal elements of L. */
bool arrange_is_ill(const struct arrange *g, const void *l);

#endif

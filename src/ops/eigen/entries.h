/* entries.h - a square sparse matrix by rows in float64, for the iterations on
 * the host: its products, its transpose, its symmetry.
 *
 * Row i holds the entries start[i], ..., start[i + 1] - 1, whose columns
 * ascend.
 */
#ifndef OPS_EIGEN_ENTRIES_H
#define OPS_EIGEN_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "matrix/matrix.h"

struct entries {
	size_t n;
	int64_t *start;			/* n + 1 */
	int32_t *column;
	double *value;
};

/* Copies the CSR matrix m, divided by the power of two that puts its largest
 * element into [1, 2); *power becomes its exponent. All elements must be
 * finite. -1: no memory; entries_fini() must be called in any case. */
int entries_load(struct entries *e, const struct matrix *m, int *power);
void entries_fini(struct entries *e);

/* Makes t = A^T. -1: no memory. */
int entries_transpose(const struct entries *a, struct entries *t);

/* Makes mean = (A + A^T) / 2, in which an entry stands wherever A or A^T has
 * one. t is A^T. *differs: is there an element of A that differs from its
 * mirror element by more than `slack`? *row and *column are then the place of
 * the first one. -1: no memory. */
int entries_mean(const struct entries *a, const struct entries *t,
                 double slack, struct entries *mean, bool *differs,
                 size_t *row, size_t *column);

/* Computes elements `from` to `to` - 1 of y = A x, where x and y have n
 * elements and do not overlap. */
void entries_times(const struct entries *a, const double *x, double *y,
                   size_t from, size_t to);

/* Returns the infinity-norm, which is the largest row sum of magnitudes. */
double entries_norm(const struct entries *a);

/* Writes the reverse Cuthill-McKee ordering (Cuthill and McKee 1969, George
 * 1971) of a matrix whose pattern is symmetric: row order[i] comes at place i.
 * It keeps connected rows together, so that the band is narrow. -1: no
 * memory. */
int entries_order(const struct entries *a, int32_t *order);

#endif

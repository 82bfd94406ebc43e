/* columns.h - A = L L^T where a device holds some columns of the matrix: what
 * gang.c and streamed.c have in common. Panels are factored and applied as
 * ops/gang/panels.h says. A panel is a block's columns from the diagonal down:
 * L11, which cholesky_in_place() factors, and L21 = A21 L11^-T. To apply it is
 * to update A22 -= L21 L21^T, one block of columns after the other, so that
 * what is above the diagonal is left out.
 */
#ifndef OPS_CHOLESKY_COLUMNS_H
#define OPS_CHOLESKY_COLUMNS_H

#include "ops/blas/trsm.h"
#include "ops/cholesky/cholesky.h"
#include "ops/gang/panels.h"

struct cholesky_columns {
	struct seq *s;
	struct columns c;
	struct buf panel[2];		/* of even and of odd panels: rows from
					 * the diagonal down, side by side */
	struct blas_tensor tensor[2];	/* of each lane */
	struct blas_tensor down;	/* for L21 */
	struct buf state;		/* int32_t[2]: of the last panel */
};

/* Makes the buffers of f->s, all but that of the columns; or, if `need` is set,
 * counts them for elements of that type. f->c has the sizes. */
void cholesky_columns_make(struct cholesky_columns *f, const struct sheet *d,
                           enum dtype type, struct need *need);

/* Factors panel k, which this device has, into its buffer; the first number of
 * f->state becomes the order of its first leading minor that is not positive,
 * or 0. */
void cholesky_columns_factor(struct cholesky_columns *f, size_t k);

/* Applies the factored panel whose rows from the diagonal of column c0 of the
 * buffer of columns on begin at `rows`, of w columns, to columns c0 to
 * c1 - 1. */
void cholesky_columns_apply(const struct cholesky_columns *f,
                            const struct blas_part *rows, size_t w, int lane,
                            size_t c0, size_t c1);

/* Columns of a lower triangle, row-major, block-cyclic as struct columns. */
struct cholesky_sums {
	struct buf b;
	const struct columns *c;
	size_t first;			/* the number of row 0 and of column 0
					 * in the whole matrix */
	int below;			/* see kernels/cholesky/gang.cl */
};

/* Returns one sum a column, from malloc(): that of kernels/cholesky/gang.cl
 * over all rows. NULL after a failure. Waits. cholesky_sums_bytes() is the
 * memory that it takes. */
double *cholesky_sums_of(struct seq *s, const struct cholesky_sums *x);
size_t cholesky_sums_bytes(const struct columns *c, const struct sheet *d);

/* Where A is not finite: row -1 at first. */
struct cholesky_place {
	double row, column;
};

/* Finds the first element of column j, from the diagonal down, that is not
 * finite. Sets *x to its place, unless *x is a place in an earlier row. */
void cholesky_find_nonfinite(const struct matrix *a, size_t j,
                             struct cholesky_place *x);

#define CHOLESKY_COLUMNS_KERNELS \
	"cholesky_gang_columns " CHOLESKY_IN_PLACE_KERNELS COLUMNS_KERNELS \
	" " BLAS_TRSM_KERNELS

#endif

/* normal.h - Cholesky's factorization of the normal matrix G = A^T A = U^T U of
 * tall m x n matrices in float64, for a stack of them (kernels/qr/normal.cl).
 * qr and lstsq are computed from U; src/ops/qr/quick.c says for which matrices
 * this is accurate. */
#ifndef OPS_QR_NORMAL_H
#define OPS_QR_NORMAL_H

#include "device/seq.h"
#include "ops/need.h"
#include "shared/qr_normal.h"

struct qr_normal {
	struct seq *s;			/* NULL while memory is counted */
	struct need *need;		/* NULL while a call runs */
	enum dtype dtype;		/* of A */
	size_t stack, m, n;
	size_t tiles, ld, pairs;	/* tiles in a row of G, elements in
					 * these tiles' rows, and tiles on and
					 * above the diagonal */
	size_t each, chunks;		/* G is a sum of `chunks` products of
					 * `each` rows */
	struct buf parts, x, inverse;	/* scratch memory */
	struct buf y;			/* the rows of U^-T, in the lower
					 * triangles of ld x ld matrices */
	struct buf diagonal;		/* of G, ld numbers for each matrix */
	struct buf u[2];		/* two factors U, ld x ld */
	struct buf squares;		/* shares of |G|^2 */
	struct buf told;		/* what qr_normal_told() reads, for two
					 * passes */
};

/* Sets the sizes for m x n matrices on that device. */
struct qr_normal qr_normal_of(size_t stack, size_t m, size_t n, enum dtype t,
                              const struct sheet *d);

/* Returns whether the device has float64, and n columns are not too many. */
bool qr_normal_fits(size_t n, const struct sheet *d);

/* Makes the buffers, or, if t->need is set, adds their memory to that. `parts`
 * has at least qr_signs_room() numbers for each matrix. */
void qr_normal_room(struct qr_normal *t);

/* Factors G = A^T A into u[pass], 0 or 1, and y, and computes the numbers that
 * qr_normal_told() reads. */
void qr_normal_factor(const struct qr_normal *t, struct buf a, int pass);

/* Computes X = G, the upper triangle of tiles alone, once more after
 * qr_normal_factor(), in which it has overwritten X. */
void qr_normal_matrix(const struct qr_normal *t);

/* Waits for the device and reads the numbers (enum qr_normal_told) of the first
 * `passes` passes. told[pass] receives for each number its largest value among
 * all matrices, or NaN if it is NaN for a matrix. Returns false if the sequence
 * has failed. */
bool qr_normal_told(const struct qr_normal *t, int passes,
                    double told[][QR_NORMAL_NUMBERS]);

#define QR_NORMAL_KERNELS                                                    \
	"qr_normal_parts qr_normal_sum qr_normal_block qr_normal_upper "     \
	"qr_normal_judge "

#endif

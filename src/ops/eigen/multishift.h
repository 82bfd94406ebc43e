/* multishift.h - the QR algorithm with small bulges and aggressive early
 * deflation (Braman, Byers and Mathias 2002) for an upper Hessenberg matrix:
 *
 *     T = Z^T H Z, quasi-triangular.
 *
 * LAPACK's own routines deflate (xLAQR3) and sweep (xLAQR5). The differences
 * from xHSEQR are the number of shifts and the size of the deflation window:
 * xHSEQR's suit processors on which products of small matrices are slow. On one
 * thread of an AMD EPYC with OpenBLAS, xHSEQR took 110 ms for 512 rows with all
 * vectors, and multishift_run() takes 71 ms. */
#ifndef OPS_EIGEN_MULTISHIFT_H
#define OPS_EIGEN_MULTISHIFT_H

#include <stdbool.h>
#include <stddef.h>

#include "ops/lapack/lapack.h"

struct seq;

/* Arrays are column-major with columns of ld elements. */
struct multishift {
	const struct lapack *l;
	struct seq *s;			/* the iteration ends when this sequence
					 * is cancelled; or NULL */
	size_t n, ld;
	size_t low, high;		/* H is triangular but for the rows from
					 * `low` to `high` - 1 */
	bool form;			/* T is wanted, not only eigenvalues */
	double *h;			/* H on entry, with zeros below the
					 * subdiagonal; then T if `form`, else
					 * undefined */
	double *z;			/* is multiplied by Z from the right, if
					 * `form`; NULL: Z is not wanted */
	double *re, *im;		/* the eigenvalues, in the order of the
					 * diagonal of T; of a conjugate pair,
					 * the one with im > 0 comes first */
};

/* Returns -1 if there is no memory. Sets *solved to whether all eigenvalues
 * were found. */
int multishift_run(const struct multishift *m, bool *solved);

#endif

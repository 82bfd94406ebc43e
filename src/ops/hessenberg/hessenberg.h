/* hessenberg.h - reduces a square matrix on the device to upper Hessenberg form
 * by an orthogonal similarity transform,
 *
 *     H = Q^T A Q,    Q = Q_1 Q_2 ...,    Q_k = I - V_k T_k V_k^T,
 *
 * in panels of HESS_NB columns (LAPACK's xGEHRD; Quintana-Orti and van de Geijn
 * 2006). The elements have the sequence's type, float32 or float64, and sums
 * over rows are float64 where the device has it. All elements must be finite,
 * and the largest should be about 1: the part of a column below the subdiagonal
 * counts as 0 if its sum of squares is at most 1e-280. The computed H is exact
 * for a matrix A + E with |E| of the size of n eps |A|. */
#ifndef OPS_HESSENBERG_HESSENBERG_H
#define OPS_HESSENBERG_HESSENBERG_H

#include "device/seq.h"
#include "ops/need.h"

/* The kernels of the reduction, and those of its matrix products. */
#define HESSENBERG_KERNELS \
	"hess_reflect hess_multiply hess_load hess_give blas_gemm_64 " \
	"blas_gemm_128"

struct hessenberg {
	struct seq *s;
	size_t n;
	size_t low, high;		/* A is triangular but for the rows and
					 * columns from `low` to `high` - 1, as
					 * balancing leaves it */
	size_t panels;
	struct buf a;			/* A, row-major; then H, with undefined
					 * elements below the subdiagonal */
	struct buf v;			/* V_k, n x HESS_NB, one after another;
					 * rows that a V_k does not have are
					 * undefined */
	struct buf t;			/* T_k, HESS_NB x HESS_NB each */
	struct buf y, x[2], column[2], told, parts;	/* scratch */
};

/* Creates the buffers of *h. The caller then fills h->a, for example by
 * hessenberg_load(). low <= high <= n, n > 0. hessenberg_need() adds the memory
 * of these buffers. */
void hessenberg_init(struct hessenberg *h, struct seq *s, size_t n, size_t low,
                     size_t high);
void hessenberg_need(struct need *need, const struct sheet *d, enum dtype t,
                     size_t n);

/* Launches the reduction of A. Returns -1 if the sequence has failed. */
int hessenberg_reduce(struct hessenberg *h);

/* Sets h->a to the column-major n x n array in `from`, which has no gaps. */
void hessenberg_load(struct hessenberg *h, struct buf from);

/* Stores H, with zeros below the subdiagonal, in the column-major `to`, whose
 * columns have ld >= n elements; those beyond row n are set to 0. */
void hessenberg_give(const struct hessenberg *h, size_t ld, struct buf to);

/* C = C Q^T for a row-major m x n matrix, m <= n. If C has the eigenvectors y
 * of H as its rows (the columns of a column-major array), they become
 * eigenvectors Q y of A. */
void hessenberg_back(const struct hessenberg *h, struct buf c, size_t m);

#endif

/* normal.h - what the files of lstsq's variant `normal` share. */
#ifndef OPS_LSTSQ_NORMAL_H
#define OPS_LSTSQ_NORMAL_H

#include "ops/lstsq/lstsq.h"
#include "ops/qr/normal.h"

/* The numbers that the host reads, for every right-hand side b of every
 * matrix. */
struct lstsq_values {
	double *before, *after;		/* A^T v and |v|^2, n + 1 numbers each,
					 * for v = b and for v = b - A x */
	double *x;			/* n numbers */
};

/* The rank, and the singular values s_1 (`first`) and s_(rank + 1) (`next`; 0
 * if the rank is n). If s is NULL, `first` is an upper bound on s_1. */
struct lstsq_rank {
	size_t rank;
	double first, next;
	double *s;			/* n singular values, or NULL */
	double *x;			/* n x sides, column by column: the
					 * solution for that rank */
};

/* bounds.c: upper bounds on the largest singular value and on the condition
 * number, and whether such bounds prove that no singular value counts as 0,
 * from the numbers told[enum qr_normal_told] of qr_normal_told(). */
double lstsq_largest(const double *told);
double lstsq_condition(const double *told);
bool lstsq_has_full_rank(const struct args *a, const double *told);

/* reduced.c: minimizes |U x - z| by LAPACK on the host, and sets *r. The stack
 * must have one matrix; z has `sides` columns. Returns false if LAPACK does not
 * converge, or with the sequence's error. In any case the caller calls
 * lstsq_rank_fini(). */
bool lstsq_reduced(const struct qr_normal *g, const struct args *a,
                   size_t sides, struct buf z, struct lstsq_rank *r);
void lstsq_rank_fini(struct lstsq_rank *r);

/* spectral.c: sets *r for the only matrix of a call that lstsq_spectral_fits(),
 * by the polar decomposition of A on the device. Returns false if the polar
 * decomposition fails, if rounding errors would decide the rank, or with the
 * sequence's error. Without `solve`, which is for matrices of full rank, r->x
 * stays NULL. lstsq_rank_fini() frees what it has made. lstsq_spectral_need()
 * adds the scratch memory. */
bool lstsq_spectral(struct seq *s, const struct args *a, bool solve,
                    struct lstsq_rank *r);
bool lstsq_spectral_fits(const struct args *a, const struct sheet *d);
void lstsq_spectral_need(struct need *n, const struct sheet *d,
                         const struct args *a);

/* few.c: one matrix, the singular values of which are not wanted, and whose x
 * is accurate if the rank is n. */
struct lstsq_few {
	const struct qr_normal *normal;
	const struct args *a;
	size_t sides;
	const double *before;		/* A^T b for each right-hand side b: n
					 * numbers in rows of n + 1 */
	double largest;			/* an upper bound of s_1 */
};

/* Sets all of *r but r->s, and r->x only if the rank is less than n. Returns
 * false, and then changes neither the rank nor `first` and `next`, if the rank
 * is not proved; or with the sequence's error. lstsq_rank_fini() frees r->x.
 * lstsq_few_need() adds the scratch memory. */
bool lstsq_few(const struct lstsq_few *q, struct lstsq_rank *r);
bool lstsq_few_fits(const struct args *a);
void lstsq_few_need(struct need *n, const struct args *a);

/* squares.c: a call for which lstsq_spectral_fits() returns true. The buffers
 * hold float64 elements. */
struct lstsq_squares {
	const struct qr_normal *normal;
	const struct args *a;
	size_t sides;
	struct buf before;		/* A^T b for each right-hand side b: n
					 * numbers in rows of n + 1 */
	struct buf z;			/* scratch: n numbers per side */
	struct buf x;			/* the solutions, n numbers each */
	bool accurate;			/* x is accurate if the rank is n */
	bool full;			/* the rank is known to be n */
	bool vectors;			/* the eigenvectors are computed before
					 * the rank is known */
};

/* Sets all of *r except r->x. Unless t->accurate is set and the rank is n,
 * replaces t->x by the solution for the rank found, and sets *solved. Returns
 * false if rounding errors would decide the rank, or with the sequence's error.
 * lstsq_rank_fini() frees *r. lstsq_squares_need() adds the scratch memory. */
bool lstsq_squares(const struct lstsq_squares *t, bool *solved,
                   struct lstsq_rank *r);
void lstsq_squares_need(struct need *n, const struct sheet *d,
                        const struct args *a);

/* spectral.c: sets all of *r except r->x from the n singular values r->s, which
 * are in descending order. Returns false if rounding errors would decide the
 * rank, because rcond is less than the relative error of the singular values:
 * the call is then left to LAPACK, so that it has LAPACK's rank. */
bool lstsq_decide(const struct args *a, size_t n, struct lstsq_rank *r);

/* reduced.c: returns whether the lengths of all right-hand sides are in range,
 * and all x and A^T (b - A x) are finite. */
bool lstsq_is_finite(const struct qr_normal *g, size_t sides,
                     const struct lstsq_values *v);

/* reduced.c: sets the outputs: x from `rounded`, the rank and the singular
 * values from *r. */
void lstsq_give(const struct qr_normal *g, size_t sides, struct buf rounded,
                struct args *a, const struct lstsq_rank *r);

/* reduced.c: returns the residual of the verdict, the ratio that host.c
 * defines, for the worst of all right-hand sides. */
double lstsq_ratio(const struct qr_normal *g, size_t sides,
                   const struct lstsq_values *v, const struct lstsq_rank *r);

#endif

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

/* reduced.c: minimizes |U x - z| by LAPACK on the host, and sets *r. The stack
 * must have one matrix; z has `sides` columns. Returns false if LAPACK does not
 * converge, or with the sequence's error. In any case the caller calls
 * lstsq_rank_fini(). */
bool lstsq_reduced(const struct qr_normal *g, const struct args *a,
                   size_t sides, struct buf z, struct lstsq_rank *r);
void lstsq_rank_fini(struct lstsq_rank *r);

/* spectral.c: sets *r for the only matrix of a call that lstsq_spectral_fits(),
 * by singular values that the device computes. Returns false if the polar
 * decomposition fails, if rounding errors would decide the rank, or with the
 * sequence's error. lstsq_rank_fini() frees what it has made.
 * lstsq_spectral_need() adds the scratch memory. */
bool lstsq_spectral(struct seq *s, const struct args *a, struct lstsq_rank *r);
bool lstsq_spectral_fits(const struct args *a, const struct sheet *d);
void lstsq_spectral_need(struct need *n, const struct sheet *d,
                         const struct args *a);

/* reduced.c: returns the residual of the verdict, the ratio that host.c
 * defines, for the worst of all right-hand sides. */
double lstsq_ratio(const struct qr_normal *g, size_t sides,
                   const struct lstsq_values *v, const struct lstsq_rank *r);

#endif

/* normal.h - what the files of lstsq's variant `normal` share. */
#ifndef OPS_LSTSQ_NORMAL_H
#define OPS_LSTSQ_NORMAL_H

#include "ops/lstsq/lstsq.h"
#include "ops/qr/normal.h"

/* What the host reads of every right-hand side of every matrix: A^T b and
 * |b|^2, the same of b - A x, and x. */
struct lstsq_values {
	double *before, *after;		/* n + 1 numbers each */
	double *x;			/* n numbers */
};

/* The rank, and the singular values s_1 and s_(rank + 1), 0 if there is none.
 * Without s, s_1 is a bound. */
struct lstsq_rank {
	size_t rank;
	double first, next;
	double *s;			/* n singular values, or NULL */
	double *x;			/* n x sides, column by column: the
					 * solution for that rank */
};

/* reduced.c: the problem of minimizing |U x - z| by LAPACK, where the stack has
 * one matrix, and z has sides columns. Returns false if LAPACK does not
 * converge, or with the sequence's error. lstsq_rank_fini() frees what it
 * has made. */
bool lstsq_reduced(const struct qr_normal *g, const struct args *a,
                   size_t sides, struct buf z, struct lstsq_rank *r);
void lstsq_rank_fini(struct lstsq_rank *r);

/* spectral.c: the same for one matrix on the device, by singular values, of a
 * call that lstsq_spectral_fits(). Returns false if the polar decomposition
 * fails, or with the sequence's error. lstsq_rank_fini() frees what it has
 * made. lstsq_spectral_need() adds the scratch memory. */
bool lstsq_spectral(struct seq *s, const struct args *a, struct lstsq_rank *r);
bool lstsq_spectral_fits(const struct args *a, const struct sheet *d);
void lstsq_spectral_need(struct need *n, const struct sheet *d,
                         const struct args *a);

/* reduced.c: the ratio of host.c's verdict for the worst of all right-hand
 * sides. */
double lstsq_ratio(const struct qr_normal *g, size_t sides,
                   const struct lstsq_values *v, const struct lstsq_rank *r);

#endif

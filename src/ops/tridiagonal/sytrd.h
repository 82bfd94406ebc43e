/* sytrd.h - a reduction to tridiagonal form in progress, for reduce.c and
 * for the parts of a gang (ops/eigen/gang.h), which launch some of its kernels
 * themselves. kernels/tridiagonal/sytrd.cl describes the kernels. */
#ifndef OPS_TRIDIAGONAL_SYTRD_H
#define OPS_TRIDIAGONAL_SYTRD_H

#include "ops/tridiagonal/steps.h"
#include "shared/tridiagonal_tile.h"

/* The buffers of a reduction in panels of SYTRD_MOST columns. */
struct sytrd {
	struct tridiagonal_form f;
	size_t each;			/* bytes of an element */
	struct buf p, q;		/* 2 SYTRD_MOST rows of ld elements */
	struct buf x, y, s;		/* ld, n and 2 SYTRD_MOST elements */
	struct buf products;		/* partial sums */
	struct buf arrived;		/* counts work-groups of sytrd_panel */
	size_t groups;			/* of sytrd_panel; 0: not used */
};

/* The elements of a row of a matrix of n rows: n, rounded up. */
size_t sytrd_ld(size_t n);

/* Makes the buffers, whose memory is that of tridiagonal_reduce_need(). */
struct sytrd sytrd_of(struct seq *s, size_t n, size_t groups);

/* sytrd_start, after which x is column 0 of the matrix in t->f.v. */
void sytrd_start(const struct sytrd *t);

/* sytrd_column for column p, where `count` rows of P and Q exist: makes w, and
 * x = column p + 1. Row p + 1 of t->f.v must hold that of A, as it was before
 * the panel. */
void sytrd_column(const struct sytrd *t, size_t p, size_t count);

/* sytrd_clean, by which t->f becomes complete. */
void sytrd_clean(const struct sytrd *t);

#endif

/* gang.h - A = X diag(lambda) X^T of one symmetric matrix by several devices
 * (struct gang in ops/op.h): docs/eigen.md.
 *
 *     gang.c          the call and its memory; the tridiagonal problem; X
 *     gang_reduce.c   T = Q^T A Q
 *     gang_judge.c    loads A and checks that it is finite and symmetric;
 *                     residual and orthogonality
 *
 * The blocks of columns that a device holds (ops/gang/columns.h) are kept as
 * rows, which a symmetric matrix allows. Of an n x n matrix, each of D devices
 * holds
 *
 *     n^2 / D       its rows of A
 *     n^2           all reflections (struct tridiagonal_form)
 *     n^2 / D       its columns of Z_T, which become those of X
 *     2 n width     blocks that are uploaded, downloaded or exchanged
 *
 * and the first device, which decomposes T, also n^2 for Z_T and what
 * tridiagonal_decompose_need() adds.
 */
#ifndef OPS_EIGEN_GANG_H
#define OPS_EIGEN_GANG_H

#include "device/board.h"
#include "ops/eigen/many.h"
#include "ops/gang/columns.h"
#include "ops/qr/judge.h"
#include "ops/tridiagonal/sytrd.h"

struct eigen_gang {
	struct seq *s;
	const struct args *a;
	size_t n, ld, each;		/* rows; elements of a row in memory;
					 * bytes of an element */
	bool vectors;			/* are eigenvectors wanted? */
	bool judged;			/* is there a verdict on them? */
	struct columns c;		/* its buffer: the part's columns of A,
					 * as rows of ld elements */
	struct board x;
	size_t slot;			/* the board's next one */
	struct sytrd r;
	struct buf y_parts;		/* `step` elements of y of each part */
	size_t step;
	struct buf own_p;		/* P of the part's own rows */
	struct symmetric_told looked;	/* of the whole matrix */
	int power;			/* A is divided by 2^power */
	double *values;			/* n: the diagonal of T, then the
					 * eigenvalues, ascending */
	struct buf z;			/* the part's columns of X */
	struct judge j;
};

/* The operation's gang(); run() of one part; the memory that it takes. */
void eigen_gang_plan(const struct args *a, int parts, struct gang_plan *p);
int eigen_gang(struct seq *s, struct args *a);
void eigen_gang_need(const struct args *a, const struct sheet *d,
                     struct need *n);

#define EIGEN_GANG_KERNELS                                                   \
	"tridiagonal_share tridiagonal_scale sytrd_own_times sytrd_gather "  \
	"sytrd_own_rows " COLUMNS_KERNELS

/* What each part writes for the others, in its own bytes of the board. */
struct eigen_gang_own {
	double *look;			/* the three numbers of tridiagonal_look
					 * (kernels/tridiagonal/load.cl) */
	double *values;			/* of the first part: n eigenvalues */
	char *y[2];			/* y of columns with even and with odd
					 * numbers: `step` elements each */
	/* For JUDGE_PROBES vectors p each, if there is a verdict: */
	double *xp, *xlp;		/* X p, X diag(lambda) p */
	double *axp;			/* A X p */
	double *square;			/* the sum of the a_ij^2 */
};

size_t eigen_gang_own_bytes(const struct eigen_gang *g);
struct eigen_gang_own eigen_gang_own_of(const struct eigen_gang *g, int part);

/* gang_reduce.c: reduces A, whose rows are in g->c.b, to g->r.f. */
void eigen_gang_reduce(struct eigen_gang *g);

/* gang_judge.c. Loads the part's rows of A, and sets g->looked from what all
 * parts have found; false: the call has ended. */
bool eigen_gang_load(struct eigen_gang *g);

/* Measures residual and orthogonality; the first part sets a->verdict. */
void eigen_gang_judge(struct eigen_gang *g, struct args *a);
void eigen_gang_judge_need(const struct eigen_gang *g, const struct sheet *d,
                           struct need *n);

#endif

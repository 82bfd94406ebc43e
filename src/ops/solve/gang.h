/* gang.h - A X = B by several devices (struct gang in ops/op.h), each of which
 * holds some blocks of columns of A and of its factors (ops/lu/gang.h).
 *
 *     gang.c          the steps
 *     gang_sweep.c    solves with L, with U and with their transposes
 *     gang_rest.c     the norm of A; B - A X
 *     gang_judge.c    refinement and the verdict
 *
 * The devices compute everything that reads A or its factors. Vectors of n
 * numbers are on the hosts of all parts, which exchange their shares through
 * the board and then compute the same: all parts come to the same decisions
 * about refinement. The rules, the probes and the verdict are those of one
 * device (kernels/shared/solve_told.h, kernels/solve/rules.h).
 *
 * All vectors are [column][n], in float64, and hold numbers of the call's type
 * where LAPACK has them in that type. At most SOLVE_GANG_SIDES right-hand sides
 * are solved at a time; the first of them have the probes beside them.
 */
#ifndef OPS_SOLVE_GANG_H
#define OPS_SOLVE_GANG_H

#include "ops/lu/gang.h"
#include "ops/solve/structure.h"
#include "shared/solve_told.h"

enum { SOLVE_GANG_SIDES = 16 };

/* What refinement knows of a column of X (enum solve_column). */
struct solve_gang_column {
	double backward, ratio, most, sum;
	int state, steps;
};

struct solve_gang {
	struct seq *s;
	struct lu_gang lu;
	size_t n, sides;
	size_t some;			/* the most right-hand sides that are
					 * solved at a time */
	size_t most;			/* the most columns: those and probes */
	bool judged;			/* are there probes? */
	struct buf a;			/* the part's columns of A */
	struct buf x[2];		/* n x most, row-major: for L, for U */
	struct buf more;		/* rows that other parts have summed */
	struct buf own;			/* elements of the part's columns */
	struct buf share;		/* kernels/solve/gang.cl */
	size_t slot;			/* the board's next one */
	size_t turn;			/* exchanges so far */
	void *room;			/* n x most numbers */

	/* Vectors, and the columns of each: */
	double *b, *x_now, *old, *r, *size;	/* some, but x_now: most */
	double *d;			/* most: corrections and probes, in
					 * rows of P A */
	double *z;			/* SOLVE_TURNED: see solve_told.h */
	double *first, *last;		/* 1: W of the probes, of the last
					 * residual */
	bool probed;			/* `first` is known */
	const int32_t *order;		/* n: row i of P A is row order[i] */
	struct solve_gang_column column[SOLVE_GANG_SIDES];
	double found[2 * SOLVE_TURNED];	/* TOLD_PROBES */
	double norm;			/* of A, the 1-norm */
	double told[TOLD_LENGTH + 1];
};

/* The operation's gang(); run() of one part, whose panels are factored by `by`;
 * and the memory that the part takes. */
void solve_gang_plan(const struct args *a, int parts, struct gang_plan *g);
int solve_gang_run(struct seq *s, struct args *a, lu_factor_fn *by);
void solve_gang_need(const struct args *a, const struct sheet *d,
                     lu_need_fn *by, struct need *n);

/* An exchange: every part writes to what solve_gang_own() returns, room for n x
 * most and for 3 n x some numbers, and calls solve_gang_exchange(), which waits
 * for the others and returns false if the call has ended. Then
 * solve_gang_theirs() returns what that part has written, until the next
 * exchange has ended. */
double *solve_gang_own(const struct solve_gang *g);
bool solve_gang_exchange(struct solve_gang *g);
const double *solve_gang_theirs(const struct solve_gang *g, int part);

/* Replace x, of `cols` columns, by U^-1 L^-1 x and by L^-T U^-T x. The rows of
 * what L is applied to are those of P A. */
void solve_gang_substitute(struct solve_gang *g, double *x, size_t cols);
void solve_gang_substitute_transposed(struct solve_gang *g, double *x,
                                      size_t cols);

/* Sets g->norm; returns false if A holds a NaN or an infinity. */
bool solve_gang_look(struct solve_gang *g);

/* r = b - A x, summed in twice the precision, and size = |A| |x| + |b|, for
 * `cols` columns of g's vectors. */
void solve_gang_rest(struct solve_gang *g, size_t cols);

/* Solves, refines and judges `count` right-hand sides from `first` on, and adds
 * what it finds to g->told. The first part writes them to x. */
void solve_gang_columns(struct solve_gang *g, const struct matrix *b,
                        size_t first, size_t count, struct matrix *x);

#define SOLVE_GANG_KERNELS \
	" solve_gang_look solve_gang_add solve_gang_rest " \
	LU_GANG_FACTOR_KERNELS " "

#endif

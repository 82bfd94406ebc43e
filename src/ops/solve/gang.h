/* gang.h - A X = B by several devices (struct gang in ops/op.h), each of which
 * holds some blocks of columns of A and of its factors (ops/lu/gang.h).
 *
 *     gang.c          the steps; the norm of A; B - A X
 *     gang_sweep.c    solves with L, with U and with their transposes
 *
 * The devices compute everything that reads A or its factors. Vectors of n
 * numbers (hosted.h) are on the hosts of all parts, which exchange their shares
 * through the board and then compute the same: all parts come to the same
 * decisions about refinement. */
#ifndef OPS_SOLVE_GANG_H
#define OPS_SOLVE_GANG_H

#include "ops/lu/gang.h"
#include "ops/solve/hosted.h"

enum { SOLVE_GANG_SIDES = 16 };		/* solved at a time */

struct solve_gang {
	struct solve_hosted h;
	struct lu_gang lu;
	struct solve_part a;		/* the part's columns of A */
	struct buf x[2];		/* n x most, row-major: for L, for U */
	struct buf more;		/* rows that other parts have summed */
	size_t slot;			/* the board's next one */
	size_t turn;			/* exchanges so far */
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

/* The steps of struct solve_holder; `gang` is a struct solve_gang. */
void solve_gang_substitute(void *gang, double *x, size_t cols);
void solve_gang_substitute_transposed(void *gang, double *x, size_t cols);

#define SOLVE_GANG_KERNELS \
	" solve_gang_look solve_gang_add solve_gang_rest " \
	LU_GANG_FACTOR_KERNELS " "

#endif

/* solve.h - what the files of the operation solve share. */
#ifndef OPS_SOLVE_H
#define OPS_SOLVE_H

#include "ops/lu_substitute.h"
#include "ops/op.h"

/* A X = B as the kernels take it: `stack` systems of n equations with
 * `sides` right-hand sides; system i has matrix which[i] of a's stack and
 * from[i] of b's. A vector is one side. */
struct systems {
	size_t n, sides, stack;
	size_t a_stack, b_stack;
	struct buf a, b;
	struct buf which, from;		/* int32_t[stack] */
	struct buf members;		/* int32_t[a_stack][stack / a_stack]:
					 * the systems of each matrix */
};

/* solve_systems.c: the systems of a call that was checked; which, from, a and
 * b only when s is given. */
struct systems systems_of(struct seq *s, const struct args *a);

/* Do the leading dimensions of a and b agree, or are 1? */
bool systems_stacks_agree(const struct args *a);

/* Leading dimensions of the answer, in dim[]; their number. */
int systems_leading(const struct args *a, size_t dim[MATRIX_DIMS]);

/* 1 where an operand holds a NaN or an infinity: int32_t. */
struct buf solve_scan(struct seq *s, const struct systems *y);

/* Refuses what has no answer: found by that scan, or by the first column of
 * each matrix whose pivot is zero, int32_t, -1 for none. Waits. */
int solve_judge(struct seq *s, size_t a_stack, struct buf found,
                struct buf columns);

/* solve_blocked.c: the whole operation on CPUs (kernels/cpu/solve_strip.cl) */
int solve_blocked(struct seq *s, struct args *a);
#define SOLVE_BLOCKED_KERNELS "lu_load lu_factor solve_take solve_pivots " \
	"solve_strips solve_remainder solve_give"

#define SOLVE_RESIDUAL_KERNELS "solve_norm solve_norm_end solve_combine " \
	"solve_count solve_defect solve_ratio"

/* The buffers of systems_of() beside a and b; what solve_blocked() and
 * solve_residual() make beside those and x. */
void systems_need(struct need *n, const struct systems *y);
void solve_blocked_need(struct need *n, enum dtype t,
                        const struct systems *y);
void solve_residual_need(struct need *n, const struct sheet *d,
                         const struct args *a, const struct systems *y);

/* solve_residual.c: LAPACK's ratio |B - AX| / (n |A| |X| eps) in the 1-norm;
 * the operation's residual. Exact it takes the worst right-hand side; else
 * their sum with fixed signs stands for all of them. */
int solve_residual(struct seq *s, struct args *a);

#endif

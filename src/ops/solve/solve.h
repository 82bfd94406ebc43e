/* solve.h - what the files of the operation solve share. */
#ifndef OPS_SOLVE_SOLVE_H
#define OPS_SOLVE_SOLVE_H

#include "ops/lu/substitute.h"
#include "ops/op.h"

/* A X = B as the kernels take it: `stack` systems of n equations with `sides`
 * right-hand sides; system i has matrix which[i] of a's stack and from[i] of
 * b's. A vector b is one right-hand side. The systems that share a matrix of a
 * are solved together: they have `columns` right-hand sides
 * (kernels/solve/side.h). */
struct systems {
	size_t n, sides, stack;
	size_t a_stack, b_stack;
	size_t columns;
	struct buf a, b;
	struct buf which, from;		/* int32_t[stack] */
	struct buf members;		/* int32_t[a_stack][stack / a_stack]:
					 * the systems of each matrix */
};

/* systems.c: returns the systems of a call that was checked. If s is NULL, the
 * buffers are not made. Buffer a has op(A): A, or A^T with transpose_a. If the
 * client names a structure, only one triangle of A is read, and the rest of
 * op(A) follows from the structure. If the call has factors in place of A, n
 * and the stack are those of the factors. */
struct systems systems_of(struct seq *s, const struct args *a);

/* Returns whether the leading dimensions of a and b are equal, or 1. */
bool systems_stacks_agree(const struct args *a);

/* Writes the leading dimensions of the answer to dim[]; returns their
 * number. */
int systems_leading(const struct args *a, size_t dim[MATRIX_DIMS]);

/* Returns the index, in the stack of operand 0 or 1, of system i's matrix. */
size_t systems_matrix(const struct args *a, int operand, size_t i);

/* Adds the memory of the buffers of systems_of() other than a and b: the maps,
 * and op(A) where it is not the operand as it stands. */
void systems_need(struct need *n, const struct args *a,
                  const struct systems *y);

/* verdict.c: what the kernels report of each matrix
 * (kernels/shared/solve_told.h). */
struct solve_tale {
	struct buf told;		/* wide; then a number for each of b's
					 * matrices */
	struct buf bad;			/* int32_t: of a's matrices, of b's */
	struct buf minors;		/* what solve_factor_structured()
					 * returned; { 0 } if A was factored by
					 * LU */
	double *host;			/* `told` as it was last read */
	size_t matrices, others;	/* in a's stack, in b's */
};

int solve_tale_init(struct solve_tale *t, struct seq *s,
                    const struct systems *y);
void solve_tale_fini(struct solve_tale *t);
void solve_tale_need(struct need *n, const struct sheet *d,
                     const struct systems *y);

/* Waits for the kernels' reports and reads them. */
int solve_tale_read(struct solve_tale *t, struct seq *s);

/* Returns number `number`, an enum solve_told, of a matrix, as it was last
 * read. */
double solve_tale_of(const struct solve_tale *t, size_t matrix, int number);

/* Returns whether a column of the matrix needs another step of refinement, or
 * its last step undone. solve_any_goes_on() returns whether one of all matrices
 * has a column that needs the one (TOLD_ACTIVE) or the other (TOLD_BACK). */
bool solve_goes_on(const struct solve_tale *t, size_t matrix);
bool solve_any_goes_on(const struct solve_tale *t, int state);

/* Records the systems that failed and sets the verdict on the others, as the
 * reports last read say. Returns -1 with the sequence's error. */
int solve_conclude(struct seq *s, struct args *a, const struct solve_tale *t);

/* again.c: returns 1 if systems have overflown or lost digits, whose matrices
 * y->a then has divided by powers of two, and *t is new: all are to be solved
 * again. The buffers made since `mark` (seq_mark()), with those of *t, are
 * dropped. Else returns 0, or -1 with the sequence's error. solve_again_end(),
 * after solve_conclude(), divides the answers of these systems, too. *again has
 * the power of each matrix, 0 of others, or is NULL; the caller frees it. */
int solve_again(struct seq *s, struct systems *y, struct solve_tale *t,
                int mark, int **again);
void solve_again_need(struct need *n, const struct systems *y, enum dtype t);
int solve_again_end(struct seq *s, struct args *a, const struct systems *y,
                    struct buf answer, const int *again);

/* Returns the bound `forward` on |x - x_true| / |x|, or a larger one where it
 * is below what `ratio`, |b - A x| / (|A| |x|) in the 1-norm, implies for a
 * matrix of n rows. */
double solve_forward(double forward, double ratio, double rcond, double n);

/* Says in words why a system failed. */
void solve_describe(const struct args *a, const struct failure *f,
                    struct err *e);

/* blocked.c: the whole operation on CPUs (kernels/solve/cpu/strip.cl,
 * kernels/solve/cpu/narrow.cl) */
int solve_blocked(struct seq *s, struct args *a);
void solve_blocked_need(struct need *n, const struct sheet *d,
                        const struct args *a, const struct systems *y);
#define SOLVE_BLOCKED_KERNELS "solve_narrow solve_load solve_norm " \
	"solve_take lu_factor solve_strips solve_rest solve_remainder " \
	"solve_probe solve_tell solve_give"

/* norms.c: `parts` numbers, wide, for each of A's matrices, whose largest is
 * its 1-norm. bad, int32_t[a_stack], becomes 1 for a matrix that contains NaN
 * or infinity, else 0. */
struct solve_norms {
	struct buf most;
	size_t parts;
};

struct solve_norms solve_norms(struct seq *s, const struct systems *y,
                               struct buf bad);
void solve_norms_need(struct need *n, const struct sheet *d,
                      const struct systems *y);

/* groups.c: the whole operation by work-groups, on any device. Where *how is
 * true, a triangular substitution takes one launch, which only NVIDIA's GPUs
 * can run. */
int solve_groups(struct seq *s, struct args *a);
void solve_groups_need(struct need *n, const struct sheet *d,
                       const struct args *a, const struct systems *y,
                       bool spread);
#define SOLVE_GROUPS_KERNELS " solve_small solve_places solve_begin " \
	"solve_turn solve_rest_lanes solve_turn_back solve_step solve_judge " \
	"solve_end"
#define SOLVE_TILED_KERNELS SUBSTITUTE_TILED_KERNELS SOLVE_GROUPS_KERNELS
#define SOLVE_SPREAD_KERNELS SUBSTITUTE_SPREAD_KERNELS SOLVE_GROUPS_KERNELS

/* residual.c: LAPACK's ratio |B - AX| / (n |A| |X| eps) in the 1-norm, the
 * largest of all right-hand sides, for the answer as it lies in the output. It
 * is the operation's residual with quality=full, or where `run` has set no
 * verdict. */
int solve_residual(struct seq *s, struct args *a);
void solve_residual_need(struct need *n, const struct sheet *d,
                         const struct args *a, const struct systems *y);
#define SOLVE_RESIDUAL_KERNELS "solve_structure solve_look " \
	"solve_most solve_widen solve_count solve_defect solve_ratio"

#endif

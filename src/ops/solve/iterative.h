/* iterative.h - solve by an iteration with a sparse matrix (ops/krylov/). */
#ifndef OPS_SOLVE_ITERATIVE_H
#define OPS_SOLVE_ITERATIVE_H

#include "ops/krylov/krylov.h"
#include "ops/solve/structure.h"

/* Sparse matrices of at most so many rows are made dense and solved by LU, with
 * method=auto, unless the request has something for iterations only. LU then
 * takes well below a second on any device, and needs no luck. */
enum { SOLVE_DENSE_ROWS = 2048 };

/* Is the call solved by an iteration? Its `a` is then CSR. */
static inline bool solve_is_iterative(const struct args *a)
{
	return a->in[SOLVE_A].ndim == 2 && a->in[SOLVE_A].layout == CSR;
}

static inline enum krylov_method solve_method(const struct args *a)
{
	return (enum krylov_method)a->param[SOLVE_P_METHOD];
}

static inline bool solve_names_iteration(const struct args *a)
{
	return solve_method(a) > METHOD_DIRECT;
}

/* choose.c: the operation's stays_sparse() and becomes_sparse(). */
bool solve_stays_sparse(const struct args *a, int operand);
bool solve_becomes_sparse(const struct args *a, int operand);

/* Checks the parameters that are for iterations, or for direct methods,
 * only. */
int solve_iterative_check(const struct args *a, struct err *e);

/* Sets the shapes of the outputs that only iterations have. */
void solve_iterative_shape(struct args *a);

/* The work of one iteration. */
double solve_iterative_flops(const struct args *a);
double solve_iterative_bytes(const struct args *a);

int solve_iterative(struct seq *s, struct args *a);
void solve_iterative_need(const struct args *a, const struct variant *v,
                          const struct sheet *d, struct need *n);

/* Says in words why an iteration failed. */
void solve_iterative_describe(const struct args *a, const struct failure *f,
                              struct err *e);

#endif

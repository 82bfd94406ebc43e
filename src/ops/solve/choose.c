/* choose.c - which calls are solved by an iteration; see iterative.h. */
#include <math.h>
#include <stdio.h>

#include "ops/solve/iterative.h"

/* Returns the index of the first parameter that the request has and that only
 * iterations have; -1 if there is none. */
static int iteration_param(const struct args *a)
{
	if (a->param[SOLVE_P_PRECONDITIONER] != PRECONDITION_AUTO)
		return SOLVE_P_PRECONDITIONER;
	if (a->param[SOLVE_P_ALLOW_PARTIAL] != 0)
		return SOLVE_P_ALLOW_PARTIAL;
	for (int i = SOLVE_P_TOL; i <= SOLVE_P_RESTART; i++)
		if (!isnan(a->param[i]))
			return i;
	return -1;
}

static bool is_triangle(const struct args *a)
{
	return a->param[SOLVE_P_STRUCTURE] == STRUCTURE_LOWER ||
	       a->param[SOLVE_P_STRUCTURE] == STRUCTURE_UPPER;
}

bool solve_stays_sparse(const struct args *a, int operand)
{
	if (operand != SOLVE_A || solve_method(a) == METHOD_DIRECT ||
	    dtype_is_complex(a->dtype))
		return false;
	if (solve_names_iteration(a) || iteration_param(a) >= 0 ||
	    args_wants(a, SOLVE_HISTORY))
		return true;
	return a->in[SOLVE_A].dim[0] > SOLVE_DENSE_ROWS &&
	       a->in[SOLVE_A].dim[0] == a->in[SOLVE_A].dim[1] &&
	       !is_triangle(a) && !solve_turned(a);
}

bool solve_becomes_sparse(const struct args *a, int operand)
{
	return operand == SOLVE_A && solve_names_iteration(a) &&
	       !dtype_is_complex(a->dtype);
}

static int check_direct(const struct args *a, struct err *e)
{
	const int i = iteration_param(a);
	char pointer[32];

	if (solve_names_iteration(a) && dtype_is_complex(a->dtype))
		return err_set_at(e, ERR_PARAMETER, "/method", "solve: "
		    "iterations are for real matrices; complex ones are solved "
		    "by method=direct");
	if (solve_names_iteration(a))
		return err_set_at(e, ERR_SHAPE, "/a", "solve: method=%s takes "
		    "one matrix a, sparse or dense, not a stack or factors",
		    a->op->params[SOLVE_P_METHOD].choices[solve_method(a)]);
	if (i >= 0) {
		snprintf(pointer, sizeof pointer, "/%s",
		         a->op->params[i].name);
		return err_set_at(e, ERR_PARAMETER, pointer, "solve: %s is for "
		    "iterations: method jacobi, cg, minres, gmres or bicgstab, "
		    "or a sparse matrix a", a->op->params[i].name);
	}
	if (!args_wants(a, SOLVE_X))
		return err_set_at(e, ERR_PARAMETER, "/return", "solve: only "
		    "iterations have history, iterations and converged: method "
		    "jacobi, cg, minres, gmres or bicgstab");
	return 0;
}

int solve_iterative_check(const struct args *a, struct err *e)
{
	if (!solve_is_iterative(a))
		return check_direct(a, e);
	if (is_triangle(a))
		return err_set_at(e, ERR_PARAMETER, "/structure", "solve: "
		                  "iterations read all of a: structure lower "
		                  "and upper are for method=direct");
	if (solve_turned(a))
		return err_set_at(e, ERR_PARAMETER, "/transpose_a", "solve: "
		                  "iterations do not transpose a: "
		                  "method=direct does");
	return 0;
}

/* check.c - refuses calls of solve whose operands or parameters are wrong. */
#include "ops/gang/devices.h"
#include "ops/solve/iterative.h"

static bool is_given(const struct args *a, int operand)
{
	return a->in[operand].ndim != MATRIX_ABSENT;
}

static int check_pivots(const struct args *a, struct err *e)
{
	const struct matrix *f = &a->in[SOLVE_FACTORS];
	const struct matrix *p = &a->in[SOLVE_PIVOTS];
	char s[MATRIX_SHAPE_TEXT], t[MATRIX_SHAPE_TEXT];
	bool fits = p->ndim == f->ndim - 1;

	for (int i = 0; fits && i < p->ndim; i++)
		fits = p->dim[i] == f->dim[i];
	if (fits)
		return 0;
	return err_set_at(e, ERR_SHAPE, "/pivots", "solve: factors is %.100s "
	                  "and pivots is %.100s: there must be one pivot for "
	                  "each row", matrix_shape_text(f, s),
	                  matrix_shape_text(p, t));
}

/* Checks that the client gave either a, or factors and pivots. */
static int check_given(const struct args *a, struct err *e)
{
	const bool factors = is_given(a, SOLVE_FACTORS);
	const double structure = a->param[SOLVE_P_STRUCTURE];

	if (!is_given(a, SOLVE_A) && !factors)
		return err_set_at(e, ERR_REQUEST, "/a", "solve: operand a is "
		                  "missing");
	if (is_given(a, SOLVE_A) && (factors || is_given(a, SOLVE_PIVOTS)))
		return err_set_at(e, ERR_REQUEST, "/factors", "solve: factors "
		                  "and pivots take the place of a: send one "
		                  "or the other");
	if (!factors)
		return 0;
	if (!is_given(a, SOLVE_PIVOTS))
		return err_set_at(e, ERR_REQUEST, "/pivots", "solve: factors "
		                  "came without their pivots");
	if (structure != STRUCTURE_AUTO && structure != STRUCTURE_GENERAL)
		return err_set_at(e, ERR_PARAMETER, "/structure", "solve: "
		                  "factors have no structure");
	return check_pivots(a, e);
}

static int check_stacks(const struct args *a, struct err *e)
{
	const struct systems y = systems_of(NULL, a);
	char s[MATRIX_SHAPE_TEXT], t[MATRIX_SHAPE_TEXT];

	if (!systems_stacks_agree(a))
		return err_set(e, ERR_SHAPE, "solve: a is %.100s and b is "
		               "%.100s: leading dimensions differ",
		               matrix_shape_text(solve_matrices(a), s),
		               matrix_shape_text(&a->in[1], t));
	if (solve_is_iterative(a))
		return 0;
	if (y.n > LU_MAX || y.sides > LU_MAX || y.stack > LU_MAX)
		return err_set(e, ERR_TOO_LARGE, "solve: %zu systems of %zu "
		               "equations, %zu right-hand sides: none of "
		               "these numbers may exceed %zu", y.stack, y.n,
		               y.sides, LU_MAX);
	return 0;
}

int solve_check(const struct args *a, struct err *e)
{
	const struct matrix *m = solve_matrices(a), *b = &a->in[SOLVE_B];
	const size_t rows = b->dim[b->ndim > 1 ? b->ndim - 2 : 0];
	char s[MATRIX_SHAPE_TEXT], t[MATRIX_SHAPE_TEXT];

	if (check_given(a, e) < 0 || solve_iterative_check(a, e) < 0)
		return -1;
	if (matrix_rows(m) != matrix_cols(m))
		return err_set_at(e, ERR_SHAPE, is_given(a, SOLVE_A) ? "/a" :
		                  "/factors", "solve: matrix is %s, must be "
		                  "square", matrix_shape_text(m, s));
	if (rows != matrix_rows(m))
		return err_set_at(e, ERR_SHAPE, "/b", "solve: a is %.100s and "
		                  "b is %.100s: %zu equations, %zu right-hand "
		                  "values", matrix_shape_text(m, s),
		                  matrix_shape_text(b, t), matrix_rows(m),
		                  rows);
	if (check_stacks(a, e) < 0)
		return -1;
	return gang_check(a, "one real dense matrix of 64 rows or more for "
	                  "each device, with structure auto or general, not "
	                  "transposed, that a direct method factors", e);
}

/* agrees.c - see agrees.h. */
#include <math.h>
#include <string.h>

#include "tests/ops/lu/lu.h"
#include "tests/ops/solve/agrees.h"

/* The largest difference of two answers over the largest element. */
static double difference(const struct matrix *x, const struct matrix *y)
{
	double most = 0, size = 0;

	for (size_t i = 0; i < matrix_elements(x); i++) {
		most = fmax(most, fabs(matrix_get(x, i) - matrix_get(y, i)));
		size = fmax(size, fabs(matrix_get(x, i)));
	}
	return size > 0 ? most / size : most;
}

static void within(const char *what, double x, double usual, double factor)
{
	ck_assert_msg(x >= usual / factor && x <= usual * factor,
	              "%s %g, usually %g", what, x, usual);
}

void solve_agrees(const struct matrix *a, const struct matrix *b,
                  const struct args *answer, const struct args *usual)
{
	const struct verdict *v = &answer->verdict, *u = &usual->verdict;
	const double ratio = solve_ratio(a, b, &answer->out[0]);

	ck_assert_msg(ratio < 1, "n %zu, %s: ratio %g", matrix_rows(a),
	              dtype_name(a->dtype), ratio);
	ck_assert_double_le(fabs(ratio - v->residual), 0.01 + 0.1 * ratio);
	within("rcond", v->rcond, u->rcond, 2);
	within("forward error", v->forward_error, u->forward_error, 10);
	ck_assert_double_le(difference(&usual->out[0], &answer->out[0]),
	                    v->forward_error + u->forward_error);
	ck_assert_double_ge(v->refinements, 1);
	ck_assert(isnan(v->stalled));
}

void solve_tells_zero_pivot(const char *name, const char *value)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)300,
	                                (size_t)300);
	struct matrix b = random_matrix(FLOAT64, 1, 1, (size_t)300);
	const struct matrix in[] = { a, b };
	struct err e = { 0 };
	struct args r;

	for (size_t i = 0; i < 300 * 300; i++)
		matrix_set(&a, i, i % 300 == i / 300 && i / 300 != 170);
	ck_refused(op_try("solve", in, 2, &r, &e, name, value, NULL), &e,
	           ERR_SINGULAR);
	ck_assert_msg(strstr(e.text, "the pivot of column 170") != NULL, "%s",
	              e.text);
	matrix_fini(&a);
	matrix_fini(&b);
}

void solve_heeds_quality(const char *name, const char *value)
{
	struct matrix a = random_matrix(FLOAT64, 2, 2, (size_t)200,
	                                (size_t)200);
	struct matrix b = random_matrix(FLOAT64, 2, 1, (size_t)200);
	const struct matrix in[] = { a, b };
	struct args r;

	op_run("solve", in, 2, &r, name, value, "quality", "full", NULL);
	ck_assert_double_le(fabs(r.verdict.residual -
	                         solve_ratio(&a, &b, &r.out[0])), 0.01);
	args_fini(&r);
	op_run("solve", in, 2, &r, name, value, "quality", "none", NULL);
	ck_assert(isnan(r.verdict.residual) && isnan(r.verdict.rcond));
	ck_assert_double_lt(solve_ratio(&a, &b, &r.out[0]), 1);
	args_fini(&r);
	matrix_fini(&a);
	matrix_fini(&b);
}

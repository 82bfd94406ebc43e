/* ends.c - answers of jacobi that overflow or underflow. */
#include <math.h>
#include <string.h>

#include "tests/ops/jacobi/jacobi.h"

/* x is finite where it is computed, but not in the units of the answer. */
static void overflow(const struct variant *v)
{
	for (int i = 0; i < 2; i++) {
		const double small = i ? 0x1p-100 : 0x1p-900;
		struct system y = stencil(i ? FLOAT32 : FLOAT64, 5);
		struct err e = { 0 };
		struct args r;

		for (size_t k = 0; k < y.in[0].nnz; k++)
			matrix_set(&y.in[0], k, small *
			           matrix_get(&y.in[0], k));
		for (size_t k = 0; k < 25; k++)
			matrix_set(&y.in[1], k, matrix_get(&y.in[1], k) /
			                        small);
		ck_refused(op_try("jacobi", y.in, 2, &r, &e, "variant",
		                  v->name, NULL), &e, ERR_CONVERGENCE);
		ck_assert_msg(strstr(e.text, "overflows"), "%s", e.text);
		op_run("jacobi", y.in, 2, &r, "variant", v->name,
		       "allow_partial", "true", NULL);
		ck_assert(!isfinite(matrix_get(&r.out[0], 12)));
		ck_assert(matrix_get(&r.out[2], 0) == 0);
		args_fini(&r);
		system_fini(&y);
	}
}

START_TEST(an_x_that_overflows_has_not_converged)
{
	each_variant("jacobi", overflow);
}
END_TEST

/* The answer has fewer digits than x where it is computed: its residual is
 * judged. */
static void underflow(const struct variant *v)
{
	for (int i = 0; i < 2; i++) {
		const double small = i ? 0x1p-145 : 0x1p-1070;
		struct system y = stencil(i ? FLOAT32 : FLOAT64, 5);
		struct err e = { 0 };
		struct args r;

		for (size_t k = 0; k < y.in[0].nnz; k++)
			matrix_set(&y.in[0], k, 0x1p70 *
			           matrix_get(&y.in[0], k));
		for (size_t k = 0; k < 25; k++)
			matrix_set(&y.in[1], k, matrix_get(&y.in[1], k) *
			                        (small * 0x1p70));
		ck_refused(op_try("jacobi", y.in, 2, &r, &e, "variant",
		                  v->name, NULL), &e, ERR_CONVERGENCE);
		ck_assert_msg(strstr(e.text, "underflows"), "%s", e.text);
		op_run("jacobi", y.in, 2, &r, "variant", v->name,
		       "allow_partial", "true", NULL);
		ck_assert_double_ge(relative_residual(&y, &r.out[0]), 1e-4);
		ck_assert_double_ge(r.verdict.residual, 1);
		ck_assert(matrix_get(&r.out[2], 0) == 0);
		args_fini(&r);
		system_fini(&y);
	}
}

START_TEST(an_x_that_underflows_has_not_converged)
{
	each_variant("jacobi", underflow);
}
END_TEST

void jacobi_ends(TCase *t)
{
	tcase_add_test(t, an_x_that_overflows_has_not_converged);
	tcase_add_test(t, an_x_that_underflows_has_not_converged);
}

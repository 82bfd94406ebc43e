/* iterative_scale.c - iterations on matrices of any size: a power of two that
 * multiplies A divides x and changes nothing else; graded matrices, and x that
 * overflows. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "tests/ops/lu/lu.h"
#include "tests/ops/solve/sparse.h"

enum { GRID = 9, ROWS = GRID * GRID };

static const char *variant_now;

static void scale(struct matrix *m, double by)
{
	const size_t n = m->layout == CSR ? m->nnz : matrix_elements(m);

	for (size_t k = 0; k < n; k++)
		matrix_set(m, k, matrix_get(m, k) * by);
}

static void system_of(enum kind kind, enum dtype t, struct matrix in[2])
{
	in[0] = sparse_system(kind, t, GRID);
	in[1] = random_matrix(t, 7, 1, (size_t)ROWS);
}

static void fini(struct matrix in[2])
{
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

static const struct way {
	enum kind kind;
	const char *method, *preconditioner;
	double slack;			/* of iterations; of x, in units of 10
					 * tol */
} ways[] = {
	{ LAPLACIAN, "cg", "ichol0", 0 }, { LAPLACIAN, "jacobi", "auto", 0 },
	/* MINRES takes square roots of sums that A's size multiplies: those of
	 * odd powers of two are rounded. */
	{ LAPLACIAN, "minres", "none", 1 },
	{ LAPLACIAN, "minres", "jacobi", 1 },
	{ LAPLACIAN, "minres", "ilu0", 1 },
	{ LAPLACIAN, "minres", "ichol0", 1 },
	{ INDEFINITE, "minres", "jacobi", 1 },
	{ INDEFINITE, "minres", "auto", 1 },
	{ INDEFINITE, "auto", "auto", 1 },
	{ CONVECTION, "gmres", "none", 0 }, { CONVECTION, "gmres", "ilu0", 0 },
	{ CONVECTION, "gmres", "jacobi", 0 },
	{ CONVECTION, "bicgstab", "ilu0", 0 },
};

static void ck_scaled(const struct way *w, enum dtype t, int exponent)
{
	const char *tol = t == FLOAT32 ? "1e-5" : "1e-8";
	struct matrix in[2];
	struct args one, r;

	system_of(w->kind, t, in);
	op_run("solve", in, 2, &one, "method", w->method, "preconditioner",
	       w->preconditioner, "variant", variant_now, "tol", tol, NULL);
	scale(&in[0], ldexp(1, exponent));
	op_run("solve", in, 2, &r, "method", w->method, "preconditioner",
	       w->preconditioner, "variant", variant_now, "tol", tol, NULL);
	ck_assert_double_le(fabs(matrix_get(&r.out[ITERATIONS], 0) -
	                         matrix_get(&one.out[ITERATIONS], 0)),
	                    w->slack);
	for (size_t i = 0; i < ROWS; i++)
		ck_assert_double_le(fabs(ldexp(matrix_get(&r.out[X], i),
		    exponent) - matrix_get(&one.out[X], i)),
		    10 * w->slack * atof(tol));
	args_fini(&one);
	args_fini(&r);
	fini(in);
}

static void scale_each(const struct variant *v)
{
	static const struct { enum dtype t; int exponent; } scales[] = {
		{ FLOAT64, -100 }, { FLOAT64, -31 }, { FLOAT64, 30 },
		{ FLOAT64, 54 }, { FLOAT64, 500 }, { FLOAT32, -25 },
		{ FLOAT32, 26 }, { FLOAT32, 60 },
	};

	variant_now = v->name;
	for (size_t i = 0; i < COUNT(ways); i++)
		for (size_t k = 0; k < COUNT(scales); k++)
			ck_scaled(&ways[i], scales[k].t, scales[k].exponent);
}

START_TEST(the_size_of_a_changes_only_that_of_x)
{
	each_variant("solve", scale_each);
}
END_TEST

/* b = A y is in the range of the singular A; a vector with another sum than
 * zero is not. */
static void singular(double by, const char *preconditioner)
{
	struct matrix in[2];
	struct err e = { 0 };
	struct args r;
	double mean = 0;

	system_of(NEUMANN, FLOAT64, in);
	scale(&in[0], by);
	ck_refused(op_try("solve", in, 2, &r, &e, "method", "minres",
	                  "preconditioner", preconditioner, NULL), &e,
	           ERR_CONVERGENCE);
	ck_assert_msg(strstr(e.text, "no solution"), "%g: %s", by, e.text);
	for (size_t i = 0; i < ROWS; i++)
		mean += matrix_get(&in[1], i) / ROWS;
	for (size_t i = 0; i < ROWS; i++)
		matrix_set(&in[1], i, matrix_get(&in[1], i) - mean);
	op_run("solve", in, 2, &r, "method", "minres", "preconditioner",
	       preconditioner, NULL);
	ck_assert_double_le(sparse_residual(&in[0], &in[1], &r.out[X], 0),
	                    1.001e-8);
	args_fini(&r);
	fini(in);
}

START_TEST(minres_knows_consistent_systems_of_any_size)
{
	static const double sizes[] = { 1e-200, 1e-9, 1, 1e9, 1e200 };

	for (size_t i = 0; i < COUNT(sizes); i++) {
		singular(sizes[i], "none");
		singular(sizes[i], "jacobi");
	}
}
END_TEST

/* D A D, where D grows from 1 to 10^5: what M makes of it has a size of 1. */
START_TEST(graded_matrices_are_solved)
{
	struct matrix in[2];
	struct args r;

	system_of(LAPLACIAN, FLOAT64, in);
	for (size_t i = 0; i < ROWS; i++)
		for (int64_t k = sparse_starts(&in[0])[i];
		     k < sparse_starts(&in[0])[i + 1]; k++)
			matrix_set(&in[0], (size_t)k,
			           matrix_get(&in[0], (size_t)k) *
			           pow(10, 5.0 / ROWS * ((double)i +
			               sparse_columns(&in[0])[k])));
	op_run("solve", in, 2, &r, "method", "minres", NULL);
	ck_assert_double_le(sparse_residual(&in[0], &in[1], &r.out[X], 0),
	                    1.001e-8);
	args_fini(&r);
	fini(in);
}
END_TEST

/* A is diagonal. Where b is zero its elements are 1e10 times as large as
 * elsewhere, which must not end the iteration. */
START_TEST(equations_that_b_does_not_reach_do_not_count)
{
	static const char *const methods[] = { "minres", "gmres" };

	for (size_t c = 0; c < COUNT(methods); c++) {
		struct matrix in[2];
		struct args r;

		system_of(DIAGONAL, FLOAT64, in);
		for (size_t i = 0; i < ROWS; i++) {
			if (i % 2)
				matrix_set(&in[1], i, 0);
			else
				matrix_set(&in[0], i, 1e-10 *
				           matrix_get(&in[0], i));
		}
		op_run("solve", in, 2, &r, "method", methods[c],
		       "preconditioner", "none", NULL);
		ck_assert_double_le(sparse_residual(&in[0], &in[1], &r.out[X],
		                                    0), 1.001e-8);
		args_fini(&r);
		fini(in);
	}
}
END_TEST

/* The sum of the magnitudes of a row of A overflows. */
START_TEST(the_norm_of_a_may_overflow)
{
	static const char *const methods[] = { "minres", "gmres" };

	for (size_t c = 0; c < COUNT(methods); c++) {
		struct matrix in[2];
		struct args r;

		system_of(LAPLACIAN, FLOAT64, in);
		scale(&in[0], DBL_MAX / 5);
		op_run("solve", in, 2, &r, "method", methods[c],
		       "preconditioner", "none", NULL);
		ck_assert_double_le(sparse_residual(&in[0], &in[1], &r.out[X],
		                                    0), 1e-7);
		args_fini(&r);
		fini(in);
	}
}
END_TEST

/* The reciprocals of A's diagonal overflow before they are scaled. */
START_TEST(diagonals_of_subnormal_numbers_are_inverted)
{
	struct matrix in[2];
	struct args r;

	system_of(LAPLACIAN, FLOAT64, in);
	scale(&in[0], 0x1p-1030);
	scale(&in[1], 0x1p-1000);
	op_run("solve", in, 2, &r, "method", "cg", "preconditioner", "jacobi",
	       NULL);
	ck_assert_double_le(sparse_residual(&in[0], &in[1], &r.out[X], 0),
	                    1.001e-8);
	args_fini(&r);
	fini(in);
}
END_TEST

static void ck_overflow(const char *method, enum dtype t)
{
	const double small = t == FLOAT32 ? 0x1p-100 : 0x1p-900;
	struct matrix in[2];
	struct err e = { 0 };
	struct args r;
	bool beyond = false;

	system_of(LAPLACIAN, t, in);
	scale(&in[0], small);
	scale(&in[1], 1 / small);
	ck_refused(op_try("solve", in, 2, &r, &e, "method", method, "variant",
	                  variant_now, NULL), &e, ERR_CONVERGENCE);
	ck_assert_msg(strstr(e.text, "overflows"), "%s: %s", method, e.text);
	op_run("solve", in, 2, &r, "method", method, "variant", variant_now,
	       "allow_partial", "true", NULL);
	for (size_t i = 0; i < ROWS; i++)
		beyond |= !isfinite(matrix_get(&r.out[X], i));
	ck_assert(beyond);
	ck_assert(matrix_get(&r.out[CONVERGED], 0) == 0);
	ck_assert(isinf(r.verdict.relative_residual));
	args_fini(&r);
	fini(in);
}

static void overflow_each(const struct variant *v)
{
	static const char *const methods[] = { "cg", "minres", "gmres",
	                                       "bicgstab", "jacobi" };

	variant_now = v->name;
	for (size_t i = 0; i < COUNT(methods); i++) {
		ck_overflow(methods[i], FLOAT64);
		ck_overflow(methods[i], FLOAT32);
	}
}

START_TEST(an_x_that_overflows_has_not_converged)
{
	each_variant("solve", overflow_each);
}
END_TEST

/* x is so small that its few digits leave a residual far above the one that the
 * iteration has in its own units. */
static void ck_underflow(const char *method, enum dtype t)
{
	const double small = t == FLOAT32 ? 0x1p-145 : 0x1p-1070;
	struct matrix in[2];
	struct err e = { 0 };
	struct args r;

	system_of(LAPLACIAN, t, in);
	scale(&in[0], 0x1p70);
	scale(&in[1], small * 0x1p70);
	ck_refused(op_try("solve", in, 2, &r, &e, "method", method, "variant",
	                  variant_now, NULL), &e, ERR_CONVERGENCE);
	ck_assert_msg(strstr(e.text, "underflows"), "%s: %s", method, e.text);
	op_run("solve", in, 2, &r, "method", method, "variant", variant_now,
	       "allow_partial", "true", NULL);
	ck_assert(matrix_get(&r.out[CONVERGED], 0) == 0);
	ck_assert_double_eq_tol(r.verdict.relative_residual,
	                        sparse_residual(&in[0], &in[1], &r.out[X], 0),
	                        1e-3 * r.verdict.relative_residual);
	ck_assert_double_ge(r.verdict.relative_residual, 1e-4);
	args_fini(&r);
	fini(in);
}

static void underflow_each(const struct variant *v)
{
	static const char *const methods[] = { "cg", "minres", "gmres",
	                                       "bicgstab", "jacobi" };

	variant_now = v->name;
	for (size_t i = 0; i < COUNT(methods); i++) {
		ck_underflow(methods[i], FLOAT64);
		ck_underflow(methods[i], FLOAT32);
	}
}

START_TEST(the_residual_is_that_of_a_rounded_subnormal_x)
{
	each_variant("solve", underflow_each);
}
END_TEST

/* Large elements of x are no reason to refuse it. */
START_TEST(an_x_near_the_end_of_the_range_has_converged)
{
	struct matrix in[2];
	struct args r;

	system_of(DIAGONAL, FLOAT64, in);
	for (size_t i = 0; i < ROWS; i++)
		matrix_set(&in[1], i, 0.9 * DBL_MAX *
		                      (matrix_get(&in[0], i) / 16));
	scale(&in[0], 1.0 / 16);
	op_run("solve", in, 2, &r, "method", "cg", NULL);
	ck_assert(matrix_get(&r.out[CONVERGED], 0) == 1);
	for (size_t i = 0; i < ROWS; i++)
		ck_assert_double_eq_tol(matrix_get(&r.out[X], i) / DBL_MAX,
		                        0.9, 1e-7);
	args_fini(&r);
	fini(in);
}
END_TEST

void solve_add_iterative_scale_tests(TCase *t)
{
	tcase_add_test(t, the_size_of_a_changes_only_that_of_x);
	tcase_add_test(t, minres_knows_consistent_systems_of_any_size);
	tcase_add_test(t, graded_matrices_are_solved);
	tcase_add_test(t, equations_that_b_does_not_reach_do_not_count);
	tcase_add_test(t, the_norm_of_a_may_overflow);
	tcase_add_test(t, diagonals_of_subnormal_numbers_are_inverted);
	tcase_add_test(t, an_x_that_overflows_has_not_converged);
	tcase_add_test(t, the_residual_is_that_of_a_rounded_subnormal_x);
	tcase_add_test(t, an_x_near_the_end_of_the_range_has_converged);
}

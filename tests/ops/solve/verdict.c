/* verdict.c - what solve reports of its answers: the condition of A as LAPACK
 * computes it, and for a stack the worst one. */
#include <lapacke.h>
#include <math.h>

#include "ops/failure.h"
#include "tests/ops/lu/lu.h"

enum { SMALL_N = 14, LARGE_N = 100 };

static const enum dtype reals[] = { FLOAT32, FLOAT64 };
static const size_t one_side = 1;

/* --- the condition */

/* 1 / (|A| |A^-1|) in the 1-norm, by LAPACK in double. */
static double lapack_rcond(const struct matrix *m)
{
	const int n = (int)matrix_rows(m);
	double *a = calloc((size_t)n * n, sizeof *a), norm, inverse;
	lapack_int *p = calloc(n, sizeof *p);

	for (size_t i = 0; i < (size_t)n * n; i++)
		a[i] = matrix_get(m, i);
	norm = LAPACKE_dlange(LAPACK_ROW_MAJOR, '1', n, n, a, n);
	ck_assert_int_eq(LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, a, n, p), 0);
	ck_assert_int_eq(LAPACKE_dgetri(LAPACK_ROW_MAJOR, n, a, n, p), 0);
	inverse = LAPACKE_dlange(LAPACK_ROW_MAJOR, '1', n, n, a, n);
	free(a);
	free(p);
	return 1 / norm / inverse;
}

static void check_rcond(const struct variant *v, const struct matrix *a)
{
	const size_t n = matrix_rows(a);
	struct matrix b = random_matrix(a->dtype, 5, 1, n);
	const struct matrix in[] = { *a, b };
	const double wanted = lapack_rcond(a);
	struct args x;

	op_run("solve", in, 2, &x, "variant", v->name, NULL);
	ck_assert_msg(x.verdict.rcond >= 0.9 * wanted &&
	              x.verdict.rcond <= 10 * wanted,
	              "%s, %s, n %zu: rcond %g, in truth %g", v->name,
	              dtype_name(a->dtype), n, x.verdict.rcond, wanted);
	ck_assert_int_eq(x.verdict.ill_conditioned == 1,
	                 x.verdict.rcond < dtype_epsilon(a->dtype));
	ck_assert(isnan(x.verdict.stalled));
	args_fini(&x);
	matrix_fini(&b);
}

static void check_conditions(const struct variant *v, enum dtype t, size_t n)
{
	static const int types[] = { TYPE_DIAGONAL, TYPE_UPPER, TYPE_RANDOM,
	                             TYPE_ILL, TYPE_UNDERFLOW,
	                             TYPE_OVERFLOW };
	struct matrix a;

	for (size_t k = 0; k < COUNT(types); k++) {
		a = type_matrix(types[k], t, n, n, 7);
		check_rcond(v, &a);
		matrix_fini(&a);
	}
}

static void conditions(const struct variant *v)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		check_conditions(v, reals[t], 1);
		check_conditions(v, reals[t], SMALL_N);
		check_conditions(v, reals[t], LARGE_N);
	}
}

START_TEST(rcond_is_lapacks_within_a_small_factor)
{
	each_variant("solve", conditions);
}
END_TEST

/* --- matrices that are singular to working precision */

static struct matrix hilbert(enum dtype t, size_t n)
{
	struct matrix a = random_matrix(t, 1, 2, n, n);

	for (size_t i = 0; i < n * n; i++)
		matrix_set(&a, i, 1. / (double)(i / n + i % n + 1));
	return a;
}

static struct matrix row_sums(const struct matrix *a)
{
	const size_t n = matrix_rows(a);
	struct matrix b = random_matrix(a->dtype, 1, 1, n);

	for (size_t i = 0; i < n; i++) {
		double sum = 0;

		for (size_t j = 0; j < n; j++)
			sum += matrix_get(a, i * n + j);
		matrix_set(&b, i, sum);
	}
	return b;
}

static double distance_from_ones(const struct matrix *x)
{
	double error = 0, size = 0;

	for (size_t i = 0; i < matrix_elements(x); i++) {
		error = fmax(error, fabs(matrix_get(x, i) - 1));
		size = fmax(size, fabs(matrix_get(x, i)));
	}
	return error / size;
}

static void check_hilbert(const struct variant *v, enum dtype t, size_t n)
{
	const struct matrix a = hilbert(t, n), b = row_sums(&a);
	struct matrix in[] = { a, b };
	struct args x;

	op_run("solve", in, 2, &x, "variant", v->name, NULL);
	ck_assert_double_eq(x.verdict.ill_conditioned, 1);
	ck_assert_double_lt(x.verdict.rcond, dtype_epsilon(t));
	ck_assert_double_ge(x.verdict.forward_error,
	                    distance_from_ones(&x.out[0]));
	ck_assert_double_gt(x.verdict.forward_error, 0.1);
	args_fini(&x);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

static void hilberts(const struct variant *v)
{
	check_hilbert(v, FLOAT64, 14);
	check_hilbert(v, FLOAT64, 16);
	check_hilbert(v, FLOAT64, 70);
	check_hilbert(v, FLOAT32, 9);
	check_hilbert(v, FLOAT32, 14);
	check_hilbert(v, FLOAT32, 70);
}

START_TEST(hilberts_matrices_are_told_to_be_ill_conditioned)
{
	each_variant("solve", hilberts);
}
END_TEST

/* --- stacks */

/* Copies an n x n matrix into a stack, and frees it. */
static void place(struct matrix *stack, size_t i, struct matrix m)
{
	const size_t each = matrix_elements(&m);

	for (size_t k = 0; k < each; k++)
		matrix_set(stack, i * each + k, matrix_get(&m, k));
	matrix_fini(&m);
}

enum { GOOD, SINGULAR_ONE, ILL, NONFINITE, GOOD_TOO, MEMBERS };

static struct matrix mixed_stack(enum dtype t, size_t n)
{
	const size_t members = MEMBERS;
	struct matrix a = random_matrix(t, 6, 3, members, n, n);

	place(&a, SINGULAR_ONE, type_matrix(TYPE_LAST_COLUMN_ZERO, t, n, n,
	                                    1));
	place(&a, ILL, hilbert(t, n));
	matrix_set(&a, NONFINITE * n * n + 1, NAN);
	return a;
}

/* Asserts that the system has the x that it has when solved alone. */
static void check_alone(const struct variant *v, const struct args *all,
                        size_t i, size_t n)
{
	struct matrix in[] = { random_matrix(all->dtype, 1, 2, n, n),
	                       random_matrix(all->dtype, 2, 1, n) };
	struct args x;

	for (size_t k = 0; k < n * n; k++)
		matrix_set(&in[0], k, matrix_get(&all->in[0], i * n * n + k));
	op_run("solve", in, 2, &x, "variant", v->name, NULL);
	for (size_t k = 0; k < n; k++)
		ck_assert_double_eq_tol(matrix_get(&x.out[0], k),
		    matrix_get(&all->out[0], i * n + k),
		    1e3 * dtype_epsilon(all->dtype));
	ck_assert_double_ge(x.verdict.rcond, all->verdict.rcond);
	args_fini(&x);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

static void check_stack(const struct variant *v, enum dtype t, size_t n)
{
	struct matrix in[] = { mixed_stack(t, n),
	                       random_matrix(t, 2, 2, n, one_side) };
	struct args x;

	op_run("solve", in, 2, &x, "variant", v->name, NULL);
	for (size_t i = 0; i < MEMBERS; i++)
		ck_assert_int_eq(args_has_failed(&x, i),
		                 i == SINGULAR_ONE || i == NONFINITE);
	ck_assert(isnan(matrix_get(&x.out[0], SINGULAR_ONE * n)));
	ck_assert(isnan(matrix_get(&x.out[0], NONFINITE * n + n - 1)));
	ck_assert_double_eq(x.verdict.ill_conditioned, 1);
	ck_assert_double_lt(x.verdict.rcond, dtype_epsilon(t));
	ck_assert_double_gt(x.verdict.rcond, 0);
	check_alone(v, &x, GOOD, n);
	check_alone(v, &x, GOOD_TOO, n);
	args_fini(&x);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

static void stacks(const struct variant *v)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		check_stack(v, reals[t], SMALL_N + 2);
		check_stack(v, reals[t], LARGE_N);
	}
}

START_TEST(a_stack_tells_the_worst_of_those_that_have_an_answer)
{
	each_variant("solve", stacks);
}
END_TEST

/* A right-hand side with a NaN affects only the systems that have it. */
static void bad_side(const struct variant *v)
{
	const size_t n = 20, stack = 3;
	struct matrix in[] = { random_matrix(FLOAT64, 1, 2, n, n),
	                       random_matrix(FLOAT64, 2, 3, stack, n,
	                                     one_side) };
	struct args x;

	matrix_set(&in[1], n + 3, INFINITY);
	op_run("solve", in, 2, &x, "variant", v->name, NULL);
	for (size_t i = 0; i < stack; i++)
		ck_assert_int_eq(args_has_failed(&x, i), i == 1);
	ck_assert_double_lt(x.verdict.residual, THRESHOLD);
	ck_assert(isfinite(x.verdict.forward_error));
	args_fini(&x);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

START_TEST(a_nan_among_the_right_sides_fails_alone)
{
	each_variant("solve", bad_side);
}
END_TEST

/* --- no verdict */

static void unjudged(const struct variant *v)
{
	for (size_t n = 10; n <= 100; n += 90) {
		struct matrix in[] = { random_matrix(FLOAT64, 1, 2, n, n),
		                       random_matrix(FLOAT64, 2, 1, n) };
		struct args x, y;

		op_run("solve", in, 2, &x, "variant", v->name, "quality",
		       "none", NULL);
		ck_assert(isnan(x.verdict.residual));
		ck_assert(isnan(x.verdict.rcond));
		ck_assert(isnan(x.verdict.forward_error));
		op_run("solve", in, 2, &y, "variant", v->name, NULL);
		for (size_t i = 0; i < n; i++)
			ck_assert_double_eq_tol(matrix_get(&x.out[0], i),
			                        matrix_get(&y.out[0], i),
			                        1e-13);
		args_fini(&x);
		args_fini(&y);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}

START_TEST(without_quality_the_answer_is_the_same)
{
	each_variant("solve", unjudged);
}
END_TEST

/* The probes are further right-hand sides; in the kernels they may share a
 * vector with B's own. */
static void sides_in(const struct variant *v)
{
	static const size_t sides[] = { 1, 3, 12, 15, 17, 20, 40 };
	struct matrix in[2];
	double first = 0;

	in[0] = random_matrix(FLOAT64, 5, 2, (size_t)130, (size_t)130);
	for (size_t i = 0; i < COUNT(sides); i++) {
		struct args r;

		in[1] = random_matrix(FLOAT64, 6, 2, (size_t)130, sides[i]);
		op_run("solve", in, 2, &r, "variant", v->name, NULL);
		first = i ? first : r.verdict.rcond;
		ck_assert_double_eq_tol(r.verdict.rcond, first, 0.5 * first);
		args_fini(&r);
		matrix_fini(&in[1]);
	}
	matrix_fini(&in[0]);
}

START_TEST(rcond_does_not_depend_on_the_right_hand_sides)
{
	each_variant("solve", sides_in);
}
END_TEST

/* All of x underflows: its relative error is infinite, but the condition of A
 * is 3. */
static void underflow_in(const struct variant *v)
{
	struct matrix in[] = {
		random_matrix(FLOAT32, 1, 2, (size_t)2, (size_t)2),
		random_matrix(FLOAT32, 1, 1, (size_t)2),
	};
	struct args r;

	for (size_t i = 0; i < 4; i++)
		matrix_set(&in[0], i, ldexp(i == 0 || i == 3 ? 2 : 1, 90));
	for (size_t i = 0; i < 2; i++)
		matrix_set(&in[1], i, ldexp(1, -90));
	op_run("solve", in, 2, &r, "variant", v->name, NULL);
	ck_assert_double_eq(matrix_get(&r.out[0], 0), 0);
	ck_assert_double_eq_tol(r.verdict.rcond, 1 / 3.0, 0.01);
	ck_assert_msg(!isfinite(r.verdict.forward_error), "%s: %g", v->name,
	              r.verdict.forward_error);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

START_TEST(an_x_that_underflows_does_not_make_a_ill_conditioned)
{
	each_variant("solve", underflow_in);
}
END_TEST

/* The norm of A overflows; A's condition is 3. */
START_TEST(a_norm_beyond_float64_does_not_make_a_ill_conditioned)
{
	static const char *const structures[] = { "symmetric", "spd" };
	const double far = 0x1.8p1023;
	struct matrix in[] = {
		matrix_of(FLOAT64, (double[]){ far, far / 2, far / 2, far }, 2,
		          (size_t)2, (size_t)2),
		random_matrix(FLOAT64, 1, 1, (size_t)2),
	};
	struct matrix known[4] = { { .ndim = MATRIX_ABSENT } };
	struct args f, r;

	for (size_t i = 0; i < COUNT(structures); i++) {
		op_run("solve", in, 2, &r, "structure", structures[i], NULL);
		ck_assert_double_eq_tol(r.verdict.rcond, 1 / 3.0, 0.01);
		args_fini(&r);
	}
	op_run("lu", in, 1, &f, NULL);
	known[1] = in[1];
	known[2] = f.out[0];
	known[3] = f.out[1];
	op_run("solve", known, 4, &r, NULL);
	ck_assert_double_eq_tol(r.verdict.rcond, 1 / 3.0, 0.01);
	args_fini(&r);
	args_fini(&f);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

void solve_add_verdict_tests(TCase *t)
{
	tcase_add_test(t,
	    a_norm_beyond_float64_does_not_make_a_ill_conditioned);
	tcase_add_test(t, an_x_that_underflows_does_not_make_a_ill_conditioned);
	tcase_add_test(t, rcond_does_not_depend_on_the_right_hand_sides);
	tcase_add_test(t, rcond_is_lapacks_within_a_small_factor);
	tcase_add_test(t, hilberts_matrices_are_told_to_be_ill_conditioned);
	tcase_add_test(t, a_stack_tells_the_worst_of_those_that_have_an_answer);
	tcase_add_test(t, a_nan_among_the_right_sides_fails_alone);
	tcase_add_test(t, without_quality_the_answer_is_the_same);
}

/* eigen.c - small matrices whose dominant pair is known. */
#include <math.h>

#include "tests/ops/eigen/eigen.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

static const char *method = "auto";	/* changed by the tests of methods */

double eigen_get(const struct args *a, int output)
{
	return matrix_get(&a->out[output], 0);
}

/* |A v - lambda v| / (|A| n eps), where |A| is the largest row sum. */
static double residual_ratio(const struct matrix *a, const struct args *r)
{
	const size_t n = matrix_rows(a);
	double error = 0, norm = 0;

	for (size_t i = 0; i < n; i++) {
		double sum = 0, all = 0;

		for (size_t j = 0; j < n; j++) {
			const double x = matrix_get(a, i * n + j);

			sum += x * matrix_get(&r->out[VECTOR], j);
			all += fabs(x);
		}
		sum -= eigen_get(r, VALUE) * matrix_get(&r->out[VECTOR], i);
		error += sum * sum;
		norm = fmax(norm, all);
	}
	return norm == 0 ? 0 : sqrt(error) / norm / (double)n /
	       dtype_epsilon(r->dtype);
}

void eigen_assert_unit_vector(const struct matrix *v)
{
	const size_t n = matrix_elements(v);
	double sum = 0, big = 0;

	for (size_t i = 0; i < n; i++) {
		const double x = matrix_get(v, i);

		sum += x * x;
		if (fabs(x) > fabs(big))
			big = x;
	}
	ck_assert_double_eq_tol(sqrt(sum), 1, (double)n *
	                        dtype_epsilon(v->dtype));
	ck_assert_double_gt(big, 0);
}

double eigen_default_tol(enum dtype t)
{
	return t == FLOAT32 ? 1e-5 : 1e-8;
}

/* Returns |A v - lambda v| of a pair that may be complex, and sets *length to
 * |v|. */
static double residual_of(const struct matrix *a, const struct args *r,
                          double *length)
{
	const size_t n = matrix_rows(a);
	const struct matrix *v = &r->out[VECTOR];
	const double re = eigen_get(r, VALUE);
	const double im = matrix_get_imaginary(&r->out[VALUE], 0);
	double error = 0, size = 0;

	for (size_t i = 0; i < n; i++) {
		const double x = matrix_get(v, i);
		const double y = matrix_get_imaginary(v, i);
		double p = im * y - re * x, q = -re * y - im * x;

		for (size_t j = 0; j < n; j++) {
			p += matrix_get(a, i * n + j) * matrix_get(v, j);
			q += matrix_get(a, i * n + j) *
			     matrix_get_imaginary(v, j);
		}
		error = hypot(error, hypot(p, q));
		size = hypot(size, hypot(x, y));
	}
	*length = size;
	return error;
}

void eigen_assert_complex(const struct matrix *a, const struct args *r,
                          double re, double im, double slack)
{
	const size_t n = matrix_rows(a);
	const struct matrix *v = &r->out[VECTOR];
	const double size = hypot(re, im), tol = eigen_default_tol(r->dtype);
	const double x = eigen_get(r, VALUE);
	const double y = matrix_get_imaginary(&r->out[VALUE], 0);
	double length, most = 0;
	size_t k = 0;

	ck_assert_msg(hypot(x - re, y - im) <= slack * size, "n = %zu: %.17g + "
	              "%.17gi, not %.17g + %.17gi", n, x, y, re, im);
	ck_assert_double_le(residual_of(a, r, &length), tol * size);
	ck_assert_double_eq_tol(length, 1, (double)n *
	                        dtype_epsilon(r->dtype));
	for (size_t i = 0; i < n; i++)
		if (hypot(matrix_get(v, i), matrix_get_imaginary(v, i)) >
		    most) {
			most = hypot(matrix_get(v, i),
			             matrix_get_imaginary(v, i));
			k = i;
		}
	ck_assert_double_gt(matrix_get(v, k), 0);
	ck_assert_double_eq(matrix_get_imaginary(v, k), 0);
	ck_assert_double_eq(eigen_get(r, CONVERGED), 1);
}

void eigen_assert_pair(const struct matrix *a, const struct args *r,
                        double lambda, double slack)
{
	const size_t n = matrix_rows(a);
	const double value = eigen_get(r, VALUE);
	const double tol = eigen_default_tol(r->dtype);
	const double tight = residual_ratio(a, r) * (double)n *
	                     dtype_epsilon(r->dtype);

	ck_assert_msg(fabs(value - lambda) <= slack * fabs(lambda),
	              "n = %zu: %.17g, not %.17g", n, value, lambda);
	ck_assert_double_lt(tight, tol + 30 * (double)n *
	                    dtype_epsilon(r->dtype));
	ck_assert_double_eq(eigen_get(r, CONVERGED), 1);
	ck_assert_double_ge(eigen_get(r, ITERATIONS), 1);
	eigen_assert_unit_vector(&r->out[VECTOR]);
	if (r->want >> BRACKET & 1) {
		ck_assert_double_le(matrix_get(&r->out[BRACKET], 0),
		    lambda + 30 * (double)n * DBL_EPSILON * lambda);
		ck_assert_double_ge(matrix_get(&r->out[BRACKET], 1),
		    lambda - 30 * (double)n * DBL_EPSILON * lambda);
	}
}

/* Checks the answer for a small matrix in both types. If `tie`, lambda may have
 * either sign. */
static void small(const double *x, size_t n, double lambda, bool tie)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		struct matrix a = matrix_of(reals[t], x, 2, n, n);
		struct args r;

		op_run("eigen", &a, 1, &r, "method", method, NULL);
		eigen_assert_pair(&a, &r, tie ? eigen_get(&r, VALUE) : lambda,
		            1.01 * eigen_default_tol(reals[t]));
		ck_assert_double_le(
		    fabs(fabs(eigen_get(&r, VALUE)) - fabs(lambda)),
		    1.01 * eigen_default_tol(reals[t]) * fabs(lambda));
		ck_assert_msg((r.want >> TIE & 1) == tie, "tie of %g", lambda);
		args_fini(&r);
		matrix_fini(&a);
	}
}

static void refused(const double *x, size_t n, enum err_code code)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		struct matrix a = matrix_of(reals[t], x, 2, n, n);
		struct err e = { 0 };
		struct args r;

		ck_refused(op_try("eigen", &a, 1, &r, &e, "method", method,
		                  NULL), &e, code);
		matrix_fini(&a);
	}
}

#define SMALL(n, lambda, tie, ...) \
	small((const double[]){ __VA_ARGS__ }, n, lambda, tie)
#define REFUSED(n, code, ...) \
	refused((const double[]){ __VA_ARGS__ }, n, code)

START_TEST(negative_and_mixed_signs_are_answered_with_their_sign)
{
	SMALL(1, -7, false, -7);
	SMALL(1, 7, false, 7);
	SMALL(2, -4, false, -3, 1, 1, -3);
	SMALL(2, 3, false, 1, -2, -2, 1);
	SMALL(2, -5, false, -5, 0, 0, 3);
	SMALL(3, 7.5311288741492746, false, 1, 1, 2, 2, 1, 3, 2, 3, 5);
	SMALL(3, 9.6234753829797978, false, 1, 2, 3, 2, 3, 4, 3, 4, 5);
}
END_TEST

START_TEST(zero_rows_and_reducible_matrices_are_no_obstacle)
{
	SMALL(2, 2, false, 1, 0, 0, 2);
	SMALL(2, 3, false, 2, 1, 0, 3);
	SMALL(2, 3, false, 3, 0, 1, 2);
	SMALL(3, 5, false, 1, 2, 0, 2, 4, 0, 1, 1, 0);
	SMALL(3, 5, false, 0, 0, 0, 1, 1, 2, 1, 2, 4);
	/* These have two blocks, the dominant one last. */
	SMALL(4, 7, false, 1, 2, 0, 0, 2, 1, 0, 0, 0, 0, 3, 4, 0, 0, 4, 3);
	SMALL(4, -7, false, 1, 2, 0, 0, 2, 1, 0, 0, 0, 0, -3, 4, 0, 0, 4, -3);
	/* The dominant vector is orthogonal to the start vector of ones. */
	SMALL(3, 9, false, 5, -4, 0, -4, 5, 0, 0, 0, 2);
}
END_TEST

START_TEST(nilpotent_matrices_have_zero)
{
	SMALL(1, 0, false, 0);
	SMALL(2, 0, true, 0, 0, 0, 0);
	SMALL(2, 0, true, 0, 1, 0, 0);
	SMALL(2, 0, true, 0, 0, -1, 0);
	SMALL(3, 0, true, 0, 1, 0, 0, 0, 1, 0, 0, 0);
	SMALL(2, 0, true, 1, -1, 1, -1);
	SMALL(3, 0, true, -1, -1, 1, 1, -1, 0, -2, -2, 2);
	/* This one is triangular only after a permutation. */
	SMALL(3, 0, true, 0, 0, 0, 1, 0, 2, 1, 0, 0);
}
END_TEST

START_TEST(defective_matrices_have_their_one_eigenvalue)
{
	SMALL(2, 1, true, 1, 1, 0, 1);
	SMALL(2, -2, true, -2, 1, 0, -2);
	/* (x - 2)^2: A is neither triangular nor non-negative. */
	SMALL(2, 2, true, 3, 1, -1, 1);
	/* This is the companion matrix of (x + 3)^3. */
	SMALL(3, -3, true, 0, 1, 0, 0, 0, 1, -27, -27, -9);
}
END_TEST

START_TEST(ties_are_answered_and_told)
{
	static const double swap[] = { 0, 1, 4, 0 };
	struct matrix a = matrix_of(FLOAT64, swap, 2, (size_t)2, (size_t)2);
	struct args r;

	op_run("eigen", &a, 1, &r, NULL);
	ck_assert_double_eq_tol(fabs(eigen_get(&r, VALUE)), 2, 1e-7);
	args_fini(&r);
	matrix_fini(&a);
	SMALL(2, 5, true, 5, 0, 0, -5);
	SMALL(2, 5, true, 3, 4, 4, -3);
	/* The eigenvalues are 1, i and -i. */
	SMALL(3, 1, true, 1, 0, 0, 0, 0, 1, 0, -1, 0);
}
END_TEST

START_TEST(multiple_eigenvalues_are_ties)
{
	SMALL(1, 1, false, 1);
	SMALL(2, 1, true, 1, 0, 0, 1);
	SMALL(3, 5, true, 5, 0, 0, 0, 5, 0, 0, 0, 1);
	SMALL(3, -5, true, -5, 0, 0, 0, 1, 0, 0, 0, -5);
	SMALL(3, 5, false, 5, 0, 0, 0, 4, 0, 0, 0, 1);
	/* A has 3 twice and -3 once; then each of two blocks has 3. */
	SMALL(3, 3, true, 1, 2, -2, 2, 1, 2, -2, 2, 1);
	SMALL(4, 3, true, 1, 2, 0, 0, 2, 1, 0, 0, 0, 0, 2, 1, 0, 0, 1, 2);
	/* A block with Perron root 2 is coupled to one with root 3. */
	SMALL(4, 3, false, 1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 2, 0, 0, 2, 1);
	/* The graph is a cycle of three nodes and a cycle of two. */
	SMALL(5, 1, true, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0,
	      0, 0, 0, 0, 1, 0, 0, 1, 0, 0);
}
END_TEST

/* Checks the complex pair of a small matrix in both types. */
static void pair(const double *x, size_t n, double re, double im, bool tie)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		struct matrix a = matrix_of(reals[t], x, 2, n, n);
		struct args r;

		op_run("eigen", &a, 1, &r, "method", method, NULL);
		ck_assert_int_eq(r.out[VALUE].dtype, COMPLEX128);
		ck_assert_int_eq(r.out[VECTOR].dtype, t == 0 ? COMPLEX64 :
		                                               COMPLEX128);
		eigen_assert_complex(&a, &r, re, im,
		                     1.01 * eigen_default_tol(reals[t]));
		ck_assert_int_eq(r.want >> TIE & 1, tie);
		ck_assert(!(r.want >> BRACKET & 1));
		args_fini(&r);
		matrix_fini(&a);
	}
}

#define PAIR(n, re, im, tie, ...) \
	pair((const double[]){ __VA_ARGS__ }, n, re, im, tie)

START_TEST(complex_dominant_pairs_are_answered)
{
	static const char *const methods[] = { "auto", "krylov" };

	for (size_t i = 0; i < COUNT(methods); i++) {
		method = methods[i];
		PAIR(2, 0, 1, false, 0, 1, -1, 0);
		PAIR(2, 1, 2, false, 1, 2, -2, 1);
		PAIR(3, 0, 3, false, 0, 3, 0, -3, 0, 0, 0, 0, 2);
		PAIR(3, -0.24316294, 1.13972195, false, 0, 1, 0, 0, 0, 1, 1,
		     -1, 0.25);
		/* Two conjugate pairs have the modulus 5. */
		PAIR(4, 3, 4, true, 3, 4, 0, 0, -4, 3, 0, 0, 0, 0, 3, -4, 0,
		     0, 4, 3);
	}
	method = "auto";
}
END_TEST

START_TEST(extreme_scales_neither_overflow_nor_vanish)
{
	static const double x[] = { 1, 2, 3, 2, 3, 4, 3, 4, 5 };
	static const double scale[] = { 1e300, 1e-300, 1e-320, -1e300,
		-1e-300 };

	for (size_t k = 0; k < COUNT(scale); k++) {
		struct matrix a = matrix_of(FLOAT64, x, 2, (size_t)3,
		                            (size_t)3);
		struct args r;

		for (size_t i = 0; i < 9; i++)
			matrix_set(&a, i, x[i] * scale[k]);
		op_run("eigen", &a, 1, &r, "method", method, NULL);
		/* Denormal elements carry few digits. */
		ck_assert_double_eq_tol(eigen_get(&r, VALUE) / scale[k],
		    9.6234753829797978, fabs(scale[k]) < 1e-310 ? 1e-2 : 1e-6);
		args_fini(&r);
		matrix_fini(&a);
	}
}
END_TEST

START_TEST(krylov_answers_small_matrices_that_auto_takes_shortcuts_for)
{
	method = "krylov";
	SMALL(1, -7, false, -7);
	SMALL(2, 2, false, 1, 0, 0, 2);
	SMALL(2, 3, false, 2, 1, 0, 3);
	SMALL(2, 5, true, 5, 0, 0, -5);
	SMALL(2, 2, true, 0, 1, 4, 0);
	SMALL(2, 1, true, 1, 1, 0, 1);
	SMALL(2, 0, true, 0, 1, 0, 0);
	SMALL(3, 0, true, 0, 1, 0, 0, 0, 1, 0, 0, 0);
	method = "auto";
}
END_TEST

START_TEST(similarity_shifts_cyclic_matrices_and_refuses_negative_ones)
{
	method = "similarity";
	SMALL(2, 2, true, 0, 1, 4, 0);
	SMALL(3, 2, true, 0, 1, 0, 0, 0, 2, 4, 0, 0);
	SMALL(3, 5, false, 1, 2, 0, 2, 4, 0, 1, 1, 0);
	SMALL(3, 0, true, 0, 1, 0, 0, 0, 1, 0, 0, 0);
	REFUSED(2, ERR_MATHEMATICS, 1, 2, 3, -1);
	method = "auto";
}
END_TEST

/* The matrix is 0.2 I + P, where P is a scaled cycle of three. Its largest
 * eigenvalue is 1.2. The others are complex and have the modulus 0.92, but
 * momentum makes their components grow faster than the dominant one. */
START_TEST(complex_neighbours_of_a_perron_root_do_not_mislead)
{
	method = "similarity";
	SMALL(3, 1.2, false, 0.2, 2, 0, 0, 0.2, 2, 0.25, 0, 0.2);
	method = "auto";
	SMALL(3, 1.2, false, 0.2, 2, 0, 0, 0.2, 2, 0.25, 0, 0.2);
}
END_TEST

TCase *tcase_eigen(void)
{
	static void (*const parts[])(TCase *c) = {
		eigen_lapack_tests, eigen_structure_tests, eigen_limit_tests,
		eigen_seed_tests, eigen_step_tests, eigen_balance_tests,
		eigen_decision_tests, eigen_several_tests, eigen_choice_tests,
		eigen_batch_tests, eigen_promise_tests, eigen_large_tests,
		eigen_banded_tests, eigen_reflection_tests,
		eigen_tridiagonal_tests, eigen_pencil_tests,
		eigen_pencil_end_tests, eigen_interval_tests,
	};
	TCase *c = tcase_create("eigen");

	tcase_add_test(c,
	    negative_and_mixed_signs_are_answered_with_their_sign);
	tcase_add_test(c, zero_rows_and_reducible_matrices_are_no_obstacle);
	tcase_add_test(c, nilpotent_matrices_have_zero);
	tcase_add_test(c, defective_matrices_have_their_one_eigenvalue);
	tcase_add_test(c, ties_are_answered_and_told);
	tcase_add_test(c, multiple_eigenvalues_are_ties);
	tcase_add_test(c, complex_dominant_pairs_are_answered);
	tcase_add_test(c, extreme_scales_neither_overflow_nor_vanish);
	tcase_add_test(c,
	    krylov_answers_small_matrices_that_auto_takes_shortcuts_for);
	tcase_add_test(c,
	    similarity_shifts_cyclic_matrices_and_refuses_negative_ones);
	tcase_add_test(c, complex_neighbours_of_a_perron_root_do_not_mislead);
	for (size_t i = 0; i < COUNT(parts); i++)
		parts[i](c);
	return c;
}

/* complex_range.c - complex matrices whose elements are near the ends of the
 * range of their type, where moduli and their squares overflow. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "matrix/complex.h"
#include "tests/ops/complex.h"

/* A 2 x 2 matrix of the elements a, b; c, d. */
static struct matrix of_four(number a, number b, number c, number d)
{
	struct matrix x = random_complex(COMPLEX128, 1, 2, 2);

	complex_set(&x, 0, a);
	complex_set(&x, 1, b);
	complex_set(&x, 2, c);
	complex_set(&x, 3, d);
	return x;
}

/* The second pivot is 1 - 2 10^400, which becomes NaN. */
START_TEST(overflow_does_not_hide_that_a_matrix_is_indefinite)
{
	const number far = complex_of(1e200, 1e200);
	struct matrix in[] = {
		of_four(1, conj(far), far, 1),
		random_complex(COMPLEX128, 2, 2, 1),
	};
	struct args r;
	struct err e = { 0 };

	ck_refused(op_try("cholesky", in, 1, &r, &e, NULL), &e,
	           ERR_NOT_POSITIVE);
	ck_assert_msg(strstr(e.text, "order 2"), "%s", e.text);
	ck_refused(op_try("solve", in, 2, &r, &e, "structure", "spd", NULL),
	           &e, ERR_NOT_POSITIVE);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

/* The modulus of an element overflows, but not its parts. */
START_TEST(a_finite_element_is_not_taken_for_an_infinite_one)
{
	struct matrix x = of_four(1, 0, complex_of(1.5e308, 1.5e308), 1);
	struct args r;
	struct err e = { 0 };

	ck_refused(op_try("cholesky", &x, 1, &r, &e, NULL), &e,
	           ERR_NOT_POSITIVE);
	matrix_fini(&x);
}
END_TEST

/* The inverse of 10^308 (1 + i) is a denormal number. */
START_TEST(pivots_near_the_end_of_the_range_are_divided_by)
{
	const number far = complex_of(1e308, 1e308);
	struct matrix x = of_four(far, 1, far, 5);
	struct args r;

	op_run("lu", &x, 1, &r, NULL);
	ck_assert_double_lt(cabs(complex_at(&r.out[0], 2) - 1), 1e-15);
	ck_assert_double_lt(cabs(complex_at(&r.out[0], 3) - 4), 1e-15);
	args_fini(&r);
	matrix_fini(&x);
}
END_TEST

/* The norm of the matrix overflows. */
static void ck_condition(const char *name, const struct matrix *in,
                         int operands)
{
	struct args r;

	op_run(name, in, operands, &r, NULL);
	ck_assert_double_eq_tol(r.verdict.rcond, 0.3889, 1e-3);
	args_fini(&r);
}

START_TEST(large_elements_do_not_make_a_matrix_ill_conditioned)
{
	const number far = complex_of(1.5e308, 0);
	struct matrix in[] = {
		of_four(far, far / 2, far / 4, far),
		random_complex(COMPLEX128, 2, 2, 1),
	};
	struct matrix real = random_matrix(FLOAT64, 1, 2, (size_t)2, (size_t)2);

	for (size_t i = 0; i < 4; i++)
		matrix_set(&real, i, matrix_get(&in[0], i));
	ck_condition("inverse", in, 1);
	ck_condition("solve", in, 2);
	ck_condition("inverse", &real, 1);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
	matrix_fini(&real);
}
END_TEST

/* The modulus of the first element, which is the largest singular value, is
 * finite, but its square overflows, and so does the sum of its parts. */
START_TEST(large_moduli_have_singular_values)
{
	const number far = complex_of(1.2e308, 1.2e308);
	struct matrix in[] = {
		of_four(far, 0, 0, 1e300), random_complex(COMPLEX128, 2, 2, 1),
	};
	struct args r;

	op_run("svd", in, 1, &r, "vectors", "thin", NULL);
	ck_assert_double_eq_tol(matrix_get(&r.out[1], 0) / 1e308,
	                        1.2 * sqrt(2), 1e-14);
	ck_assert_double_eq_tol(matrix_get(&r.out[1], 1) / 1e300, 1, 1e-14);
	ck_ratios(&r);
	args_fini(&r);
	complex_set(&in[1], 0, far);
	complex_set(&in[1], 1, 1e300);
	op_run("lstsq", in, 2, &r, NULL);
	for (size_t i = 0; i < 2; i++)
		ck_assert_double_lt(cabs(complex_at(&r.out[0], i) - 1), 1e-14);
	ck_ratios(&r);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(zeros_have_a_least_squares_residual_of_0)
{
	struct matrix in[] = {
		of_four(0, 0, 0, 0), random_complex(COMPLEX128, 2, 2, 1),
	};
	struct args r;

	op_run("lstsq", in, 2, &r, NULL);
	ck_assert_double_eq(r.verdict.residual, 0);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

/* U's last element, -2^-200, is 0 in complex64. */
START_TEST(lu_is_singular_as_it_is_answered)
{
	struct matrix x = random_complex(COMPLEX64, 1, 2, 2);
	struct args a;

	for (size_t i = 0; i < 4; i++)
		complex_set(&x, i, i == 0 ? 1 : i == 3 ? 0 : 0x1p-100);
	op_run("lu", &x, 1, &a, NULL);
	ck_assert(matrix_get(&a.out[2], 0) == 1);
	args_fini(&a), matrix_fini(&x);
}
END_TEST

/* A hermitian positive definite matrix of complex64, multiplied by 2^k. */
static struct matrix definite(size_t n, int k)
{
	struct matrix x = random_complex(COMPLEX64, 1, n, n);

	for (size_t i = 0; i < n; i++) {
		complex_set(&x, i * (n + 1), ldexp((double)(2 * n), k));
		for (size_t j = 0; j < i; j++) {
			const number z = complex_element(&x, i, j);

			complex_set(&x, i * n + j, complex_of(
			    ldexp(creal(z), k), ldexp(cimag(z), k)));
			complex_set(&x, j * n + i, conj(complex_element(&x, i,
			                                                j)));
		}
	}
	return x;
}

/* Returns the logarithm of the determinant of that matrix. */
static double logarithm(const struct matrix *x)
{
	struct args r;
	double log_of;

	op_run("det", x, 1, &r, NULL);
	ck_ratios(&r);
	log_of = matrix_get(&r.out[2], 0);
	args_fini(&r);
	return log_of;
}

/* The largest elements are near 2^k, from the smallest numbers that have all
 * their digits to those of which the sums of two overflow. */
START_TEST(matrices_of_complex64_have_answers_in_its_whole_range)
{
	static const char *const names[] = { "cholesky", "lu", "inverse",
	                                     "qr", "svd", "solve" };
	enum { N = 20 };
	struct matrix near = definite(N, 0);
	const double want = logarithm(&near);

	matrix_fini(&near);
	for (int k = -120; k <= 120; k += 20) {
		struct matrix in[] = {
			definite(N, k), random_complex(COMPLEX64, 2, N, 3),
		};
		struct args r;

		for (size_t i = 0; i < COUNT(names); i++) {
			op_run(names[i], in, i == 5 ? 2 : 1, &r, "quality",
			       "full", NULL);
			ck_ratios(&r);
			args_fini(&r);
		}
		op_run("solve", in, 2, &r, "structure", "spd", NULL);
		ck_ratios(&r);
		args_fini(&r);
		ck_assert_double_eq_tol(logarithm(&in[0]),
		                        want + N * k * log(2), 1e-3);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

/* Elimination leaves 2^-40 beside 1, which is a rounding error in complex64,
 * and in cholesky's second matrix the negative of it. */
START_TEST(complex64_does_not_take_rounding_for_singularity)
{
	struct matrix in[] = {
		random_complex(COMPLEX64, 1, 2, 2),
		random_complex(COMPLEX64, 2, 2, 1),
	};
	struct args r;
	struct err e = { 0 };

	complex_set(&in[0], 0, 1);
	complex_set(&in[0], 1, complex_of(0, 1 + 0x1p-20));
	complex_set(&in[0], 2, complex_of(0, -1 - 0x1p-20));
	complex_set(&in[0], 3, 1 + 0x1p-19);
	op_run("det", in, 1, &r, NULL);
	ck_assert_double_eq_tol(matrix_get(&r.out[0], 0), -0x1p-40, 0x1p-50);
	args_fini(&r);
	op_run("inverse", in, 1, &r, NULL);
	ck_assert_double_eq_tol(matrix_get(&r.out[0], 3), -0x1p40, 0x1p30);
	ck_assert_double_lt(r.verdict.rcond, 0x1p-40);
	args_fini(&r);
	op_run("solve", in, 2, &r, NULL);
	ck_assert_double_lt(r.verdict.rcond, 0x1p-40);
	args_fini(&r);
	ck_refused(op_try("cholesky", in, 1, &r, &e, NULL), &e,
	           ERR_NOT_POSITIVE);
	complex_set(&in[0], 1, complex_of(0, 1 - 0x1p-20));
	complex_set(&in[0], 2, complex_of(0, -1 + 0x1p-20));
	complex_set(&in[0], 3, 1 - 0x1p-19 + 0x1p-23);
	op_run("cholesky", in, 1, &r, NULL);
	ck_assert_double_gt(matrix_get(&r.out[0], 3), 0);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

/* Returns |A v - l v| for column k of v and its Rayleigh quotient l. */
static double rest_of(const struct matrix *a, const struct matrix *v, size_t k)
{
	const size_t n = matrix_rows(a);
	number product[64], quotient = 0;
	double square = 0, rest = 0;

	for (size_t i = 0; i < n; i++) {
		const number x = complex_element(v, i, k);

		product[i] = 0;
		for (size_t j = 0; j < n; j++)
			product[i] += complex_element(a, i, j) *
			              complex_element(v, j, k);
		quotient += conj(x) * product[i];
		square += creal(x * conj(x));
	}
	for (size_t i = 0; i < n; i++)
		rest = hypot(rest, cabs(product[i] - quotient / square *
		                        complex_element(v, i, k)));
	return rest;
}

/* Of I + 2^-13 H, rounding errors in complex64 are far larger than what the
 * rounding of vectors that were computed in complex128 leaves. */
START_TEST(a_small_tol_is_kept_by_vectors_of_complex64)
{
	enum { N = 40 };
	struct matrix x = definite(N, -13);
	struct args r;
	const struct matrix *v;

	for (size_t i = 0; i < N; i++)
		complex_set(&x, i * (N + 1), 1);
	op_run("eigen", &x, 1, &r, "which", "all", "return",
	       "eigenvalues,eigenvectors", "tol", "1e-9", NULL);
	v = &r.out[op_output(r.op, "eigenvectors")];
	for (size_t k = 0; k < N; k++)
		ck_assert_double_lt(rest_of(&x, v, k), 1e-8);
	args_fini(&r);
	matrix_fini(&x);
}
END_TEST

TCase *tcase_complex_range(void)
{
	TCase *c = tcase_create("complex_range");

	tcase_add_test(c,
	    overflow_does_not_hide_that_a_matrix_is_indefinite);
	tcase_add_test(c, a_finite_element_is_not_taken_for_an_infinite_one);
	tcase_add_test(c, pivots_near_the_end_of_the_range_are_divided_by);
	tcase_add_test(c,
	    large_elements_do_not_make_a_matrix_ill_conditioned);
	tcase_add_test(c, large_moduli_have_singular_values);
	tcase_add_test(c, zeros_have_a_least_squares_residual_of_0);
	tcase_add_test(c, lu_is_singular_as_it_is_answered);
	tcase_add_test(c,
	    matrices_of_complex64_have_answers_in_its_whole_range);
	tcase_add_test(c, complex64_does_not_take_rounding_for_singularity);
	tcase_add_test(c, a_small_tol_is_kept_by_vectors_of_complex64);
	return c;
}

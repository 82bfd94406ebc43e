/* expm.c - exponentials that are known: diagonal, nilpotent and triangular
 * matrices, rotations, and matrices far from normal. */
#include <float.h>
#include <math.h>

#include "ops/expm/expm.h"
#include "ops/failure.h"
#include "tests/ops/expm/expm.h"
#include "tests/ops/op.h"

static const double pi = 3.14159265358979323846;

/* Asserts |e^A - want| <= many eps |want|, where |X| is the largest magnitude
 * of an element. */
static void ck_expm(enum dtype t, const double *a, const double *want,
                    size_t n, double many, const char *variant)
{
	struct matrix m = matrix_of(t, a, 2, n, n);
	struct args r;
	double most = 0;

	op_run("expm", &m, 1, &r, "variant", variant, NULL);
	ck_assert_int_eq(r.out[0].dtype, t);
	for (size_t i = 0; i < n * n; i++)
		most = fmax(most, fabs(want[i]));
	for (size_t i = 0; i < n * n; i++)
		ck_assert_double_eq_tol(matrix_get(&r.out[0], i), want[i],
		                        many * dtype_epsilon(t) * most);
	args_fini(&r);
	matrix_fini(&m);
}

/* The norms lead to every degree of the approximant, and to several
 * squarings. */
static void rotations(const struct variant *v)
{
	static const double angles[] = { 1e-9, 0.01, 0.2, 0.9, 2, 4, 30, 1000 };

	for (size_t i = 0; i < COUNT(angles); i++) {
		const double x = ldexp(rint(ldexp(angles[i], 12)), -12);
		const double a[] = { 0, -x, x, 0 };
		const double want[] = { cos(x), -sin(x), sin(x), cos(x) };

		ck_expm(FLOAT64, a, want, 2, 4 + 4 * x, v->name);
		ck_expm(FLOAT32, a, want, 2, 4 + 4 * x, v->name);
	}
}

START_TEST(skew_matrices_are_rotations)
{
	each_variant("expm", rotations);
}
END_TEST

/* e^N = I + N + N^2 / 2 of a nilpotent N with large elements. */
static void nilpotent(const struct variant *v)
{
	const double a[] = { 0, 1e6, 3, 0, 0, 5, 0, 0, 0 };
	const double want[] = { 1, 1e6, 3 + 2.5e6, 0, 1, 5, 0, 0, 1 };

	ck_expm(FLOAT64, a, want, 3, 4, v->name);
	ck_expm(FLOAT32, a, want, 3, 4, v->name);
}

START_TEST(nilpotent_matrices)
{
	each_variant("expm", nilpotent);
}
END_TEST

/* The exponential of [1 b; 0 -1] is [e, b sinh 1; 0, 1/e]. A large b must not
 * cost digits of any element. */
static void far_from_normal(const struct variant *v)
{
	const double b = 1e6, s = b * sinh(1), e = exp(1);

	ck_expm(FLOAT64, (double[]){ 1, b, 0, -1 },
	        (double[]){ e, s, 0, 1 / e }, 2, 2, v->name);
	ck_expm(FLOAT64, (double[]){ 1, 0, b, -1 },
	        (double[]){ e, 0, s, 1 / e }, 2, 2, v->name);
	/* similar to [0 1; -1 0] */
	ck_expm(FLOAT64, (double[]){ 0, 1e5, -1e-5, 0 },
	        (double[]){ cos(1), 1e5 * sin(1), -1e-5 * sin(1), cos(1) }, 2,
	        16, v->name);
}

START_TEST(matrices_far_from_normal)
{
	each_variant("expm", far_from_normal);
}
END_TEST

/* Asserts that element i of the diagonal is e^a_ii to the last bits. */
static void ck_diagonal(const struct matrix *m, const struct args *r, size_t i)
{
	const size_t at = i * (matrix_cols(m) + 1);

	ck_assert_double_eq_tol(matrix_get(&r->out[0], at) /
	                        exp(matrix_get(m, at)), 1, 4 * DBL_EPSILON);
}

/* Tests a diagonal matrix, then a triangular one with that diagonal. */
static void exact_of(const struct variant *v, size_t n)
{
	struct matrix m = random_matrix(FLOAT64, 1, 2, n, n);
	struct args r;

	for (size_t i = 0; i < n * n; i++)
		matrix_set(&m, i, i % (n + 1) ? 0 : 40 * matrix_get(&m, i));
	op_run("expm", &m, 1, &r, "variant", v->name, NULL);
	for (size_t i = 0; i < n * n; i++)
		if (i % (n + 1))
			ck_assert_double_eq(matrix_get(&r.out[0], i), 0);
		else
			ck_diagonal(&m, &r, i / n);
	args_fini(&r);
	for (size_t i = 0; i < n * n; i++)
		if (i % n < i / n)
			matrix_set(&m, i, 1);
	op_run("expm", &m, 1, &r, "variant", v->name, NULL);
	for (size_t i = 0; i < n * n; i++)
		if (i % n > i / n)
			ck_assert_double_eq(matrix_get(&r.out[0], i), 0);
		else if (i % (n + 1) == 0)
			ck_diagonal(&m, &r, i / n);
	args_fini(&r);
	matrix_fini(&m);
}

static void exact(const struct variant *v)
{
	exact_of(v, 4);
	exact_of(v, 65);
}

START_TEST(diagonals_are_exact)
{
	each_variant("expm", exact);
}
END_TEST

/* The sizes are around 64, and the entries need different degrees and
 * squarings. */
static void alone(const struct variant *v)
{
	static const size_t sizes[] = { 1, 2, 17, 65 };
	enum { STACK = 5 };

	for (size_t k = 0; k < COUNT(sizes); k++) {
		const size_t n = sizes[k], each = n * n;
		struct matrix all = random_matrix(FLOAT32, 1, 3, (size_t)STACK,
		                                  n, n);
		struct args r;

		for (size_t i = 0; i < matrix_elements(&all); i++)
			matrix_set(&all, i, ldexp(matrix_get(&all, i),
			           2 * (int)(i / each) - 5));
		op_run("expm", &all, 1, &r, "variant", v->name, NULL);
		for (size_t z = 0; z < STACK; z++) {
			struct matrix one = random_matrix(FLOAT32, 1, 2, n, n);
			struct args s;

			for (size_t i = 0; i < each; i++)
				matrix_set(&one, i,
				           matrix_get(&all, z * each + i));
			op_run("expm", &one, 1, &s, "variant", v->name, NULL);
			for (size_t i = 0; i < each; i++)
				ck_assert_double_eq(matrix_get(&s.out[0], i),
				    matrix_get(&r.out[0], z * each + i));
			args_fini(&s);
			matrix_fini(&one);
		}
		args_fini(&r);
		matrix_fini(&all);
	}
}

START_TEST(a_stack_gives_the_bits_of_its_matrices)
{
	each_variant("expm", alone);
}
END_TEST

static void bad_of(const struct variant *v, size_t n)
{
	struct matrix a = random_matrix(FLOAT64, 1, 3, (size_t)3, n, n);
	struct args r;

	matrix_set(&a, n * n + 5, INFINITY);
	op_run("expm", &a, 1, &r, "variant", v->name, NULL);
	ck_assert_uint_eq(r.failures, 1);
	ck_assert_uint_eq(args_failure(&r, 0).index, 1);
	ck_assert_double_eq(args_failure(&r, 0).detail.x, (double)(5 / n));
	ck_assert_double_eq(args_failure(&r, 0).detail.y, (double)(5 % n));
	for (size_t i = 0; i < 3 * n * n; i++)
		ck_assert_int_eq(isnan(matrix_get(&r.out[0], i)),
		                 i / (n * n) == 1);
	args_fini(&r);
	matrix_fini(&a);
}

static void bad(const struct variant *v)
{
	bad_of(v, 4);
	bad_of(v, 65);
}

START_TEST(a_bad_matrix_of_a_stack_fails_alone)
{
	each_variant("expm", bad);
}
END_TEST

/* e^-1e300 is 0, and the 1-norm of the second matrix overflows. */
static void huge_of(const struct variant *v, size_t n)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, n, n);
	struct args r;

	for (size_t i = 0; i < n * n; i++)
		matrix_set(&a, i, i % (n + 1) == 0 ? -DBL_MAX :
		           i % n > i / n ? DBL_MAX / 1e10 : 0);
	op_run("expm", &a, 1, &r, "variant", v->name, NULL);
	for (size_t i = 0; i < n * n; i++)
		ck_assert_double_eq(matrix_get(&r.out[0], i), 0);
	args_fini(&r);
	matrix_fini(&a);
}

static void huge(const struct variant *v)
{
	huge_of(v, 2);
	huge_of(v, 65);
}

START_TEST(huge_norms_end)
{
	each_variant("expm", huge);
}
END_TEST

/* Asserts that e^(D M D^-1) is D e^M D^-1, where D = diag(2^power(i)), within
 * eps for the largest element of e^M. A is so large that its powers overflow,
 * or that squarings by its norm would lose all digits, but only because of
 * D. */
static void ck_graded(enum dtype t, const double *m, size_t n,
                      const int *power, double many, const char *variant)
{
	struct matrix plain = matrix_of(FLOAT64, m, 2, n, n);
	struct matrix a = matrix_of(t, m, 2, n, n);
	double most = 0;
	struct args want, r;

	for (size_t i = 0; i < n * n; i++)
		matrix_set(&a, i, ldexp(m[i], power[i / n] - power[i % n]));
	op_run("expm", &plain, 1, &want, "variant", variant, NULL);
	op_run("expm", &a, 1, &r, "variant", variant, NULL);
	for (size_t i = 0; i < n * n; i++)
		most = fmax(most, fabs(matrix_get(&want.out[0], i)));
	for (size_t i = 0; i < n * n; i++)
		ck_assert_double_eq_tol(ldexp(matrix_get(&r.out[0], i),
		                              power[i % n] - power[i / n]),
		                        matrix_get(&want.out[0], i),
		                        many * dtype_epsilon(t) * most);
	args_fini(&want);
	args_fini(&r);
	matrix_fini(&plain);
	matrix_fini(&a);
}

static void graded(const struct variant *v)
{
	static const double general[] = { -1, 1, 0, 0.5, -2, 0, 0, 0, -1 };
	static const double upper[] = { -1, 1, 2, 0, -2, 1, 0, 0, 0.5 };
	static const double lower[] = { 0, 0, 0, 1, 0, 0, 2, 1, 0 };
	static const double large[] = { -10, 30, 1, -30, 2, 7, 1, 2, 3 };
	static const double cosine[] = { 0, 1, 0, 1, 0, 0, 0, 1, 0 };
	static const double *const all[] = { general, upper, lower, large,
	                                     cosine };
	static const int single[] = { 12, 20, 33, 60 };
	static const int twofold[] = { 12, 40, 200, 333, 450 };

	for (size_t k = 0; k < COUNT(all); k++) {
		const double many = all[k] == large ? 4000 : 64;

		for (size_t i = 0; i < COUNT(single); i++) {
			ck_graded(FLOAT32, all[k], 3,
			          (int[]){ single[i], 0, -single[i] / 2 },
			          many, v->name);
			ck_graded(FLOAT32, all[k], 3,
			          (int[]){ 0, single[i], 1 }, many, v->name);
		}
		for (size_t i = 0; i < COUNT(twofold); i++)
			ck_graded(FLOAT64, all[k], 3,
			          (int[]){ twofold[i], 0, -twofold[i] }, many,
			          v->name);
	}
}

START_TEST(large_norms_that_balancing_removes_cost_no_digits)
{
	each_variant("expm", graded);
}
END_TEST

/* The same beyond the sizes that all variants compute on the host, in a stack
 * whose other matrices are as they are. */
static void graded_stack(const struct variant *v)
{
	enum { N = 70, STACK = 3 };
	struct matrix m = random_matrix(FLOAT64, 1, 3, (size_t)STACK,
	                                (size_t)N, (size_t)N);
	struct args plain, r;

	for (size_t i = 0; i < STACK * N * N; i++)
		matrix_set(&m, i, matrix_get(&m, i) / 8);
	op_run("expm", &m, 1, &plain, "variant", v->name, NULL);
	for (size_t i = N * N; i < 2 * N * N; i++)
		matrix_set(&m, i, ldexp(matrix_get(&m, i),
		           8 * ((int)(i % N) - (int)(i / N % N))));
	op_run("expm", &m, 1, &r, "variant", v->name, NULL);
	for (size_t i = 0; i < STACK * N * N; i++) {
		const bool scaled = i / (N * N) == 1;
		const int by = 8 * ((int)(i / N % N) - (int)(i % N));

		ck_assert_double_eq_tol(ldexp(matrix_get(&r.out[0], i),
		                              scaled ? by : 0),
		                        matrix_get(&plain.out[0], i),
		                        scaled ? 1e-12 : 0x1p-1000);
	}
	args_fini(&plain);
	args_fini(&r);
	matrix_fini(&m);
}

START_TEST(graded_matrices_of_a_stack)
{
	each_variant("expm", graded_stack);
}
END_TEST

START_TEST(only_square_matrices)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)2, (size_t)3);
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("expm", &a, 1, &r, &e, NULL), &e, ERR_SHAPE);
	matrix_fini(&a);
}
END_TEST

/* The numerator of degree 3 is 120 + 60 x + 12 x^2 + x^3. */
START_TEST(coefficients_are_pades)
{
	double c[EXPM_MOST_DEGREE + 1];

	expm_coefficients(3, c);
	ck_assert_double_eq(c[0], 1);
	ck_assert_double_eq_tol(c[1], 1.0 / 2, 1e-16);
	ck_assert_double_eq_tol(c[2], 1.0 / 10, 1e-16);
	ck_assert_double_eq_tol(c[3], 1.0 / 120, 1e-17);
	ck_assert_double_eq_tol(expm_beside(1, 2, 1), 2 * exp(1), 1e-14);
	ck_assert_double_eq_tol(expm_beside(3, 1, 1), (exp(3) - exp(1)) / 2,
	                        1e-13);
	ck_assert_double_eq_tol(expm_beside(0, 1, pi), (exp(pi) - 1) / pi,
	                        1e-13);
}
END_TEST

TCase *tcase_expm(void)
{
	TCase *c = tcase_create("expm");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, skew_matrices_are_rotations);
	tcase_add_test(c, nilpotent_matrices);
	tcase_add_test(c, matrices_far_from_normal);
	tcase_add_test(c, diagonals_are_exact);
	tcase_add_test(c, a_stack_gives_the_bits_of_its_matrices);
	tcase_add_test(c, a_bad_matrix_of_a_stack_fails_alone);
	tcase_add_test(c, huge_norms_end);
	tcase_add_test(c, large_norms_that_balancing_removes_cost_no_digits);
	tcase_add_test(c, graded_matrices_of_a_stack);
	tcase_add_test(c, only_square_matrices);
	tcase_add_test(c, coefficients_are_pades);
	expm_complex_tests(c);
	return c;
}

/* symmetric.c - tests solve with structure=symmetric for indefinite matrices,
 * also for those without a pivot on the diagonal, in every variant. All
 * elements are small integers, so that the solution is known exactly. */
#include <math.h>

#include "ops/failure.h"
#include "ops/solve/structure.h"
#include "tests/ops/lu/lu.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };
static const size_t sizes_at_ends[] = { 2, 5, 65 };

enum family {
	INDEFINITE,	/* random */
	HOLLOW,		/* zeros on the diagonal */
	SADDLE,		/* [0 B; B^T C], as from Lagrange's multipliers */
	EXCHANGE,	/* ones on the other diagonal: A^2 = I */
	FAMILIES
};

/* Returns element (i, j) for i >= j; digit is an integer from -9 to 9. */
static double element(enum family f, size_t i, size_t j, size_t n,
                      double digit)
{
	if (f == EXCHANGE)
		return i + j == n - 1;
	if (f == SADDLE && i < n / 2)
		return 0;
	if (f == HOLLOW && i == j)
		return 0;
	return i == j + 1 ? digit + 20 : digit;
}

/* Makes a stack of n x n matrices. Their upper triangles are NaN, because these
 * must not be read. */
static struct matrix family_matrix(enum family f, enum dtype t, size_t stack,
                                   size_t n)
{
	struct matrix a = random_matrix(t, 5, 3, stack, n, n);

	for (size_t e = 0; e < matrix_elements(&a); e++) {
		const size_t i = e / n % n, j = e % n;

		matrix_set(&a, e, i < j ? NAN : element(f, i, j, n,
		           rint(9 * matrix_get(&a, e))));
	}
	return a;
}

/* Returns element (i, j) of the symmetric matrix whose lower triangle begins at
 * element `at`. */
static double both(const struct matrix *a, size_t at, size_t i, size_t j)
{
	const size_t n = matrix_rows(a);

	return matrix_get(a, at + (i > j ? i * n + j : j * n + i));
}

static struct matrix times(const struct matrix *a, const struct matrix *x)
{
	const size_t n = matrix_rows(a), sides = matrix_cols(x);
	struct matrix b = random_matrix(x->dtype, 1, 3, matrix_stack(a), n,
	                                sides);

	for (size_t e = 0; e < matrix_elements(&b); e++) {
		const size_t s = e / sides / n, i = e / sides % n;
		double sum = 0;

		for (size_t k = 0; k < n; k++)
			sum += both(a, s * n * n, i, k) *
			       matrix_get(x, (s * n + k) * sides + e % sides);
		matrix_set(&b, e, sum);
	}
	return b;
}

/* Returns the largest |x - x_true| / |x| of all right-hand sides, in the
 * infinity norm. */
static double error_of(const struct matrix *x, const struct matrix *exact)
{
	const size_t n = matrix_rows(x), sides = matrix_cols(x);
	double worst = 0;

	for (size_t c = 0; c < matrix_stack(x) * sides; c++) {
		const size_t at = c / sides * n * sides + c % sides;
		double off = 0, size = 0;

		for (size_t i = 0; i < n; i++) {
			const double v = matrix_get(x, at + i * sides);

			off = fmax(off, fabs(v - matrix_get(exact, at +
			                                    i * sides)));
			size = fmax(size, fabs(v));
		}
		worst = fmax(worst, off > 0 ? off / size : 0);
	}
	return worst;
}

/* Asserts that the given rcond is within a factor of 3 of the one that LU of
 * the whole matrix gives. */
static void same_condition(const struct matrix *a, const struct matrix *b,
                           double rcond)
{
	const size_t n = matrix_rows(a);
	struct matrix in[2] = { matrix_ref(a), matrix_ref(b) };
	struct matrix whole = random_matrix(a->dtype, 1, a->ndim,
	                                    matrix_stack(a), n, n);
	struct args r;

	for (size_t e = 0; e < matrix_elements(&whole); e++)
		matrix_set(&whole, e, both(a, e / n / n * n * n, e / n % n,
		                           e % n));
	matrix_fini(&in[0]);
	in[0] = whole;
	op_run("solve", in, 2, &r, "structure", "general", NULL);
	ck_assert_double_gt(rcond, r.verdict.rcond / 3);
	ck_assert_double_lt(rcond, r.verdict.rcond * 3);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

static void one(const struct variant *v, enum family f, enum dtype t,
                size_t n, size_t sides, bool turned)
{
	struct matrix x = random_matrix(t, 8, 3, (size_t)2, n, sides), in[2];
	struct args r;
	double error;

	for (size_t e = 0; e < matrix_elements(&x); e++)
		matrix_set(&x, e, rint(9 * matrix_get(&x, e)));
	in[0] = family_matrix(f, t, 2, n);
	in[1] = times(&in[0], &x);
	op_run("solve", in, 2, &r, "structure", "symmetric", "variant",
	       v->name, "transpose_a", turned ? "true" : "false", NULL);
	error = error_of(&r.out[0], &x);
	ck_assert_msg(error <= r.verdict.forward_error || error == 0,
	              "%s, family %d, n = %zu: error %g, said to be at most "
	              "%g", v->name, (int)f, n, error,
	              r.verdict.forward_error);
	ck_assert_msg(error * r.verdict.rcond < 30 * dtype_epsilon(t),
	              "%s, family %d, n = %zu: error %g, rcond %g", v->name,
	              (int)f, n, error, r.verdict.rcond);
	ck_assert_double_lt(r.verdict.residual, THRESHOLD);
	same_condition(&in[0], &in[1], r.verdict.rcond);
	args_fini(&r);
	matrix_fini(&x);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

/* LAPACK's sytrf works with blocks of 64 columns, kernels/solve/mirror.cl with
 * tiles of 16 rows: the sizes are around these numbers. */
static void families_in(const struct variant *v)
{
	static const size_t sizes[][2] = {
		{ 2, 1 }, { 3, 2 }, { 5, 1 }, { 10, 16 }, { 15, 1 },
		{ 16, 1 }, { 17, 1 }, { 50, 3 }, { 63, 1 }, { 64, 2 },
		{ 65, 1 }, { 129, 2 }, { 50, 20 },
	};

	for (int f = 0; f < FAMILIES; f++)
		for (size_t i = 0; i < COUNT(sizes); i++)
			for (size_t t = 0; t < COUNT(reals); t++)
				one(v, (enum family)f, reals[t], sizes[i][0],
				    sizes[i][1], i % 2 > 0);
}

START_TEST(indefinite_matrices_of_every_family)
{
	each_variant("solve", families_in);
}
END_TEST

static void empty_and_single(const struct variant *v)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		struct matrix none[2] = {
			random_matrix(reals[t], 1, 2, (size_t)0, (size_t)0),
			random_matrix(reals[t], 1, 2, (size_t)0, (size_t)3),
		};
		struct args r;

		one(v, INDEFINITE, reals[t], 1, 1, false);
		op_run("solve", none, 2, &r, "structure", "symmetric",
		       "variant", v->name, NULL);
		ck_assert_uint_eq(matrix_elements(&r.out[0]), 0);
		args_fini(&r);
		matrix_fini(&none[0]);
		matrix_fini(&none[1]);
	}
}

START_TEST(no_equation_and_one)
{
	each_variant("solve", empty_and_single);
}
END_TEST

static void multiply(struct matrix *m, int power)
{
	for (size_t e = 0; e < matrix_elements(m); e++)
		matrix_set(m, e, ldexp(matrix_get(m, e), power));
}

/* Elements near the largest and the smallest number of the type, where factors
 * and reciprocals of pivots would overflow. No operand is rounded. */
static void ends_in(const struct variant *v)
{
	static const int powers[][2] = { { 122, -145 }, { 1018, -1070 } };

	for (size_t i = 0; i < 2 * COUNT(reals) * COUNT(sizes_at_ends); i++) {
		const size_t n = sizes_at_ends[i / 4];
		const int power = powers[i / 2 % 2][i % 2];
		struct matrix x = random_matrix(reals[i / 2 % 2], 8, 3,
		    (size_t)1, n, (size_t)2), in[2];
		struct args r;
		double error;

		for (size_t e = 0; e < matrix_elements(&x); e++)
			matrix_set(&x, e, rint(9 * matrix_get(&x, e)));
		in[0] = family_matrix(HOLLOW, x.dtype, 1, n);
		in[1] = times(&in[0], &x);
		multiply(&in[0], power);
		multiply(&in[1], power > 0 ? power - 40 : power + 40);
		multiply(&x, power > 0 ? -40 : 40);
		op_run("solve", in, 2, &r, "structure", "symmetric", "variant",
		       v->name, NULL);
		error = error_of(&r.out[0], &x);
		ck_assert_msg(error <= r.verdict.forward_error || error == 0,
		              "%s, n = %zu, 2^%d: error %g, said to be at "
		              "most %g", v->name, n, power, error,
		              r.verdict.forward_error);
		ck_assert_double_lt(error, 1e-3);
		args_fini(&r);
		matrix_fini(&x);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}

START_TEST(symmetric_matrices_at_the_ends_of_the_range_are_solved)
{
	each_variant("solve", ends_in);
}
END_TEST

/* The stack has five matrices: zero, one of rank 1, one with a zero row and
 * column, and two regular ones. */
static void singular_ones_in(const struct variant *v)
{
	enum { N = 6 };
	struct matrix in[2] = {
		family_matrix(HOLLOW, FLOAT64, 5, N),
		random_matrix(FLOAT64, 8, 1, (size_t)N),
	};
	struct args r;

	for (size_t e = 0; e < N * N; e++) {
		const size_t i = e / N, j = e % N;

		if (i < j)
			continue;
		matrix_set(&in[0], e, 0);
		matrix_set(&in[0], 2 * N * N + e, 4);
		if (i == 3 || j == 3)
			matrix_set(&in[0], 4 * N * N + e, 0);
	}
	op_run("solve", in, 2, &r, "structure", "symmetric", "variant",
	       v->name, NULL);
	ck_assert_uint_eq(r.failures, 3);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(args_failure(&r, i).index, 2 * i);
		ck_assert_int_eq(args_failure(&r, i).detail.code,
		                 ERR_SINGULAR);
		ck_assert(isnan(matrix_get(&r.out[0], 2 * i * N)));
	}
	ck_assert(isfinite(matrix_get(&r.out[0], N)));
	ck_assert(isfinite(matrix_get(&r.out[0], 3 * N)));
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

START_TEST(singular_matrices_of_a_stack_fail_alone)
{
	each_variant("solve", singular_ones_in);
}
END_TEST

static void nearly_singular_in(const struct variant *v)
{
	static const double values[] = { 1, NAN, 1, 1 + 0x1p-50 };
	struct matrix in[2] = {
		matrix_of(FLOAT64, values, 2, (size_t)2, (size_t)2),
		random_matrix(FLOAT64, 8, 1, (size_t)2),
	};
	struct args r;

	op_run("solve", in, 2, &r, "structure", "symmetric", "variant",
	       v->name, NULL);
	ck_assert_double_lt(r.verdict.rcond, 0x1p-50);
	ck_assert_double_gt(r.verdict.rcond, 0x1p-54);
	args_fini(&r);
	matrix_set(&in[0], 3, 1 + 0x1p-52);
	op_run("solve", in, 2, &r, "structure", "symmetric", "variant",
	       v->name, NULL);
	ck_assert_double_eq(r.verdict.ill_conditioned, 1);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

START_TEST(a_nearly_singular_symmetric_matrix_is_called_so)
{
	each_variant("solve", nearly_singular_in);
}
END_TEST

START_TEST(a_nan_in_the_lower_triangle_is_refused)
{
	struct matrix in[2] = {
		family_matrix(INDEFINITE, FLOAT32, 1, 9),
		random_matrix(FLOAT32, 8, 1, (size_t)9),
	};
	struct err e = { 0 };
	struct args r;

	matrix_set(&in[0], 8 * 9, NAN);
	ck_refused(op_try("solve", in, 2, &r, &e, "structure", "symmetric",
	                  NULL), &e, ERR_NONFINITE);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

void solve_add_symmetric_tests(TCase *c)
{
	tcase_add_test(c, indefinite_matrices_of_every_family);
	tcase_add_test(c, no_equation_and_one);
	tcase_add_test(c,
	    symmetric_matrices_at_the_ends_of_the_range_are_solved);
	tcase_add_test(c, singular_matrices_of_a_stack_fail_alone);
	tcase_add_test(c, a_nearly_singular_symmetric_matrix_is_called_so);
	tcase_add_test(c, a_nan_in_the_lower_triangle_is_refused);
}

/* accuracy.c - X is as near to the true solution as its condition allows, and
 * nearer than that of LAPACK's xgesv. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "tests/ops/lu/lu.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* Gaussian elimination with partial pivoting in long double; x replaces b. */
static void reference(const struct matrix *m, const struct matrix *b,
                      long double *x)
{
	const size_t n = matrix_rows(m);
	long double *a = malloc(n * n * sizeof *a);

	for (size_t i = 0; i < n * n; i++)
		a[i] = matrix_get(m, i);
	for (size_t i = 0; i < n; i++)
		x[i] = matrix_get(b, i);
	for (size_t k = 0; k < n; k++) {
		size_t p = k;
		long double t = x[k];

		for (size_t i = k; i < n; i++)
			p = fabsl(a[i * n + k]) > fabsl(a[p * n + k]) ? i : p;
		x[k] = x[p];
		x[p] = t;
		for (size_t j = 0; j < n; j++) {
			t = a[k * n + j];
			a[k * n + j] = a[p * n + j];
			a[p * n + j] = t;
		}
		for (size_t i = k + 1; i < n; i++) {
			const long double l = a[i * n + k] / a[k * n + k];

			for (size_t j = k; j < n; j++)
				a[i * n + j] -= l * a[k * n + j];
			x[i] -= l * x[k];
		}
	}
	for (size_t i = n; i-- > 0; ) {
		for (size_t j = i + 1; j < n; j++)
			x[i] -= a[i * n + j] * x[j];
		x[i] /= a[i * n + i];
	}
	free(a);
}

/* max |x - wanted| / max |wanted| */
static double error_of(const struct matrix *x, const long double *wanted)
{
	long double error = 0, size = 0;

	for (size_t i = 0; i < matrix_elements(x); i++) {
		error = fmaxl(error, fabsl(matrix_get(x, i) - wanted[i]));
		size = fmaxl(size, fabsl(wanted[i]));
	}
	return (double)(error / size);
}

static double lapack_error(const struct matrix *a, const struct matrix *b,
                           const long double *wanted)
{
	const int n = (int)matrix_rows(a);
	struct matrix x = *b;
	lapack_int p[256];
	struct err e = { 0 };
	void *copy = malloc(matrix_size(a));
	double error;

	memcpy(copy, matrix_data(a), matrix_size(a));
	ck_ok(matrix_alloc(&x, test_pool, &e), &e);
	memcpy(matrix_data(&x), matrix_data(b), matrix_size(b));
	if (a->dtype == FLOAT32)
		LAPACKE_sgesv(LAPACK_ROW_MAJOR, n, 1, copy, n, p,
		              matrix_data(&x), 1);
	else
		LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, copy, n, p,
		              matrix_data(&x), 1);
	error = error_of(&x, wanted);
	matrix_fini(&x);
	free(copy);
	return error;
}

/* While cond eps << 1, a step of refinement with a precise residual leaves an
 * error of a few roundings (Higham, 2002, theorem 12.1). long double can judge
 * float64 only where the condition is small. */
static void accuracy(const struct variant *v)
{
	static const size_t n[] = { 2, 10, 50, 200 };

	for (size_t i = 0; i < 2 * COUNT(n); i++) {
		const enum dtype t = reals[i % 2];
		struct matrix a = type_matrix(t == FLOAT32 ? TYPE_ILL :
		                              TYPE_RANDOM, t, n[i / 2],
		                              n[i / 2], 17);
		struct matrix b = random_matrix(t, 1, 1, n[i / 2]);
		const struct matrix in[] = { a, b };
		long double wanted[200];
		struct args x;
		double error;

		reference(&a, &b, wanted);
		op_run("solve", in, 2, &x, "variant", v->name, NULL);
		error = error_of(&x.out[0], wanted);
		ck_assert_msg(error <= 4 * dtype_epsilon(t),
		              "%s, %s, n %zu: error %g", v->name,
		              dtype_name(t), n[i / 2], error);
		ck_assert_double_le(error, lapack_error(&a, &b, wanted) +
		                           dtype_epsilon(t));
		args_fini(&x);
		matrix_fini(&a);
		matrix_fini(&b);
	}
}

START_TEST(the_error_is_a_few_roundings_and_below_xgesvs)
{
	each_variant("solve", accuracy);
}
END_TEST

/* x has a few digits only, because it is subnormal. */
static void subnormal(const struct variant *v)
{
	static const char *const structures[] = { "general", "spd",
	                                          "symmetric" };
	enum { N = 50 };

	for (size_t i = 0; i < COUNT(reals) * COUNT(structures); i++) {
		const enum dtype t = reals[i % 2];
		const double scale = t == FLOAT32 ? 0x1p-142 : 0x1p-1068;
		struct matrix in[] = {
			random_matrix(t, 1, 2, (size_t)N, (size_t)N),
			random_matrix(t, 2, 1, (size_t)N),
		};
		long double wanted[N];
		struct args r;

		for (size_t e = 0; e < N * N; e++)
			matrix_set(&in[0], e, e / N == e % N ? 4 :
			           e / N == e % N + 1 || e / N + 1 == e % N ?
			           -1 : 0);
		for (size_t e = 0; e < N; e++)
			matrix_set(&in[1], e, scale * matrix_get(&in[1], e));
		reference(&in[0], &in[1], wanted);
		op_run("solve", in, 2, &r, "variant", v->name, "structure",
		       structures[i / 2], NULL);
		ck_assert_msg(error_of(&r.out[0], wanted) <=
		              r.verdict.forward_error,
		              "%s, %s, %s: error %g, said to be at most %g",
		              v->name, structures[i / 2], dtype_name(t),
		              error_of(&r.out[0], wanted),
		              r.verdict.forward_error);
		args_fini(&r);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}

START_TEST(forward_error_bounds_that_of_a_subnormal_x)
{
	each_variant("solve", subnormal);
}
END_TEST

/* The norm of A, or elements of its factors, overflow, or elements are
 * subnormal. x is moderate. */
static void ends(const struct variant *v)
{
	static const int powers[][2] = { { 127, -146 }, { 1023, -1071 } };
	static const size_t sizes[] = { 3, 64, 100 };

	for (size_t i = 0; i < 4 * COUNT(sizes); i++) {
		const size_t n = sizes[i / 4];
		const enum dtype t = reals[i / 2 % 2];
		const int power = powers[i / 2 % 2][i % 2];
		struct matrix in[] = {
			random_matrix(t, 1, 2, n, n), random_matrix(t, 2, 1, n),
		};
		long double wanted[200];
		struct args r;

		for (size_t e = 0; e < n * n; e++)
			matrix_set(&in[0], e, ldexp(rint(8 *
			           matrix_get(&in[0], e)), power - 3));
		for (size_t e = 0; e < n; e++)
			matrix_set(&in[1], e, ldexp(matrix_get(&in[1], e),
			           power > 0 ? power - 20 : power + 90));
		reference(&in[0], &in[1], wanted);
		op_run("solve", in, 2, &r, "variant", v->name, "structure",
		       "general", NULL);
		ck_assert_msg(error_of(&r.out[0], wanted) <=
		              r.verdict.forward_error &&
		              r.verdict.forward_error < 0.1,
		              "%s, 2^%d, n %zu: error %g, said to be at most "
		              "%g",
		              v->name, power, n, error_of(&r.out[0], wanted),
		              r.verdict.forward_error);
		ck_assert_double_lt(r.verdict.residual, THRESHOLD);
		ck_assert_double_gt(r.verdict.residual, 0);
		args_fini(&r);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}

START_TEST(matrices_at_the_ends_of_the_range_are_solved)
{
	each_variant("solve", ends);
}
END_TEST

/* Elements of A and b are small multiples of 2^power, the least number: x is
 * moderate, but sums of such elements have few digits, and those of A x none
 * below b's. */
static void least(const struct variant *v)
{
	static const char *const structures[] = { "general", "spd", "lower" };
	static const size_t sizes[] = { 2, 30, 100 };

	for (size_t i = 0; i < 4 * COUNT(structures) * COUNT(sizes); i++) {
		const size_t n = sizes[i / 4 / COUNT(structures)];
		const char *name = structures[i / 4 % COUNT(structures)];
		const enum dtype t = reals[i % 2];
		const int power = (t == FLOAT32 ? -149 : -1074) +
		                  (i / 2 % 2 ? 2 : 0);
		struct matrix in[] = {
			random_matrix(t, 1, 2, n, n), random_matrix(t, 2, 1, n),
		};
		long double wanted[200];
		struct args r;

		for (size_t e = 0; e < n * n; e++)
			matrix_set(&in[0], e, ldexp(e / n == e % n ? 4 :
			           e / n == e % n + 1 || e / n + 1 == e % n ?
			           1 : 0, power));
		for (size_t e = 0; e < n; e++)
			matrix_set(&in[1], e, ldexp(rint(8 *
			           matrix_get(&in[1], e)), power));
		if (strcmp(name, "lower") == 0)
			for (size_t e = 1; e < n; e++)
				matrix_set(&in[0], (e - 1) * n + e, 0);
		reference(&in[0], &in[1], wanted);
		op_run("solve", in, 2, &r, "variant", v->name, "structure",
		       name, NULL);
		ck_assert_msg(error_of(&r.out[0], wanted) <=
		              r.verdict.forward_error &&
		              r.verdict.forward_error <
		              1000 * dtype_epsilon(t),
		              "%s, %s, %s, n %zu: error %g, said to be at most "
		              "%g", v->name, name, dtype_name(t), n,
		              error_of(&r.out[0], wanted),
		              r.verdict.forward_error);
		ck_assert_double_lt(r.verdict.residual, THRESHOLD);
		args_fini(&r);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}

START_TEST(systems_of_subnormal_numbers_are_solved)
{
	each_variant("solve", least);
}
END_TEST

void solve_add_accuracy_tests(TCase *t)
{
	tcase_add_test(t, the_error_is_a_few_roundings_and_below_xgesvs);
	tcase_add_test(t, forward_error_bounds_that_of_a_subnormal_x);
	tcase_add_test(t, matrices_at_the_ends_of_the_range_are_solved);
	tcase_add_test(t, systems_of_subnormal_numbers_are_solved);
}

/* pinv.c - tests that the pseudoinverse satisfies Penrose's four conditions for
 * every shape and rank. */
#include <math.h>
#include <string.h>

#include "tests/ops/qr/factors.h"

#define THRESHOLD 30

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* The elements of matrix s of a stack, for the caller to free. */
static double *values(const struct matrix *m, size_t s)
{
	const size_t n = matrix_rows(m) * matrix_cols(m);
	double *x = calloc(n + 1, sizeof *x);

	for (size_t i = 0; i < n; i++)
		x[i] = matrix_get(m, s * n + i);
	return x;
}

/* The product of an m x k and a k x n matrix, for the caller to free. */
static double *product(const double *a, const double *b, size_t m, size_t k,
                       size_t n)
{
	double *c = calloc(m * n + 1, sizeof *c);

	for (size_t i = 0; i < m; i++)
		for (size_t q = 0; q < k; q++)
			for (size_t j = 0; j < n; j++)
				c[i * n + j] += a[i * k + q] * b[q * n + j];
	return c;
}

static double distance(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (a[i] - b[i]) * (a[i] - b[i]);
	return sqrt(sum);
}

static double norm(const double *a, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * a[i];
	return sqrt(sum);
}

static double asymmetry(const double *a, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			most = fmax(most, fabs(a[i * n + j] - a[j * n + i]));
	return most;
}

static void check_one(const struct args *r, size_t s)
{
	const size_t m = matrix_rows(&r->in[0]), n = matrix_cols(&r->in[0]);
	double *a = values(&r->in[0], s), *p = values(&r->out[0], s);
	double *ap = product(a, p, m, n, m), *pa = product(p, a, n, m, n);
	double *apa = product(ap, a, m, m, n), *pap = product(pa, p, n, n, m);
	const double x = norm(a, m * n), y = norm(p, m * n);
	const double eps = THRESHOLD * dtype_epsilon(r->dtype) *
	                   (double)size_max(size_max(m, n), 1);

	ck_assert_double_le(distance(apa, a, m * n), eps * x * x * y);
	ck_assert_double_le(distance(pap, p, m * n), eps * x * y * y);
	ck_assert_double_le(asymmetry(ap, m), eps * x * y);
	ck_assert_double_le(asymmetry(pa, n), eps * x * y);
	free(a), free(p), free(ap), free(pa), free(apa), free(pap);
}

static void check_call(const struct args *r)
{
	for (size_t s = 0; s < matrix_stack(&r->in[0]); s++)
		check_one(r, s);
	ck_assert_double_lt(r->verdict.residual, THRESHOLD);
}

START_TEST(every_shape_and_stack)
{
	static const size_t sizes[][3] = {
		{ 1, 0, 0 }, { 2, 0, 3 }, { 2, 3, 0 }, { 0, 3, 3 }, { 1, 1, 1 },
		{ 2, 2, 1 }, { 2, 1, 2 }, { 3, 5, 3 }, { 3, 3, 5 },
		{ 2, 50, 10 }, { 1, 10, 50 }, { 3, 33, 33 }, { 1, 97, 60 },
	};

	for (size_t i = 0; i < COUNT(sizes) * COUNT(reals); i++) {
		const size_t *z = sizes[i / 2];
		struct matrix x = random_matrix(reals[i % 2], (unsigned)i + 1,
		                                3, z[0], z[1], z[2]);
		struct args r;

		op_run("pinv", &x, 1, &r, "quality", i % 3 ? "full" :
		       "estimate", NULL);
		ck_assert_uint_eq(matrix_rows(&r.out[0]), z[2]);
		ck_assert_uint_eq(matrix_cols(&r.out[0]), z[1]);
		check_call(&r);
		args_fini(&r);
		matrix_fini(&x);
	}
}
END_TEST

/* s (I + J) has the pseudoinverse (I - J / 13) / s for n = 12; its largest
 * singular value, 13 s, is beyond its type. */
static void overflowing(enum dtype t, double s, const char *quality)
{
	const size_t n = 12;
	struct matrix a = random_matrix(t, 1, 3, (size_t)2, n, n);
	struct args r;

	for (size_t k = 0; k < 2 * n * n; k++)
		matrix_set(&a, k, s * (k / n % n == k % n ? 2 : 1));
	op_run("pinv", &a, 1, &r, "quality", quality, NULL);
	for (size_t k = 0; k < 2 * n * n; k++) {
		const double want = ((k / n % n == k % n) - 1.0 / 13) / s;

		ck_assert_double_eq_tol(matrix_get(&r.out[0], k) * s, want * s,
		                        100 * dtype_epsilon(t));
	}
	ck_assert_double_gt(r.verdict.residual, 0);
	ck_assert_double_lt(r.verdict.residual, THRESHOLD);
	args_fini(&r);
	matrix_fini(&a);
}

START_TEST(singular_values_beyond_the_type)
{
	static const char *const qualities[] = { "estimate", "full" };

	for (size_t i = 0; i < COUNT(qualities); i++) {
		overflowing(FLOAT32, 1e38, qualities[i]);
		overflowing(FLOAT64, 5e307, qualities[i]);
	}
}
END_TEST

static void large(const struct variant *v)
{
	static const size_t sizes[][2] = {
		{ 150, 144 }, { 145, 160 }, { 140, 64 },
	};

	for (size_t i = 0; i < 2 * COUNT(sizes) * COUNT(reals); i++) {
		const size_t *z = sizes[i / 4], n = z[1];
		struct matrix x = random_matrix(reals[i % 2], (unsigned)i + 1,
		                                2, z[0], n);
		struct err e = { 0 };
		struct args r;

		for (size_t k = 0; k < z[0] * n && i / 2 % 2; k++)
			matrix_set(&x, k, matrix_get(&x, k - k % n +
			                             k % n % 90));
		op_run("pinv", &x, 1, &r, "variant", v->name, "quality", i % 3 ?
		       "full" : "estimate", NULL);
		check_call(&r);
		args_fini(&r);
		matrix_set(&x, n + 1, NAN);
		ck_refused(op_try("pinv", &x, 1, &r, &e, "variant", v->name,
		                  NULL), &e, ERR_NONFINITE);
		matrix_fini(&x);
	}
}

START_TEST(large_matrices_of_full_and_of_lower_rank)
{
	each_variant("pinv", large);
}
END_TEST

START_TEST(every_rank)
{
	for (size_t i = 0; i < 2 * 6; i++) {
		struct matrix x = random_matrix(reals[i % 2], 3, 2, (size_t)12,
		                                (size_t)9);
		const size_t rank = i / 2;
		struct args r;

		for (size_t k = 0; k < 12; k++)
			for (size_t j = rank; j < 9; j++)
				matrix_set(&x, k * 9 + j, rank == 0 ? 0 :
				           matrix_get(&x, k * 9 + j % rank));
		op_run("pinv", &x, 1, &r, NULL);
		check_call(&r);
		args_fini(&r);
		matrix_fini(&x);
	}
}
END_TEST

/* The pseudoinverse of diag(1, 2^-10, 2^-20) has a 0 for every singular value
 * that counts as 0 by rcond. */
START_TEST(rcond_leaves_small_values_out)
{
	static const double d[] = { 1, 0, 0, 0, 0x1p-10, 0, 0, 0, 0x1p-20 };
	static const char *const rconds[] = { "0", "1e-4", "0.5" };

	for (size_t i = 0; i < COUNT(rconds); i++) {
		struct matrix x = matrix_of(FLOAT64, d, 2, (size_t)3,
		                            (size_t)3);
		struct args r;

		op_run("pinv", &x, 1, &r, "rcond", rconds[i], NULL);
		ck_assert_double_eq_tol(matrix_get(&r.out[0], 0), 1, 1e-15);
		ck_assert_double_eq_tol(matrix_get(&r.out[0], 4),
		                        i < 2 ? 0x1p10 : 0, 1e-9);
		ck_assert_double_eq_tol(matrix_get(&r.out[0], 8),
		                        i < 1 ? 0x1p20 : 0, 1e-6);
		ck_assert_double_lt(r.verdict.residual, THRESHOLD);
		args_fini(&r);
		matrix_fini(&x);
	}
}
END_TEST

START_TEST(tiny_matrices_keep_their_digits)
{
	for (size_t i = 0; i < COUNT(reals); i++) {
		struct matrix x = random_matrix(reals[i], 3, 2, (size_t)7,
		                                (size_t)5);
		const int by = reals[i] == FLOAT32 ? 66 : 950;
		struct args r, t;

		op_run("pinv", &x, 1, &r, NULL);
		for (size_t k = 0; k < 35; k++)
			matrix_set(&x, k, ldexp(matrix_get(&x, k), -by));
		op_run("pinv", &x, 1, &t, NULL);
		ck_assert_double_lt(t.verdict.residual, THRESHOLD);
		for (size_t k = 0; k < 35; k++)
			ck_assert_double_eq_tol(
			    ldexp(matrix_get(&t.out[0], k), -by),
			    matrix_get(&r.out[0], k), 100 *
			    dtype_epsilon(reals[i]));
		args_fini(&r);
		args_fini(&t);
		matrix_fini(&x);
	}
}
END_TEST

static void failures(const struct variant *v)
{
	factor_fails_alone("pinv", v, 4, 6, check_one);
}

START_TEST(one_bad_matrix_of_a_stack_fails_alone)
{
	each_variant("pinv", failures);
}
END_TEST

START_TEST(infinity_is_refused)
{
	struct matrix x = random_matrix(FLOAT64, 1, 2, (size_t)4, (size_t)3);
	struct err e = { 0 };
	struct args r;

	matrix_set(&x, 7, INFINITY);
	ck_refused(op_try("pinv", &x, 1, &r, &e, NULL), &e, ERR_NONFINITE);
	matrix_fini(&x);
}
END_TEST

TCase *tcase_pinv(void)
{
	TCase *c = tcase_create("pinv");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, every_shape_and_stack);
	tcase_add_test(c, large_matrices_of_full_and_of_lower_rank);
	tcase_add_test(c, every_rank);
	tcase_add_test(c, rcond_leaves_small_values_out);
	tcase_add_test(c, tiny_matrices_keep_their_digits);
	tcase_add_test(c, singular_values_beyond_the_type);
	tcase_add_test(c, one_bad_matrix_of_a_stack_fails_alone);
	tcase_add_test(c, infinity_is_refused);
	return c;
}

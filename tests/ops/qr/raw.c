/* raw.c - tests of mode=raw: that the reflections multiply out to A P, that
 * they are LAPACK's, and that the verdict on them is true. */
#include <math.h>
#include <stdlib.h>

#include "ops/failure.h"
#include "tests/ops/qr/factors.h"
#include "tests/ops/qr/qr.h"

enum { Q, R, P, H, TAU };

#define THRESHOLD 30

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* Overwrites the m x n matrix x, [R; 0] at first, by Q x. */
static void apply(const struct args *a, size_t s, long double *x, size_t n)
{
	const struct matrix *h = &a->out[H];
	const size_t m = matrix_rows(h), k = size_min(m, matrix_cols(h));

	for (size_t j = k; j-- > 0; )
		for (size_t c = 0; c < n; c++) {
			long double by = x[j * n + c];

			for (size_t i = j + 1; i < m; i++)
				by += factor_at(h, s, i, j) * x[i * n + c];
			by *= matrix_get(&a->out[TAU], s * k + j);
			x[j * n + c] -= by;
			for (size_t i = j + 1; i < m; i++)
				x[i * n + c] -= by * factor_at(h, s, i, j);
		}
}

static double norm(const long double *x, size_t n)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * x[i];
	return (double)sqrtl(sum);
}

/* Returns |A P - Q R| / (max(m,n) eps |A|). */
static double product_ratio(const struct args *a, size_t s)
{
	const struct matrix *x = &a->in[0], *p = &a->out[P];
	const size_t m = matrix_rows(x), n = matrix_cols(x);
	long double *e = calloc(m * n + 1, sizeof *e);
	const double eps = dtype_epsilon(a->dtype) / 2;
	double off;

	ck_assert_ptr_nonnull(e);
	for (size_t i = 0; i < m * n; i++)
		e[i] = i / n > i % n ? 0 :
		       factor_at(&a->out[H], s, i / n, i % n);
	apply(a, s, e, n);
	for (size_t i = 0; i < m * n; i++)
		e[i] -= factor_at(x, s, i / n, p->ndim == MATRIX_ABSENT ?
		                  i % n :
		                  (size_t)matrix_get(p, s * n + i % n));
	off = norm(e, m * n);
	free(e);
	return off == 0 ? 0 : off / ((double)size_max(m, n) * eps *
	                             factor_norm(x, s));
}

/* Returns |I - Q^T Q| / (m eps). */
static double q_ratio(const struct args *a, size_t s)
{
	const size_t m = matrix_rows(&a->in[0]);
	const size_t k = size_min(m, matrix_cols(&a->in[0]));
	long double *q = calloc(m * k + 1, sizeof *q), sum = 0;

	ck_assert_ptr_nonnull(q);
	for (size_t i = 0; i < m * k; i++)
		q[i] = i / k == i % k;
	apply(a, s, q, k);
	for (size_t i = 0; i < k * k; i++) {
		long double e = i % (k + 1) == 0;

		for (size_t l = 0; l < m; l++)
			e -= q[l * k + i / k] * q[l * k + i % k];
		sum += e * e;
	}
	free(q);
	return (double)sqrtl(sum) / ((double)size_max(m, 1) *
	                             dtype_epsilon(a->dtype) / 2);
}

static void check_one(const struct args *a, size_t s)
{
	ck_assert_double_lt(product_ratio(a, s), THRESHOLD);
	ck_assert_double_lt(q_ratio(a, s), THRESHOLD);
}

static void check_call(const struct args *a)
{
	ck_assert_int_eq(a->out[Q].ndim, MATRIX_ABSENT);
	ck_assert_int_eq(a->out[R].ndim, MATRIX_ABSENT);
	for (size_t s = 0; s < matrix_stack(&a->in[0]); s++)
		check_one(a, s);
	ck_assert_double_lt(a->verdict.residual, THRESHOLD);
	ck_assert_double_lt(a->verdict.orthogonality, THRESHOLD);
}

static void every_size(const struct variant *v)
{
	static const size_t sizes[][3] = {
		{ 1, 0, 0 }, { 2, 0, 3 }, { 2, 3, 0 }, { 0, 3, 3 }, { 1, 1, 1 },
		{ 2, 2, 1 }, { 2, 1, 2 }, { 3, 5, 3 }, { 3, 3, 5 },
		{ 2, 31, 33 }, { 1, 50, 10 }, { 2, 64, 64 }, { 1, 65, 63 },
		{ 1, 129, 97 }, { 2, 97, 129 }, { 2, 150, 33 }, { 1, 300, 16 },
		{ 1, 5000, 1 }, { 1, 3000, 16 }, { 1, 700, 64 },
	};

	for (size_t i = 0; i < 4 * COUNT(sizes); i++) {
		const size_t *z = sizes[i / 4];
		struct matrix x = random_matrix(reals[i % 2], (unsigned)i + 1,
		                                3, z[0], z[1], z[2]);
		struct args a;

		op_run("qr", &x, 1, &a, "variant", v->name, "mode", "raw",
		       "pivot", i % 4 < 2 ? "false" : "true", NULL);
		check_call(&a);
		args_fini(&a);
		matrix_fini(&x);
	}
}

START_TEST(every_shape_and_stack)
{
	each_variant("qr", every_size);
}
END_TEST

/* The measures of quality=full are those of this file, but for the roundoff of
 * the products, and estimates are near them. The reflections of small matrices
 * may be exact. */
static void verdicts(const struct variant *v)
{
	static const size_t sizes[][2] = {
		{ 40, 30 }, { 90, 70 }, { 70, 90 }, { 400, 35 }
	};

	for (size_t i = 0; i < 2 * COUNT(sizes); i++) {
		const size_t *z = sizes[i / 2];
		struct matrix x = random_matrix(FLOAT32, 9, 2, z[0], z[1]);
		double off, q;
		struct args a;

		op_run("qr", &x, 1, &a, "variant", v->name, "mode", "raw",
		       "quality", i % 2 ? "full" : "estimate", NULL);
		off = product_ratio(&a, 0);
		q = q_ratio(&a, 0);
		ck_assert_double_eq_tol(a.verdict.residual, off,
		                        i % 2 ? 1e-6 * off : 0.7 * off);
		ck_assert_double_eq_tol(a.verdict.orthogonality, q,
		                        i % 2 ? 1e-6 * q : 0.9 * q);
		args_fini(&a);
		matrix_fini(&x);
	}
}

START_TEST(the_verdict_is_true)
{
	each_variant("qr", verdicts);
}
END_TEST

/* Where no column is nearly dependent on others, h and tau are determined. */
static void lapacks(const struct variant *v)
{
	static const size_t sizes[][2] = {
		{ 7, 4 }, { 4, 7 }, { 60, 60 }, { 100, 130 }, { 210, 80 }
	};

	for (size_t i = 0; i < 2 * COUNT(sizes); i++) {
		const size_t *z = sizes[i / 2];
		struct matrix x = random_matrix(reals[i % 2], 3, 2, z[0], z[1]);
		const double tol = 1e4 * dtype_epsilon(reals[i % 2]);
		struct args a, b;

		op_run("qr", &x, 1, &a, "variant", v->name, "mode", "raw",
		       NULL);
		op_run("qr", &x, 1, &b, "variant", "host", "mode", "raw",
		       NULL);
		for (size_t e = 0; e < z[0] * z[1]; e++)
			ck_assert_double_eq_tol(matrix_get(&a.out[H], e),
			                        matrix_get(&b.out[H], e), tol);
		for (size_t e = 0; e < size_min(z[0], z[1]); e++)
			ck_assert_double_eq_tol(matrix_get(&a.out[TAU], e),
			                        matrix_get(&b.out[TAU], e),
			                        tol);
		args_fini(&a);
		args_fini(&b);
		matrix_fini(&x);
	}
}

START_TEST(the_reflections_are_lapacks)
{
	each_variant("qr", lapacks);
}
END_TEST

/* A column that is 0 below the diagonal has no reflection, as in LAPACK. */
static void diagonals(const struct variant *v)
{
	for (size_t i = 0; i < 4; i++) {
		const size_t n = i / 2 ? 80 : 5;
		struct matrix x = random_matrix(reals[i % 2], 3, 2, n, n);
		struct args a;

		for (size_t e = 0; e < n * n; e++)
			if (e / n > e % n)
				matrix_set(&x, e, 0);
		op_run("qr", &x, 1, &a, "variant", v->name, "mode", "raw",
		       NULL);
		for (size_t e = 0; e < n; e++)
			ck_assert_double_eq(matrix_get(&a.out[TAU], e), 0);
		for (size_t e = 0; e < n * n; e++)
			ck_assert_double_eq_tol(matrix_get(&a.out[H], e),
			                        matrix_get(&x, e), 1e-5);
		check_call(&a);
		args_fini(&a);
		matrix_fini(&x);
	}
}

START_TEST(triangles_have_no_reflections)
{
	each_variant("qr", diagonals);
}
END_TEST

/* Columns that differ little from multiples of each other, whose panels are
 * factored column by column; and elements near underflow. */
static void hard(const struct variant *v)
{
	for (size_t i = 0; i < 4; i++) {
		struct matrix x = random_matrix(reals[i % 2], 3, 2, (size_t)130,
		                                (size_t)100);
		struct args a;

		for (size_t e = 0; e < 130 * 100; e++)
			matrix_set(&x, e, i / 2 ?
			           ldexp(matrix_get(&x, e), -66) :
			           matrix_get(&x, e / 100 * 100) +
			           1e-7 * matrix_get(&x, e));
		op_run("qr", &x, 1, &a, "variant", v->name, "mode", "raw",
		       NULL);
		check_call(&a);
		args_fini(&a);
		matrix_fini(&x);
	}
}

START_TEST(hard_matrices)
{
	each_variant("qr", hard);
}
END_TEST

static void failures(const struct variant *v)
{
	static const size_t sizes[][2] = { { 5, 3 }, { 90, 70 } };

	for (size_t i = 0; i < 2 * COUNT(sizes); i++) {
		const size_t *z = sizes[i / 2];
		struct matrix x = random_matrix(reals[i % 2], 3, 3, (size_t)3,
		                                z[0], z[1]);
		struct args a;

		matrix_set(&x, z[0] * z[1] + 4, NAN);
		op_run("qr", &x, 1, &a, "variant", v->name, "mode", "raw",
		       NULL);
		ck_assert_uint_eq(a.failures, 1);
		ck_assert(args_has_failed(&a, 1));
		ck_assert(isnan(matrix_get(&a.out[H], z[0] * z[1])));
		ck_assert(isnan(matrix_get(&a.out[TAU],
		                           size_min(z[0], z[1]))));
		ck_assert_double_lt(a.verdict.residual, THRESHOLD);
		check_one(&a, 0);
		check_one(&a, 2);
		args_fini(&a);
		matrix_fini(&x);
	}
}

START_TEST(one_bad_matrix_fails_alone)
{
	each_variant("qr", failures);
}
END_TEST

static void outputs(const struct variant *v)
{
	struct matrix x = random_matrix(FLOAT64, 1, 2, (size_t)90, (size_t)70);
	struct args a;

	op_run("qr", &x, 1, &a, "variant", v->name, "mode", "raw", "return",
	       "tau", NULL);
	ck_assert_int_eq(a.out[H].ndim, MATRIX_ABSENT);
	ck_assert_uint_eq(matrix_elements(&a.out[TAU]), 70);
	ck_assert(isnan(a.verdict.residual));
	args_fini(&a);
	op_run("qr", &x, 1, &a, "variant", v->name, NULL);
	ck_assert_int_eq(a.out[H].ndim, MATRIX_ABSENT);
	ck_assert_int_eq(a.out[TAU].ndim, MATRIX_ABSENT);
	args_fini(&a);
	matrix_fini(&x);
}

START_TEST(only_raw_has_reflections)
{
	each_variant("qr", outputs);
}
END_TEST

void qr_add_raw_tests(TCase *c)
{
	tcase_add_test(c, every_shape_and_stack);
	tcase_add_test(c, the_verdict_is_true);
	tcase_add_test(c, the_reflections_are_lapacks);
	tcase_add_test(c, triangles_have_no_reflections);
	tcase_add_test(c, hard_matrices);
	tcase_add_test(c, one_bad_matrix_fails_alone);
	tcase_add_test(c, only_raw_has_reflections);
}

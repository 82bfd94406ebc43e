/* svd.c - tests that A = U S V^T holds within LAPACK's threshold, in every
 * variant and for every shape, and which calls are refused. */
#include <math.h>
#include <string.h>

#include "ops/lapack/lapack.h"
#include "ops/svd/svd.h"
#include "tests/ops/qr/factors.h"

enum { U, S, VH };

#define THRESHOLD 50

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* Singular value k of matrix s of the stack. */
static double value(const struct args *a, size_t s, size_t k)
{
	const struct matrix *m = &a->out[S];

	return matrix_get(m, s * m->dim[m->ndim - 1] + k);
}

/* |A - U S V^T| in the Frobenius norm. */
static double product_error(const struct args *a, size_t s, size_t values)
{
	const struct matrix *x = &a->in[0];
	double sum = 0;

	for (size_t i = 0; i < matrix_rows(x); i++)
		for (size_t j = 0; j < matrix_cols(x); j++) {
			double e = -factor_at(x, s, i, j);

			for (size_t k = 0; k < values; k++)
				e += factor_at(&a->out[U], s, i, k) *
				     value(a, s, k) *
				     factor_at(&a->out[VH], s, k, j);
			sum += e * e;
		}
	return sqrt(sum);
}

static void check_one(const struct args *a, size_t s)
{
	const struct matrix *x = &a->in[0];
	const size_t k = size_min(matrix_rows(x), matrix_cols(x));
	const double eps = dtype_epsilon(a->dtype) / 2 * THRESHOLD *
	                   (double)(matrix_rows(x) + matrix_cols(x));

	ck_assert_double_le(product_error(a, s, k), eps * factor_norm(x, s));
	ck_assert_double_le(factor_off_orthogonal(&a->out[U], s, false), eps);
	ck_assert_double_le(factor_off_orthogonal(&a->out[VH], s, true), eps);
	for (size_t i = 0; i < k; i++) {
		ck_assert_double_ge(value(a, s, i), 0);
		if (i > 0)
			ck_assert_double_le(value(a, s, i),
			                    value(a, s, i - 1));
	}
}

static void check_call(const struct args *a)
{
	for (size_t s = 0; s < matrix_stack(&a->in[0]); s++)
		check_one(a, s);
	ck_assert_double_lt(a->verdict.residual, THRESHOLD);
	ck_assert_double_lt(a->verdict.orthogonality, THRESHOLD);
	ck_assert(isnan(a->verdict.fallback));
}

/* Asserts that vectors=none gives the singular values that are in *a. */
static void check_values(const struct variant *v, const struct matrix *x,
                         const struct args *a)
{
	const double eps = dtype_epsilon(a->dtype) * THRESHOLD;
	struct args b;

	op_run("svd", x, 1, &b, "variant", v->name, "vectors", "none", NULL);
	ck_assert_int_eq(b.out[U].ndim, MATRIX_ABSENT);
	ck_assert_int_eq(b.out[VH].ndim, MATRIX_ABSENT);
	for (size_t i = 0; i < matrix_elements(&b.out[S]); i++)
		ck_assert_double_eq_tol(matrix_get(&b.out[S], i),
		                        matrix_get(&a->out[S], i),
		                        eps * factor_norm(x, 0) * 10);
	args_fini(&b);
}

static void check_size(const struct variant *v, size_t stack, size_t m,
                       size_t n)
{
	for (size_t i = 0; i < COUNT(reals); i++) {
		struct matrix x = random_matrix(reals[i],
		                                (unsigned)(7 * m + n), 3,
		                                stack, m, n);
		struct args a;

		op_run("svd", &x, 1, &a, "variant", v->name, "vectors",
		       "full", NULL);
		check_call(&a);
		args_fini(&a);
		op_run("svd", &x, 1, &a, "variant", v->name, NULL);
		check_call(&a);
		check_values(v, &x, &a);
		args_fini(&a);
		matrix_fini(&x);
	}
}

static void every_size(const struct variant *v)
{
	static const size_t sizes[][3] = {
		{ 1, 0, 0 }, { 2, 0, 3 }, { 2, 3, 0 }, { 0, 3, 3 }, { 1, 1, 1 },
		{ 2, 2, 1 }, { 2, 1, 2 }, { 3, 5, 3 }, { 3, 3, 5 }, { 5, 7, 7 },
		{ 2, 31, 33 }, { 1, 50, 10 }, { 1, 10, 50 }, { 2, 64, 64 },
		{ 1, 65, 63 }, { 1, 63, 65 }, { 1, 129, 97 }, { 1, 90, 129 },
		{ 1, 150, 145 }, { 1, 144, 150 },
		{ 9, 16, 12 }, { 5, 12, 32 }, { 4, 129, 97 }, { 4, 40, 129 },
	};

	for (size_t i = 0; i < COUNT(sizes); i++)
		check_size(v, sizes[i][0], sizes[i][1], sizes[i][2]);
}

START_TEST(every_shape_and_stack)
{
	each_variant("svd", every_size);
}
END_TEST

static void largest(const struct variant *v)
{
	static const size_t sizes[][2] = {
		{ 9, 6 }, { 6, 9 }, { 70, 66 }, { 150, 145 }, { 144, 150 },
	};

	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct matrix x = random_matrix(FLOAT64, 3, 3, (size_t)2,
		                                sizes[i][0], sizes[i][1]);
		struct args a, b;

		op_run("svd", &x, 1, &a, "variant", v->name, "k", "2", NULL);
		op_run("svd", &x, 1, &b, "variant", v->name, NULL);
		ck_assert_uint_eq(matrix_cols(&a.out[U]), 2);
		ck_assert_uint_eq(matrix_rows(&a.out[VH]), 2);
		ck_assert_double_lt(a.verdict.residual, THRESHOLD);
		for (size_t s = 0; s < 2; s++)
			for (size_t k = 0; k < 2; k++)
				ck_assert_double_eq_tol(value(&a, s, k),
				                        value(&b, s, k), 1e-12);
		ck_assert_double_le(factor_off_orthogonal(&a.out[U], 1, false),
		                    1e-13);
		ck_assert_double_le(factor_off_orthogonal(&a.out[VH], 1, true),
		                    1e-13);
		args_fini(&a);
		args_fini(&b);
		matrix_fini(&x);
	}
}

START_TEST(the_largest_alone)
{
	each_variant("svd", largest);
}
END_TEST

static void ranks(const struct variant *v)
{
	for (size_t i = 0; i < 2 * COUNT(reals); i++) {
		struct matrix x = random_matrix(reals[i / 2], 5, 3, (size_t)2,
		                                (size_t)20, (size_t)12);
		struct args a;

		for (size_t k = 0; k < 20; k++)
			for (size_t j = 4; j < 12; j++)
				matrix_set(&x, k * 12 + j, i % 2 ? 0 :
				           matrix_get(&x, k * 12 + j % 4));
		op_run("svd", &x, 1, &a, "variant", v->name, NULL);
		check_call(&a);
		ck_assert_double_gt(value(&a, 0, 3), 0.1);
		ck_assert_double_lt(value(&a, 0, 4), 1e-5);
		args_fini(&a);
		memset(matrix_data(&x), 0, matrix_size(&x));
		op_run("svd", &x, 1, &a, "variant", v->name, NULL);
		check_call(&a);
		ck_assert_double_eq(value(&a, 1, 0), 0);
		args_fini(&a);
		matrix_fini(&x);
	}
}

/* Asserts that a decomposition of a square matrix with two equal columns and a
 * column of zeros is right. */
static void large_ranks(const struct variant *v)
{
	const size_t n = 147;

	for (size_t i = 0; i < COUNT(reals); i++) {
		struct matrix x = random_matrix(reals[i], 5, 2, n, n);
		struct args a;

		for (size_t k = 0; k < n; k++) {
			matrix_set(&x, k * n + 7, matrix_get(&x, k * n + 99));
			matrix_set(&x, k * n + 40, 0);
		}
		op_run("svd", &x, 1, &a, "variant", v->name, NULL);
		check_call(&a);
		ck_assert_double_gt(value(&a, 0, n - 3), 1e-3);
		ck_assert_double_lt(value(&a, 0, n - 2), 1e-4);
		args_fini(&a);
		matrix_fini(&x);
	}
}

START_TEST(large_rank_deficient_matrices_do_so_too)
{
	each_variant("svd", large_ranks);
}
END_TEST

START_TEST(rank_deficient_matrices_have_orthogonal_vectors)
{
	each_variant("svd", ranks);
}
END_TEST

static void digits(const struct variant *v)
{
	factor_keeps_digits("svd", v, S, check_call);
}

START_TEST(tiny_matrices_keep_their_digits)
{
	each_variant("svd", digits);
}
END_TEST

static void failures(const struct variant *v)
{
	factor_fails_alone("svd", v, 3, 3, check_one);
	factor_fails_alone("svd", v, 66, 66, check_one);
	factor_fails_alone("svd", v, 146, 144, check_one);
}

START_TEST(one_bad_matrix_of_a_stack_fails_alone)
{
	each_variant("svd", failures);
}
END_TEST

START_TEST(impossible_calls_are_refused)
{
	struct matrix x = random_matrix(FLOAT64, 1, 2, (size_t)4, (size_t)3);
	struct err e[3] = { { 0 } };
	struct args a;

	ck_refused(op_try("svd", &x, 1, &a, &e[0], "k", "4", NULL), &e[0],
	           ERR_PARAMETER);
	ck_refused(op_try("svd", &x, 1, &a, &e[1], "k", "2", "vectors", "full",
	                  NULL), &e[1], ERR_PARAMETER);
	matrix_set(&x, 7, NAN);
	ck_refused(op_try("svd", &x, 1, &a, &e[2], NULL), &e[2],
	           ERR_NONFINITE);
	matrix_fini(&x);
}
END_TEST

/* These two functions replace DGESDD and DGESVD. They behave as LAPACK's do if
 * the iteration does not converge. */
static int gesdd_fails(int layout, char jobz, int m, int n, double *a, int lda,
                       double *s, double *u, int ldu, double *vt, int ldvt,
                       double *work, int lwork, int *iwork)
{
	(void)layout, (void)jobz, (void)m, (void)n, (void)lda, (void)s;
	(void)u, (void)ldu, (void)vt, (void)ldvt, (void)iwork;
	if (lwork == -1)
		*work = 1;
	else
		*a = NAN;
	return 1;
}

static int gesvd_fails(int layout, char jobu, char jobvt, int m, int n,
                       double *a, int lda, double *s, double *u, int ldu,
                       double *vt, int ldvt, double *work, int lwork)
{
	(void)layout, (void)jobu, (void)jobvt, (void)m, (void)n, (void)a;
	(void)lda, (void)s, (void)u, (void)ldu, (void)vt, (void)ldvt;
	if (lwork == -1)
		*work = 1;
	return 3;
}

START_TEST(where_gesdd_fails_gesvd_answers)
{
	struct matrix x = random_matrix(FLOAT64, 1, 2, (size_t)70, (size_t)66);
	struct err e = { 0 };
	struct lapack *l = (struct lapack *)lapack_load(NULL, 1, &e);
	const struct lapack_d own = l->d;
	struct args a;

	l->d.gesdd = gesdd_fails;
	op_run("svd", &x, 1, &a, "variant", "host", NULL);
	ck_assert_double_eq(a.verdict.fallback, 1);
	check_one(&a, 0);
	args_fini(&a);
	l->d.gesvd = gesvd_fails;
	ck_refused(op_try("svd", &x, 1, &a, &e, "variant", "host", NULL), &e,
	           ERR_CONVERGENCE);
	l->d = own;
	matrix_fini(&x);
}
END_TEST

/* Returns takes() for an m x n float64 matrix and a device that reports `local`
 * bytes of local memory. */
static bool fits(bool (*takes)(const struct args *a, const struct sheet *d),
                 size_t m, size_t n, size_t local)
{
	struct sheet d = *device_sheet(test_device);
	struct err e = { 0 };
	struct args a;

	d.local_memory_bytes = local;
	d.max_work_group_size = 1024;
	d.float64 = true;
	args_init(&a, op_find("svd"));
	a.in[0] = (struct matrix){ .dtype = FLOAT64, .ndim = 2,
	                           .dim = { m, n } };
	ck_ok(args_check(&a, &e), &e);
	return takes(&a, &d);
}

/* The arrays of 109 x 48 elements take 48776 bytes of local memory, of which
 * NVIDIA's driver grants less than the 49152 that it reports. */
START_TEST(the_driver_keeps_some_local_memory)
{
	ck_assert(fits(svd_jacobi_fits, 107, 48, 48 << 10));
	ck_assert(!fits(svd_jacobi_fits, 109, 48, 48 << 10));
	ck_assert(fits(svd_jacobi_fits, 109, 48, 64 << 10));
	ck_assert(fits(svd_jacobi_fits, 48, 48, 32 << 10));
	ck_assert(!fits(svd_jacobi_fits, 64, 64, 32 << 10));
	ck_assert(fits(svd_bidiagonal_fits, 40, 40, 32 << 10));
	ck_assert(!fits(svd_bidiagonal_fits, 40, 40, 400));
}
END_TEST

START_TEST(failing_calls_are_survived)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)5, (size_t)4);

	op_survives_failing_calls("svd", &a, 1);
	matrix_fini(&a);
}
END_TEST

TCase *tcase_svd(void)
{
	TCase *c = tcase_create("svd");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, every_shape_and_stack);
	tcase_add_test(c, the_largest_alone);
	tcase_add_test(c, rank_deficient_matrices_have_orthogonal_vectors);
	tcase_add_test(c, large_rank_deficient_matrices_do_so_too);
	tcase_add_test(c, tiny_matrices_keep_their_digits);
	tcase_add_test(c, one_bad_matrix_of_a_stack_fails_alone);
	tcase_add_test(c, impossible_calls_are_refused);
	tcase_add_test(c, where_gesdd_fails_gesvd_answers);
	tcase_add_test(c, the_driver_keeps_some_local_memory);
	tcase_add_test(c, failing_calls_are_survived);
	return c;
}

/* rank.c - tests of lstsq without its singular values: the rank is that which
 * these have, however near the threshold one is, and x is that of LAPACK's
 * singular value decomposition. */
#include <math.h>
#include <stdlib.h>

#include "ops/failure.h"
#include "ops/lapack/lapack.h"
#include "tests/ops/lstsq/lstsq.h"

enum { X, RANK };

#define THRESHOLD 30

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* Reflects rows (columns) of the m x n matrix at a random vector. */
static void reflect(double *a, size_t m, size_t n, bool rows, unsigned seed)
{
	const size_t length = rows ? m : n, count = rows ? n : m;
	const size_t step = rows ? n : 1, next = rows ? 1 : n;
	struct matrix v = random_matrix(FLOAT64, seed, 1, length);
	double square = 0;

	for (size_t i = 0; i < length; i++)
		square += pow(matrix_get(&v, i), 2);
	for (size_t c = 0; c < count; c++) {
		double *const x = a + c * next, sum = 0;

		for (size_t i = 0; i < length; i++)
			sum += matrix_get(&v, i) * x[i * step];
		for (size_t i = 0; i < length; i++)
			x[i * step] -= 2 * sum / square * matrix_get(&v, i);
	}
	matrix_fini(&v);
}

/* Makes an m x n matrix with the singular values s. */
static struct matrix spectral(enum dtype t, size_t m, size_t n, const double *s,
                              unsigned seed)
{
	double *const a = calloc(m * n, sizeof *a);
	struct matrix x;

	for (size_t i = 0; i < size_min(m, n); i++)
		a[i * n + i] = s[i];
	for (unsigned i = 0; i < 3; i++) {
		reflect(a, m, n, true, 8 * seed + i);
		reflect(a, m, n, false, 8 * seed + 4 + i);
	}
	x = matrix_of(FLOAT64, a, 2, m, n);
	free(a);
	if (t == FLOAT32) {
		struct matrix narrow = random_matrix(t, 1, 2, m, n);

		for (size_t e = 0; e < m * n; e++)
			matrix_set(&narrow, e, matrix_get(&x, e));
		matrix_fini(&x);
		return narrow;
	}
	return x;
}

/* |x - y| / |y| over all elements */
static double off(const struct matrix *x, const struct matrix *y)
{
	double sum = 0, all = 0;

	for (size_t e = 0; e < matrix_elements(x); e++) {
		sum += pow(matrix_get(x, e) - matrix_get(y, e), 2);
		all += pow(matrix_get(y, e), 2);
	}
	return sqrt(sum / all);
}

/* Solves with and without the singular values, and compares the results. */
static void compare(const struct matrix *in, const char *variant,
                    const char *rcond, size_t rank, double error)
{
	struct args r, l;

	op_run("lstsq", in, 2, &r, "variant", variant, "rcond", rcond,
	       "return", "x,rank", NULL);
	op_run("lstsq", in, 2, &l, "variant", "host", "rcond", rcond, "return",
	       "x,rank,s", NULL);
	ck_assert_double_eq(matrix_get(&r.out[RANK], 0), (double)rank);
	ck_assert_double_eq(matrix_get(&l.out[RANK], 0), (double)rank);
	ck_assert_double_lt(r.verdict.residual, THRESHOLD);
	ck_assert_double_le(off(&r.out[X], &l.out[X]), error);
	args_fini(&r);
	args_fini(&l);
}

/* Sets s to k singular values from 1 to 0.1, of which the last `few` are by
 * `part` of 0.001. */
static void set_values(double *s, size_t k, size_t few, double part)
{
	for (size_t i = 0; i < k; i++)
		s[i] = i + few < k ? 1 - 0.9 * (double)i / (double)k :
		                     part * 1e-3;
}

static void one_matrix(const char *variant, enum dtype t, const size_t *z,
                       size_t few, double part, unsigned seed)
{
	const size_t k = size_min(z[0], z[1]);
	double *const s = malloc(k * sizeof *s);
	struct matrix in[2];

	set_values(s, k, few, part);
	in[0] = spectral(t, z[0], z[1], s, seed);
	in[1] = random_matrix(t, seed + 1, 2, z[0], z[2]);
	compare(in, variant, "0.001", part > 1 ? k : k - few,
	        1e5 * dtype_epsilon(t));
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
	free(s);
}

/* Tall, square and wide matrices, and matrices with fewer columns than the
 * vectors of the proof. */
static const size_t sizes[][3] = {
	{ 60, 40, 1 }, { 40, 40, 3 }, { 30, 70, 2 }, { 9, 7, 1 }, { 5, 12, 4 },
	{ 1100, 20, 1 }, { 20, 1100, 2 },
};

START_TEST(no_value_near_the_threshold_is_mistaken)
{
	static const double parts[] = { 0.01, 0.5, 0.9, 1.1, 2, 20 };
	const double part = parts[_i];

	for (size_t i = 0; i < 2 * COUNT(sizes); i++)
		for (unsigned seed = 0; seed < 12; seed++)
			one_matrix("host", reals[i % 2], sizes[i / 2],
			           1 + seed % 3, part, 1 + seed);
}
END_TEST

/* From 10^-140 to 10^140, of which the extreme ones are left to LAPACK. */
START_TEST(every_scale_has_the_same_rank)
{
	double s[30];

	for (int by = -140; by <= 140; by += 14) {
		struct matrix in[2];

		set_values(s, 30, 2, by % 4 == 0 ? 0.8 : 1.3);
		in[0] = spectral(FLOAT64, 45, 30, s, 7);
		in[1] = random_matrix(FLOAT64, 8, 2, (size_t)45, (size_t)2);
		for (size_t e = 0; e < 45 * 30; e++)
			matrix_set(&in[0], e, matrix_get(&in[0], e) *
			           pow(10, by));
		compare(in, "host", "0.001", by % 4 == 0 ? 28 : 30, 1e-10);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

/* Twenty values that count as 0 are more than the proof has vectors. */
START_TEST(many_values_may_count_as_0)
{
	const size_t z[] = { 70, 50, 2 };

	for (size_t few = 14; few <= 20; few += 2)
		for (size_t i = 0; i < 2; i++)
			one_matrix("host", reals[i], z, few, 0.3, 5);
}
END_TEST

/* Sizes of matrices that the variant for devices does not leave to the host. */
static const size_t large[][3] = {
	{ 400, 60, 1 }, { 150, 150, 2 }, { 1200, 14, 20 },
};

START_TEST(devices_find_the_same_rank)
{
	static const double parts[] = { 0.5, 0.9, 1.05, 1.2, 2 };

	for (size_t i = 0; i < 2 * COUNT(large) * COUNT(parts); i++)
		one_matrix("normal", reals[i % 2],
		           large[i / 2 % COUNT(large)],
		           1 + i % 2, parts[i / 2 / COUNT(large)],
		           3 + (unsigned)i);
}
END_TEST

/* These functions stand in for SGELSD and SGELSS, and report a failure as
 * LAPACK does. */
static int gelsd_s_fails(int layout, int m, int n, int nrhs, float *a, int lda,
                         float *b, int ldb, float *s, float rcond, int *rank,
                         float *work, int lwork, int *iwork)
{
	(void)layout, (void)m, (void)n, (void)nrhs, (void)a, (void)lda;
	(void)b, (void)ldb, (void)s, (void)rcond, (void)rank;
	if (lwork == -1)
		*work = 1, *iwork = 1;
	return 1;
}

static int gelss_s_fails(int layout, int m, int n, int nrhs, float *a, int lda,
                         float *b, int ldb, float *s, float rcond, int *rank,
                         float *work, int lwork)
{
	int none;

	return gelsd_s_fails(layout, m, n, nrhs, a, lda, b, ldb, s, rcond,
	                     rank, work, lwork, &none);
}

static int gelsd_d_fails(int layout, int m, int n, int nrhs, double *a,
                         int lda, double *b, int ldb, double *s, double rcond,
                         int *rank, double *work, int lwork, int *iwork)
{
	(void)layout, (void)m, (void)n, (void)nrhs, (void)a, (void)lda;
	(void)b, (void)ldb, (void)s, (void)rcond, (void)rank;
	if (lwork == -1)
		*work = 1, *iwork = 1;
	return 1;
}

static int gelss_d_fails(int layout, int m, int n, int nrhs, double *a,
                         int lda, double *b, int ldb, double *s, double rcond,
                         int *rank, double *work, int lwork)
{
	int none;

	return gelsd_d_fails(layout, m, n, nrhs, a, lda, b, ldb, s, rcond,
	                     rank, work, lwork, &none);
}

static struct lapack own;

void lstsq_block_svd(void)
{
	struct err e = { 0 };
	struct lapack *l = (struct lapack *)lapack_load(NULL, 1, &e);

	own = *l;
	l->s.gelsd = gelsd_s_fails;
	l->s.gelss = gelss_s_fails;
	l->d.gelsd = gelsd_d_fails;
	l->d.gelss = gelss_d_fails;
}

void lstsq_unblock_svd(void)
{
	struct err e = { 0 };

	*(struct lapack *)lapack_load(NULL, 1, &e) = own;
}

/* Solves without LAPACK's singular values, by the given variant. */
static void alone(const struct matrix *in, const char *variant,
                  const char *rcond, size_t rank)
{
	struct args r;

	lstsq_block_svd();
	op_run("lstsq", in, 2, &r, "variant", variant, "rcond", rcond,
	       "return", "x,rank", NULL);
	lstsq_unblock_svd();
	ck_assert_double_eq(matrix_get(&r.out[RANK], 0), (double)rank);
	ck_assert_double_lt(r.verdict.residual, THRESHOLD);
	args_fini(&r);
}

/* Solves a system whose last two singular values are `part` thresholds. */
static void clear(const char *variant, enum dtype t, const size_t *z,
                  double part)
{
	const size_t k = size_min(z[0], z[1]), few = 2;
	double *const s = malloc(k * sizeof *s);
	struct matrix in[2];

	set_values(s, k, few, part);
	in[0] = spectral(t, z[0], z[1], s, 3);
	in[1] = random_matrix(t, 4, 2, z[0], z[2]);
	alone(in, variant, "0.001", part < 1 ? k - few : k);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
	free(s);
}

START_TEST(a_clear_rank_needs_no_singular_values)
{
	static const double parts[] = { 0.8, 1.25, 100 };

	for (size_t p = 0; p < COUNT(parts); p++) {
		for (size_t i = 0; i < 2 * COUNT(sizes); i++)
			clear("host", reals[i % 2], sizes[i / 2], parts[p]);
		for (size_t i = 0; i < COUNT(large); i++)
			clear("normal", FLOAT32, large[i], parts[p]);
	}
}
END_TEST

/* Float64 matrices with the condition number 10^10 need the QR
 * factorization. */
START_TEST(ill_conditioned_systems_of_full_rank_need_none)
{
	for (size_t i = 0; i < COUNT(sizes); i++) {
		const size_t *const z = sizes[i], k = size_min(z[0], z[1]);
		double *const s = malloc(k * sizeof *s);
		struct matrix in[2];

		set_values(s, k, 1, 1e-7);
		in[0] = spectral(FLOAT64, z[0], z[1], s, 3);
		in[1] = random_matrix(FLOAT64, 4, 2, z[0], z[2]);
		alone(in, "host", "1e-13", k);
		compare(in, "host", "1e-13", k, 1e-3);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
		free(s);
	}
}
END_TEST

START_TEST(values_that_count_as_0_may_differ)
{
	static const double s[] = { 1, 0.9, 0.8, 0.2, 0.01, 1e-4, 1e-7 };

	for (size_t i = 0; i < COUNT(reals); i++) {
		struct matrix in[] = {
			spectral(reals[i], 40, COUNT(s), s, 6),
			random_matrix(reals[i], 7, 1, (size_t)40),
		};

		compare(in, "host", "0.4", 3, 200 * dtype_epsilon(reals[i]));
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

/* Columns of very different lengths, and values that decrease evenly from 1 to
 * 10^-12: most of them count as 0. */
START_TEST(graded_systems_have_lapacks_rank)
{
	enum { N = 60 };
	double s[N];

	for (size_t i = 0; i < N; i++)
		s[i] = pow(10, -12 * (double)i / (N - 1));
	for (size_t i = 0; i < COUNT(reals); i++) {
		struct matrix in[] = {
			spectral(reals[i], 80, N, s, 6),
			random_matrix(reals[i], 7, 2, (size_t)80, (size_t)2),
		};

		compare(in, "host", "1.5e-3", 14, 1e5 *
		        dtype_epsilon(reals[i]));
		matrix_fini(&in[0]);
		in[0] = random_matrix(reals[i], 6, 2, (size_t)80, (size_t)N);
		for (size_t e = 0; e < 80 * N; e++)
			matrix_set(&in[0], e, pow(0.7, (double)(e % N)) *
			           matrix_get(&in[0], e));
		if (reals[i] == FLOAT64)
			alone(in, "host", "1e-30", N);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

START_TEST(a_matrix_of_zeros_has_rank_0)
{
	for (size_t i = 0; i < COUNT(reals); i++) {
		struct matrix in[] = {
			random_matrix(reals[i], 6, 2, (size_t)30, (size_t)20),
			random_matrix(reals[i], 7, 1, (size_t)30),
		};
		struct args r;

		for (size_t e = 0; e < 600; e++)
			matrix_set(&in[0], e, 0);
		op_run("lstsq", in, 2, &r, "return", "x,rank", NULL);
		ck_assert_double_eq(matrix_get(&r.out[RANK], 0), 0);
		for (size_t j = 0; j < 20; j++)
			ck_assert_double_eq(matrix_get(&r.out[X], j), 0);
		args_fini(&r);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

void lstsq_add_rank_tests(TCase *c)
{
	tcase_add_loop_test(c, no_value_near_the_threshold_is_mistaken, 0, 6);
	tcase_add_test(c, every_scale_has_the_same_rank);
	tcase_add_test(c, many_values_may_count_as_0);
	tcase_add_test(c, devices_find_the_same_rank);
	tcase_add_test(c, a_clear_rank_needs_no_singular_values);
	tcase_add_test(c, ill_conditioned_systems_of_full_rank_need_none);
	tcase_add_test(c, values_that_count_as_0_may_differ);
	tcase_add_test(c, graded_systems_have_lapacks_rank);
	tcase_add_test(c, a_matrix_of_zeros_has_rank_0);
}

/* lstsq.c - tests that x satisfies the normal equations for every shape and
 * rank and that it is the shortest such x, that stacks broadcast, and which
 * calls are refused. */
#include <math.h>
#include <string.h>

#include "ops/failure.h"
#include "ops/lapack/lapack.h"
#include "tests/ops/lstsq/lstsq.h"

enum { X, RANK, S };

#define THRESHOLD 30

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* One system of a stack. */
struct system {
	size_t m, n, sides;
	const struct matrix *a, *b, *x;
	size_t at_a, at_b, at_x;	/* indices of its first elements */
};

static double a_of(const struct system *y, size_t i, size_t j)
{
	return matrix_get(y->a, y->at_a + i * y->n + j);
}

static double x_of(const struct system *y, size_t j, size_t c)
{
	return matrix_get(y->x, y->at_x + j * y->sides + c);
}

static double b_of(const struct system *y, size_t i, size_t c)
{
	return matrix_get(y->b, y->at_b + i * y->sides + c);
}

static double norm_a(const struct system *y)
{
	double sum = 0;

	for (size_t i = 0; i < y->m; i++)
		for (size_t j = 0; j < y->n; j++)
			sum += a_of(y, i, j) * a_of(y, i, j);
	return sqrt(sum);
}

/* |A^T (b - A x)| / (|A| (|A| |x| + |b|)) for right-hand side c. */
static double normal_error(const struct system *y, size_t c)
{
	double *r = calloc(y->m + 1, sizeof *r), b = 0, x = 0, g = 0;
	const double a = norm_a(y);

	for (size_t j = 0; j < y->n; j++)
		x += x_of(y, j, c) * x_of(y, j, c);
	for (size_t i = 0; i < y->m; i++) {
		r[i] = b_of(y, i, c);
		b += r[i] * r[i];
		for (size_t j = 0; j < y->n; j++)
			r[i] -= a_of(y, i, j) * x_of(y, j, c);
	}
	for (size_t j = 0; j < y->n; j++) {
		double sum = 0;

		for (size_t i = 0; i < y->m; i++)
			sum += a_of(y, i, j) * r[i];
		g += sum * sum;
	}
	free(r);
	return g == 0 ? 0 : sqrt(g) / (a * (a * sqrt(x) + sqrt(b)));
}

static void check_system(const struct system *y, double eps)
{
	const double unit = THRESHOLD * eps *
	                    (double)size_max(size_max(y->m, y->n), y->sides);

	for (size_t c = 0; c < y->sides; c++)
		ck_assert_double_le(normal_error(y, c), unit);
}

static void check_call(const struct args *r)
{
	const struct matrix *a = &r->in[0], *b = &r->in[1];
	struct system y = {
		.m = matrix_rows(a), .n = matrix_cols(a),
		.sides = b->ndim > 1 ? matrix_cols(b) : 1,
		.a = a, .b = b, .x = &r->out[X],
	};

	for (size_t s = 0; s < matrix_stack(a); s++) {
		y.at_a = s * y.m * y.n;
		y.at_b = s * y.m * y.sides;
		y.at_x = s * y.n * y.sides;
		check_system(&y, dtype_epsilon(r->dtype));
	}
	if (y.m > 0 && y.n > 0 && y.sides > 0)
		ck_assert_double_lt(r->verdict.residual, THRESHOLD);
}

START_TEST(every_shape_and_stack)
{
	static const size_t sizes[][4] = {
		{ 1, 0, 0, 1 }, { 2, 0, 3, 2 }, { 2, 3, 0, 1 }, { 0, 3, 3, 1 },
		{ 1, 1, 1, 1 }, { 2, 2, 1, 3 }, { 2, 1, 2, 1 }, { 3, 5, 3, 0 },
		{ 3, 3, 5, 7 }, { 2, 50, 10, 2 }, { 1, 10, 50, 60 },
		{ 3, 33, 33, 1 }, { 1, 97, 60, 5 },
	};

	for (size_t i = 0; i < COUNT(sizes) * COUNT(reals); i++) {
		const size_t *z = sizes[i / 2];
		struct matrix in[] = {
			random_matrix(reals[i % 2], (unsigned)i + 1, 3, z[0],
			              z[1], z[2]),
			random_matrix(reals[i % 2], (unsigned)i + 99, 3, z[0],
			              z[1], z[3]),
		};
		struct args r;

		op_run("lstsq", in, 2, &r, "quality", i % 3 ? "full" :
		       "estimate", NULL);
		ck_assert_uint_eq(matrix_rows(&r.out[X]), z[2]);
		ck_assert_uint_eq(matrix_cols(&r.out[X]), z[3]);
		for (size_t s = 0; s < z[0]; s++)
			ck_assert_double_eq(matrix_get(&r.out[RANK], s),
			                    (double)size_min(z[1], z[2]));
		check_call(&r);
		args_fini(&r);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

/* A has repeated columns, for which the shortest x has equal elements. */
START_TEST(every_rank_gives_the_shortest_x)
{
	enum { M = 12, N = 8 };

	for (size_t i = 0; i < 2 * 5; i++) {
		const enum dtype t = reals[i % 2];
		const size_t rank = i / 2;
		struct matrix in[] = {
			random_matrix(t, 3, 2, (size_t)M, (size_t)N),
			random_matrix(t, 4, 1, (size_t)M),
		};
		struct args r;

		for (size_t k = 0; k < M; k++)
			for (size_t j = rank; j < N; j++)
				matrix_set(&in[0], k * N + j, rank == 0 ? 0 :
				    matrix_get(&in[0], k * N + j % rank));
		op_run("lstsq", in, 2, &r, NULL);
		ck_assert_int_eq(r.out[X].ndim, 1);
		ck_assert_double_eq(matrix_get(&r.out[RANK], 0), (double)rank);
		check_call(&r);
		for (size_t j = 0; j < N; j++)
			ck_assert_double_eq_tol(matrix_get(&r.out[X], j),
			    rank == 0 ? 0 : matrix_get(&r.out[X], j % rank),
			    1000 * dtype_epsilon(t));
		args_fini(&r);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

START_TEST(rcond_decides_the_rank)
{
	static const double d[] = { 1, 0, 0, 0, 0x1p-10, 0, 0, 0, 0x1p-20 };
	static const double ones[] = { 1, 1, 1 };
	static const char *const rconds[] = { "0", "1e-4", "0.5" };

	for (size_t i = 0; i < COUNT(rconds); i++) {
		struct matrix in[] = {
			matrix_of(FLOAT64, d, 2, (size_t)3, (size_t)3),
			matrix_of(FLOAT64, ones, 1, (size_t)3),
		};
		struct args r;

		op_run("lstsq", in, 2, &r, "rcond", rconds[i], NULL);
		ck_assert_double_eq(matrix_get(&r.out[RANK], 0), 3 - (double)i);
		ck_assert_double_eq_tol(matrix_get(&r.out[X], 1),
		                        i < 2 ? 0x1p10 : 0, 1e-9);
		ck_assert_double_eq_tol(matrix_get(&r.out[S], 2), 0x1p-20,
		                        1e-15);
		ck_assert_double_lt(r.verdict.residual, THRESHOLD);
		args_fini(&r);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

/* An a of 2 x 1 x 3 x 2 and a b of 4 x 3 x 1 make eight systems. */
START_TEST(stacks_broadcast)
{
	struct matrix in[] = {
		random_matrix(FLOAT64, 1, 4, (size_t)2, (size_t)1, (size_t)3,
		              (size_t)2),
		random_matrix(FLOAT64, 2, 3, (size_t)4, (size_t)3, (size_t)1),
	};
	struct args r;

	op_run("lstsq", in, 2, &r, NULL);
	ck_assert_uint_eq(r.stack, 8);
	ck_assert_int_eq(r.out[X].ndim, 4);
	ck_assert_uint_eq(matrix_elements(&r.out[S]), 16);
	for (size_t s = 0; s < 8; s++) {
		const struct system y = {
			.m = 3, .n = 2, .sides = 1, .a = &in[0], .b = &in[1],
			.x = &r.out[X], .at_a = s / 4 * 6, .at_b = s % 4 * 3,
			.at_x = s * 2,
		};

		check_system(&y, 2.3e-16);
	}
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(tiny_matrices_keep_their_digits)
{
	for (size_t i = 0; i < COUNT(reals); i++) {
		const int by = reals[i] == FLOAT32 ? 66 : 950;
		struct matrix in[] = {
			random_matrix(reals[i], 3, 2, (size_t)7, (size_t)5),
			random_matrix(reals[i], 4, 1, (size_t)7),
		};
		struct args r, t;

		op_run("lstsq", in, 2, &r, NULL);
		for (size_t k = 0; k < 35; k++)
			matrix_set(&in[0], k, ldexp(matrix_get(&in[0], k),
			                            -by));
		for (size_t k = 0; k < 7; k++)
			matrix_set(&in[1], k, ldexp(matrix_get(&in[1], k),
			                            -by));
		op_run("lstsq", in, 2, &t, NULL);
		ck_assert_double_lt(t.verdict.residual, THRESHOLD);
		for (size_t k = 0; k < 5; k++)
			ck_assert_double_eq_tol(matrix_get(&t.out[X], k),
			    matrix_get(&r.out[X], k), 100 *
			    dtype_epsilon(reals[i]));
		args_fini(&r);
		args_fini(&t);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

START_TEST(one_bad_system_of_a_stack_fails_alone)
{
	for (int bad = 0; bad < 2; bad++) {
		struct matrix in[] = {
			random_matrix(FLOAT32, 3, 3, (size_t)3, (size_t)4,
			              (size_t)2),
			random_matrix(FLOAT32, 4, 3, (size_t)3, (size_t)4,
			              (size_t)1),
		};
		struct args r;

		matrix_set(&in[bad], bad ? 5 : 9, NAN);
		op_run("lstsq", in, 2, &r, NULL);
		ck_assert_uint_eq(r.failures, 1);
		ck_assert(args_has_failed(&r, 1));
		ck_assert_int_eq(r.first_failure.detail.at, bad);
		ck_assert(isnan(matrix_get(&r.out[X], 2)));
		ck_assert(isfinite(matrix_get(&r.out[X], 4)));
		ck_assert_double_lt(r.verdict.residual, THRESHOLD);
		args_fini(&r);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

START_TEST(impossible_calls_are_refused)
{
	struct matrix in[] = {
		random_matrix(FLOAT64, 1, 2, (size_t)4, (size_t)3),
		random_matrix(FLOAT64, 1, 1, (size_t)3),
		random_matrix(FLOAT64, 1, 1, (size_t)4),
	};
	struct err e[3] = { { 0 } };
	struct args r;

	ck_refused(op_try("lstsq", in, 2, &r, &e[0], NULL), &e[0], ERR_SHAPE);
	in[1] = in[2];
	ck_refused(op_try("lstsq", in, 2, &r, &e[1], "rcond", "1", NULL), &e[1],
	           ERR_PARAMETER);
	matrix_set(&in[2], 2, INFINITY);
	ck_refused(op_try("lstsq", in, 2, &r, &e[2], NULL), &e[2],
	           ERR_NONFINITE);
	ck_assert_str_eq(e[2].pointer, "/b");
	matrix_fini(&in[0]);
	matrix_fini(&in[2]);
}
END_TEST

/* Replaces DGELSD, and behaves as LAPACK's does if it does not converge. */
static int gelsd_fails(int layout, int m, int n, int nrhs, double *a, int lda,
                       double *b, int ldb, double *s, double rcond, int *rank,
                       double *work, int lwork, int *iwork)
{
	(void)layout, (void)m, (void)n, (void)nrhs, (void)lda, (void)ldb;
	(void)s, (void)rcond, (void)rank;
	if (lwork == -1)
		*work = *iwork = 1;
	else
		*a = *b = NAN;
	return 1;
}

START_TEST(where_gelsd_fails_gelss_answers)
{
	struct matrix in[] = {
		random_matrix(FLOAT64, 3, 2, (size_t)9, (size_t)5),
		random_matrix(FLOAT64, 4, 1, (size_t)9),
	};
	struct err e = { 0 };
	struct lapack *l = (struct lapack *)lapack_load(NULL, 1, &e);
	const struct lapack_d own = l->d;
	struct args r;

	l->d.gelsd = gelsd_fails;
	op_run("lstsq", in, 2, &r, NULL);
	l->d = own;
	ck_assert_double_eq(r.verdict.fallback, 1);
	check_call(&r);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

TCase *tcase_lstsq(void)
{
	TCase *c = tcase_create("lstsq");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, every_shape_and_stack);
	tcase_add_test(c, every_rank_gives_the_shortest_x);
	tcase_add_test(c, rcond_decides_the_rank);
	tcase_add_test(c, stacks_broadcast);
	tcase_add_test(c, tiny_matrices_keep_their_digits);
	tcase_add_test(c, one_bad_system_of_a_stack_fails_alone);
	tcase_add_test(c, impossible_calls_are_refused);
	tcase_add_test(c, where_gelsd_fails_gelss_answers);
	lstsq_add_normal_tests(c);
	lstsq_add_rank_tests(c);
	return c;
}

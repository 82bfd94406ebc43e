/* normal.c - tests that variant `normal` of lstsq gives the answers of LAPACK
 * for every condition number, rank and scale, without LAPACK where A is not
 * ill-conditioned and the singular values are not wanted. */
#include <math.h>

#include "ops/failure.h"
#include "tests/ops/lstsq/lstsq.h"

enum { X, RANK, S };

#define THRESHOLD 30

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* Makes a stack of m x n matrices whose columns become more and more alike: the
 * condition number is about that of 1 / mix. */
static struct matrix mixed(enum dtype t, size_t stack, size_t m, size_t n,
                           double mix)
{
	struct matrix x = random_matrix(t, 7, 3, stack, m, n);

	for (size_t e = 0; e < stack * m * n; e++)
		if (e % n > 0)
			matrix_set(&x, e, mix * matrix_get(&x, e) +
			           (1 - mix) * matrix_get(&x, e - e % n));
	return x;
}

/* |x - y| / |y| over all elements */
static double off(const struct matrix *x, const struct matrix *y)
{
	double sum = 0, all = 0;

	ck_assert_uint_eq(matrix_elements(x), matrix_elements(y));
	for (size_t e = 0; e < matrix_elements(x); e++) {
		const double was = matrix_get(y, e);

		sum += pow(matrix_get(x, e) - was, 2);
		all += was * was;
	}
	return all > 0 ? sqrt(sum / all) : sqrt(sum);
}

/* Compares both variants for the operands, with at most `error` in x. */
static void compare(const struct matrix *in, const char *returned,
                    const char *rcond, double error)
{
	struct args r, l;

	op_run("lstsq", in, 2, &r, "variant", "normal", "return", returned,
	       "rcond", rcond, NULL);
	op_run("lstsq", in, 2, &l, "variant", "host", "return", returned,
	       "rcond", rcond, NULL);
	ck_assert_double_lt(r.verdict.residual, THRESHOLD);
	ck_assert_double_le(off(&r.out[X], &l.out[X]), error);
	if (r.out[RANK].ndim != MATRIX_ABSENT)
		ck_assert_double_eq(off(&r.out[RANK], &l.out[RANK]), 0);
	if (r.out[S].ndim != MATRIX_ABSENT)
		ck_assert_double_lt(off(&r.out[S], &l.out[S]),
		                    100 * dtype_epsilon(r.dtype));
	args_fini(&r);
	args_fini(&l);
}

static void every_condition(size_t m, size_t n)
{
	static const char *const returned[] = { "x", "x,rank", "x,rank,s" };
	static const double mixes[] = { 1, 1e-2, 1e-5, 1e-12 };

	for (size_t i = 0; i < 2 * COUNT(mixes) * COUNT(returned); i++) {
		const enum dtype t = reals[i % 2];
		const double mix = mixes[i / 2 % COUNT(mixes)];
		const bool regular = mix > 10 * dtype_epsilon(t) * m;
		struct matrix in[] = {
			mixed(t, 1, m, n, mix),
			random_matrix(t, 4, 3, (size_t)1, m, (size_t)3),
		};

		compare(in, returned[i / 2 / COUNT(mixes)], "1e-30",
		        regular ? 2 * (double)n * dtype_epsilon(t) / mix :
		                  INFINITY);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}

START_TEST(every_condition_gives_lapacks_answer)
{
	every_condition(700, 67);
	every_condition(300, 151);	/* by singular values on the device */
}
END_TEST

/* Half of the columns nearly repeat the others: their singular values count as
 * 0, and x is the shortest one of the remaining problem. */
static void half_count(size_t m, size_t n)
{
	for (size_t i = 0; i < COUNT(reals); i++) {
		const enum dtype t = reals[i];
		struct matrix in[] = {
			random_matrix(t, 7, 2, m, n),
			random_matrix(t, 4, 1, m),
		};

		for (size_t e = 0; e < m * n; e++)
			if (e % n >= n / 2)
				matrix_set(&in[0], e,
				    matrix_get(&in[0], e - n / 2) +
				    0.01 * matrix_get(&in[0], e));
		compare(in, "x,rank", "0.1", 1e4 * dtype_epsilon(t));
		compare(in, "x,rank,s", "0.1", 1e4 * dtype_epsilon(t));
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}

START_TEST(rcond_decides_the_rank_of_large_matrices)
{
	half_count(900, 40);
	half_count(160, 150);
}
END_TEST

/* Stacks, square matrices, and lengths whose squares overflow in float32. */
START_TEST(well_conditioned_systems_need_no_lapack)
{
	static const size_t sizes[][4] = { { 1, 300, 60, 2 }, { 3, 800, 20, 7 },
	                                   { 1, 150, 150, 1 } };

	lstsq_block_svd();
	for (size_t i = 0; i < COUNT(sizes); i++) {
		const size_t *z = sizes[i];
		struct matrix in[] = {
			random_matrix(FLOAT64, 7, 3, z[0], z[1], z[2]),
			random_matrix(FLOAT64, 4, 3, z[0], z[1], z[3]),
		};
		struct args r;

		for (size_t k = 0; k < matrix_elements(&in[0]); k++)
			matrix_set(&in[0], k, 1e60 * matrix_get(&in[0], k));
		op_run("lstsq", in, 2, &r, "variant", "normal", "return", "x",
		       NULL);
		ck_assert_double_lt(r.verdict.residual, THRESHOLD);
		args_fini(&r);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
	lstsq_unblock_svd();
}
END_TEST

/* What the device cannot compute is computed, or refused, by LAPACK's variant:
 * a huge or tiny scale, a column of zeros, an infinity. */
START_TEST(other_systems_go_the_other_way)
{
	static const double values[] = { 1e200, 1e-200, 0, INFINITY };

	for (size_t i = 0; i < COUNT(values); i++) {
		struct matrix in[] = {
			random_matrix(FLOAT64, 7, 2, (size_t)600, (size_t)30),
			random_matrix(FLOAT64, 4, 1, (size_t)600),
		};
		struct err e = { 0 };
		struct args r;

		for (size_t k = 0; k < 600; k++)
			matrix_set(&in[0], k * 30 + 7, values[i] *
			           (1 + matrix_get(&in[0], k * 30 + 7)));
		if (isfinite(values[i]))
			compare(in, "x,rank", "1e-9", 1e-9);
		else
			ck_refused(op_try("lstsq", in, 2, &r, &e, "variant",
			                  "normal", NULL), &e, ERR_NONFINITE);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

void lstsq_add_normal_tests(TCase *c)
{
	tcase_add_test(c, every_condition_gives_lapacks_answer);
	tcase_add_test(c, rcond_decides_the_rank_of_large_matrices);
	tcase_add_test(c, well_conditioned_systems_need_no_lapack);
	tcase_add_test(c, other_systems_go_the_other_way);
}

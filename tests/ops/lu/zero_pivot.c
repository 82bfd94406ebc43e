/* zero_pivot.c - without row interchanges: factors of every matrix
 * that has some, and ERR_ZERO_PIVOT for the others. */
#include <math.h>
#include <stdio.h>

#include "ops/failure.h"
#include "ops/lu/zero_pivot.h"
#include "tests/ops/lu/lu.h"

enum { MOST = 5 };

/* By integers alone (E. H. Bareiss, 1968), so that nothing is rounded. */
static size_t rank_of(const double *a, size_t stride, size_t m, size_t n)
{
	int64_t x[MOST][MOST], before = 1;
	size_t rank = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			x[i][j] = (int64_t)a[i * stride + j];
	for (size_t c = 0; c < n && rank < m; c++) {
		size_t p = rank;

		while (p < m && x[p][c] == 0)
			p++;
		if (p == m)
			continue;
		for (size_t j = 0; j < n; j++) {
			const int64_t t = x[rank][j];

			x[rank][j] = x[p][j];
			x[p][j] = t;
		}
		for (size_t i = rank + 1; i < m; i++) {
			for (size_t j = c + 1; j < n; j++)
				x[i][j] = (x[i][j] * x[rank][c] -
				           x[i][c] * x[rank][j]) / before;
			x[i][c] = 0;
		}
		before = x[rank++][c];
	}
	return rank;
}

/* The first r elements of row r are a combination of the rows before it. */
static bool has_factors(const double *a, size_t m, size_t n)
{
	for (size_t r = 1; r < m; r++) {
		const size_t c = size_min(r, n);

		if (rank_of(a, n, r + 1, c) > rank_of(a, n, r, c))
			return false;
	}
	return true;
}

/* |A - L U|, the largest element. */
static double error_of(const double *a, const double *lu, size_t m, size_t n)
{
	double worst = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++) {
			double sum = i <= j ? lu[i * n + j] : 0;

			for (size_t k = 0; k < size_min(i, j + 1); k++)
				sum += lu[i * n + k] * lu[k * n + j];
			worst = fmax(worst, fabs(sum - a[i * n + j]));
		}
	return worst;
}

/* Matrix number k of those with elements 0, 1, ..., base - 1. */
static void make(double *a, size_t elements, size_t k, size_t base)
{
	for (size_t i = 0; i < elements; i++, k /= base)
		a[i] = (double)(k % base);
}

static size_t power(size_t base, size_t n)
{
	return n ? base * power(base, n - 1) : 1;
}

static const size_t shapes[][3] = {
	{ 1, 1, 3 }, { 1, 3, 3 }, { 3, 1, 3 }, { 2, 2, 4 }, { 2, 3, 3 },
	{ 3, 2, 3 }, { 3, 3, 3 }, { 2, 4, 3 }, { 4, 2, 3 }, { 3, 4, 2 },
	{ 4, 3, 2 }, { 4, 4, 2 }, { 5, 3, 2 },
};

START_TEST(rows_have_factors_where_ranks_allow_them)
{
	const size_t m = shapes[_i][0], n = shapes[_i][1];
	const size_t all = power(shapes[_i][2], m * n);
	size_t found = 0;

	for (size_t k = 0; k < all; k++) {
		double a[MOST * MOST], lu[MOST * MOST];
		struct err e = { 0 };
		size_t where = MOST;
		bool exists;

		make(a, m * n, k, shapes[_i][2]);
		memcpy(lu, a, sizeof a);
		exists = lu_by_rows(lu, m, n, FLOAT64, &where, &e);
		ck_assert_msg(exists == has_factors(a, m, n),
		              "%zux%zu, number %zu", m, n, k);
		if (exists)
			ck_assert_msg(error_of(a, lu, m, n) < 1e-13,
			              "%zux%zu, number %zu", m, n, k);
		else
			ck_assert_uint_lt(where, size_min(m, n));
		found += exists;
	}
	ck_assert_uint_gt(found, 0);
	ck_assert(found < all || m == 1);
}
END_TEST

static void judge(const struct variant *v, const double *a, size_t m,
                  size_t n, enum dtype t)
{
	struct matrix in = matrix_of(t, a, 2, m, n);
	struct err e = { 0 };
	struct args r;

	if (!has_factors(a, m, n)) {
		ck_refused(op_try("lu", &in, 1, &r, &e, "variant", v->name,
		                  "pivot", "none", NULL), &e, ERR_ZERO_PIVOT);
		ck_assert_str_eq(e.pointer, "/a");
	} else {
		double lu[MOST * MOST];

		op_run("lu", &in, 1, &r, "variant", v->name, "pivot", "none",
		       "quality", "full", NULL);
		for (size_t i = 0; i < m * n; i++)
			lu[i] = matrix_get(&r.out[LU], i);
		ck_assert_double_lt(error_of(a, lu, m, n), 1e-5);
		for (size_t i = 0; i < size_min(m, n); i++)
			ck_assert_double_eq(matrix_get(&r.out[PIVOTS], i),
			                    (double)i);
		ck_assert(r.verdict.residual < THRESHOLD ||
		          isnan(r.verdict.residual));
		args_fini(&r);
	}
	matrix_fini(&in);
}

/* All of 2 x 2 with 0, 1 and 2, and those of 3 x 3 with 0 and 1 that
 * need other multipliers than elimination's, and some that do not. */
static void small_ones(const struct variant *v)
{
	double a[MOST * MOST];

	for (size_t k = 0; k < power(3, 4); k++) {
		make(a, 4, k, 3);
		judge(v, a, 2, 2, k % 2 ? FLOAT32 : FLOAT64);
	}
	for (size_t k = 0; k < power(2, 9); k += 3) {
		make(a, 9, k, 2);
		judge(v, a, 3, 3, k % 2 ? FLOAT32 : FLOAT64);
	}
	for (size_t k = 0; k < power(2, 6); k++) {
		make(a, 6, k, 2);
		judge(v, a, 2, 3, FLOAT64);
		judge(v, a, 3, 2, FLOAT64);
	}
}

START_TEST(a_zero_pivot_is_refused_where_no_factors_exist)
{
	each_variant("lu", small_ones);
}
END_TEST

/* Elimination fails at column 1: it takes 0 for the free multiplier of row 1;
 * with any other the factors exist. */
static void free_multiplier(const struct variant *v)
{
	static const double a[] = { 0, 1, 0, 0, 0, 1, 0, 1, 0 };

	ck_assert(has_factors(a, 3, 3));
	judge(v, a, 3, 3, FLOAT64);
}

START_TEST(free_multipliers_are_chosen_so_that_factors_exist)
{
	each_variant("lu", free_multiplier);
}
END_TEST

/* In the middle of a large matrix: within a panel, and beyond the first. */
static void in_the_middle(const struct variant *v)
{
	static const size_t places[] = { 0, 1, 40, 63, 64, 150, 198 };
	const size_t n = 200;

	for (size_t p = 0; p < COUNT(places); p++) {
		const size_t at = places[p];
		struct matrix m = random_matrix(FLOAT64, 5, 2, n, n);
		struct err e = { 0 };
		struct args r;
		char word[64];

		/* diagonal but for the last row: nothing is rounded */
		for (size_t i = 0; i < n * n; i++)
			matrix_set(&m, i, i % (n + 1) == 0 && i / n != at ? 2 :
			           i / n == n - 1);
		snprintf(word, sizeof word, "row and column %zu,", at);
		ck_refused(op_try("lu", &m, 1, &r, &e, "variant", v->name,
		                  "pivot", "none", NULL), &e, ERR_ZERO_PIVOT);
		ck_assert_msg(strstr(e.text, word), "%s", e.text);
		matrix_fini(&m);
	}
}

START_TEST(the_zero_pivot_is_named)
{
	each_variant("lu", in_the_middle);
}
END_TEST

/* Matrix 1 of three has no factors without interchanges. */
static void in_a_stack(const struct variant *v)
{
	static const double a[] = { 1, 2, 3, 4, 0, 1, 2, 3, 5, 6, 7, 8 };
	struct matrix m = matrix_of(FLOAT32, a, 3, (size_t)3, (size_t)2,
	                            (size_t)2);
	struct args r;

	op_run("lu", &m, 1, &r, "variant", v->name, "pivot", "none", "quality",
	       "full", NULL);
	ck_assert_uint_eq(r.failures, 1);
	for (size_t i = 0; i < 3; i++)
		ck_assert_int_eq(args_has_failed(&r, i), i == 1);
	for (size_t i = 0; i < 12; i++)
		ck_assert_int_eq(isnan(matrix_get(&r.out[LU], i)), i / 4 == 1);
	ck_assert_double_eq_tol(matrix_get(&r.out[LU], 10), 1.4, 1e-6);
	ck_assert_double_lt(r.verdict.residual, THRESHOLD);
	args_fini(&r);

	matrix_set(&m, 6, 0);		/* the column below the zero too */
	op_run("lu", &m, 1, &r, "variant", v->name, "pivot", "none", NULL);
	ck_assert_uint_eq(r.failures, 0);
	ck_assert_double_eq(matrix_get(&r.out[SINGULAR], 1), 1);
	ck_assert_double_eq(matrix_get(&r.out[SINGULAR], 2), 0);
	args_fini(&r);
	matrix_fini(&m);
}

START_TEST(a_matrix_without_factors_fails_alone)
{
	each_variant("lu", in_a_stack);
}
END_TEST

/* The call is refused with the words of the first matrix. */
static void all_of_a_stack(const struct variant *v)
{
	static const double a[] = { 0, 1, 2, 3, 0, 3, 1, 1 };
	struct matrix m = matrix_of(FLOAT64, a, 3, (size_t)2, (size_t)2,
	                            (size_t)2);
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("lu", &m, 1, &r, &e, "variant", v->name, "pivot",
	                  "none", NULL), &e, ERR_ZERO_PIVOT);
	ck_assert_msg(strstr(e.text, "matrix 0 of the stack"), "%s", e.text);
	matrix_fini(&m);
}

START_TEST(a_stack_without_any_factors_is_refused)
{
	each_variant("lu", all_of_a_stack);
}
END_TEST

void lu_add_zero_pivot_tests(TCase *t)
{
	tcase_add_loop_test(t, rows_have_factors_where_ranks_allow_them, 0,
	                    COUNT(shapes));
	tcase_add_test(t, a_zero_pivot_is_refused_where_no_factors_exist);
	tcase_add_test(t, free_multipliers_are_chosen_so_that_factors_exist);
	tcase_add_test(t, the_zero_pivot_is_named);
	tcase_add_test(t, a_matrix_without_factors_fails_alone);
	tcase_add_test(t, a_stack_without_any_factors_is_refused);
}

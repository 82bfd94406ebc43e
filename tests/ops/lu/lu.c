/* lu.c - P A = L U holds within LAPACK's threshold, in every variant,
 * for every size and LAPACK's matrix types; pivots are LAPACK's. */
#include <float.h>
#include <lapacke.h>
#include <math.h>

#include "tests/ops/lu/lu.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* Every multiplier is at most 1, every pivot at or below its row. */
static void check_pivoting(const struct args *a)
{
	const struct matrix *lu = &a->out[LU];
	size_t m = matrix_rows(lu), n = matrix_cols(lu), large = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = i * n; j < i * n + size_min(i, n); j++)
			large += !(fabs(matrix_get(lu, j)) <= 1);
	ck_assert_uint_eq(large, 0);
	for (size_t i = 0; i < size_min(m, n); i++) {
		ck_assert_double_ge(matrix_get(&a->out[PIVOTS], i), i);
		ck_assert_double_lt(matrix_get(&a->out[PIVOTS], i), m);
	}
}

static void check_factors(const struct variant *v, const struct matrix *m)
{
	struct args a;
	double ratio;

	op_run("lu", m, 1, &a, "variant", v->name, NULL);
	ratio = factors_ratio(m, &a.out[LU], &a.out[PIVOTS]);
	ck_assert_msg(ratio < THRESHOLD, "%s, %s, %zux%zu: ratio %g", v->name,
	              dtype_name(m->dtype), m->dim[0], m->dim[1], ratio);
	ck_assert_double_lt(a.verdict.residual, THRESHOLD);
	check_pivoting(&a);
	args_fini(&a);
}

static void check_size(const struct variant *v, size_t rows, size_t cols)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		struct matrix m = random_matrix(reals[t],
		                                (unsigned)(rows * 7 + cols),
		                                2, rows, cols);

		check_factors(v, &m);
		matrix_fini(&m);
	}
}

static void squares(const struct variant *v)
{
	for (const size_t *n = lu_sizes; *n != LU_SIZES_END; n++)
		check_size(v, *n, *n);
}

START_TEST(square_matrices_of_every_size)
{
	each_pivoting_variant(squares);
}
END_TEST

static void rectangles(const struct variant *v)
{
	static const size_t sides[][2] = {
		{ 0, 3 }, { 1, 5 }, { 2, 3 }, { 3, 50 }, { 10, 200 },
		{ 31, 33 }, { 60, 70 }, { 64, 129 }, { 65, 129 },
		{ 100, 140 }, { 128, 300 }, { 129, 131 }, { 150, 500 },
		{ 192, 320 },
	};

	for (size_t i = 0; i < COUNT(sides); i++) {
		check_size(v, sides[i][0], sides[i][1]);
		check_size(v, sides[i][1], sides[i][0]);
	}
}

/* Blocks of panels, where that does not take minutes. */
static void blocks(const struct variant *v)
{
	static const size_t sides[][2] = {
		{ 2600, 2600 }, { 3333, 3111 }, { 2700, 4001 }, { 4100, 2640 }
	};

	if (strcmp(v->name, "spread") != 0)
		return;
	for (size_t i = 0; i < COUNT(sides) * COUNT(reals); i++) {
		const size_t *n = sides[i % COUNT(sides)];
		struct matrix m = random_matrix(reals[i / COUNT(sides)],
		                                (unsigned)i, 2, n[0], n[1]);
		struct args a;

		op_run("lu", &m, 1, &a, "variant", v->name, "quality", "full",
		       NULL);
		ck_assert_msg(a.verdict.residual < THRESHOLD,
		              "%s, %zux%zu: ratio %g", dtype_name(m.dtype),
		              n[0], n[1], a.verdict.residual);
		check_pivoting(&a);
		args_fini(&a);
		matrix_fini(&m);
	}
}

START_TEST(matrices_of_many_panels)
{
	each_pivoting_variant(blocks);
}
END_TEST

START_TEST(wide_and_tall_matrices)
{
	each_pivoting_variant(rectangles);
}
END_TEST

/* Large enough that the CPU's variant stops on the way to be cancelled. */
START_TEST(a_matrix_of_several_launches)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		struct matrix m = random_matrix(reals[t], 5, 2, (size_t)2600,
		                                (size_t)2500);
		struct args a;

		op_run("lu", &m, 1, &a, NULL);
		ck_assert_double_lt(a.verdict.residual, THRESHOLD);
		check_pivoting(&a);
		args_fini(&a);
		matrix_fini(&m);
	}
}
END_TEST

static void types(const struct variant *v)
{
	static const size_t sizes[] = { 1, 2, 3, 5, 10, 50, 145 };

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (int k = 0; k < TYPE_COUNT; k++)
			for (size_t t = 0; t < COUNT(reals); t++) {
				struct matrix m = type_matrix(k, reals[t],
				    sizes[i], sizes[i], 11);

				check_factors(v, &m);
				matrix_fini(&m);
			}
}

START_TEST(lapacks_matrix_types)
{
	each_pivoting_variant(types);
}
END_TEST

static void agreement(const struct variant *v)
{
	/* No two candidates are within rounding of each other here. */
	static const struct { enum dtype t; size_t m, n; } cases[] = {
		{ FLOAT32, 3, 3 }, { FLOAT32, 50, 50 }, { FLOAT32, 20, 60 },
		{ FLOAT64, 50, 50 }, { FLOAT64, 200, 200 },
		{ FLOAT64, 150, 70 }, { FLOAT64, 70, 150 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct matrix m = random_matrix(cases[i].t, 5, 2, cases[i].m,
		                                cases[i].n);
		int pivots[200];
		struct args a;

		ck_assert_int_eq(lapack_pivots(&m, pivots), 0);
		op_run("lu", &m, 1, &a, "variant", v->name, NULL);
		for (size_t k = 0; k < size_min(cases[i].m, cases[i].n); k++)
			ck_assert_int_eq(matrix_get(&a.out[PIVOTS], k),
			                 pivots[k] - 1);
		args_fini(&a);
		matrix_fini(&m);
	}
}

START_TEST(pivots_are_lapacks)
{
	each_pivoting_variant(agreement);
}
END_TEST

/* A[p] = L U, from the unpacked outputs alone. */
static void unpacked(const struct variant *v)
{
	static const size_t sides[][2] = { { 4, 4 }, { 3, 7 }, { 140, 66 },
	                                   { 66, 140 } };

	for (size_t i = 0; i < COUNT(sides); i++) {
		const size_t m = sides[i][0], n = sides[i][1];
		const size_t k = size_min(m, n);
		struct matrix x = random_matrix(FLOAT64, 4, 2, m, n);
		struct args a;

		op_run("lu", &x, 1, &a, "variant", v->name, "return",
		       "p,l,u", NULL);
		ck_assert_int_eq(a.out[PIVOTS].ndim, MATRIX_ABSENT);
		for (size_t r = 0; r < m * n; r++) {
			const size_t row = (size_t)matrix_get(&a.out[P],
			                                      r / n);
			double sum = -matrix_get(&x, row * n + r % n);

			for (size_t q = 0; q < k; q++)
				sum += matrix_get(&a.out[L], r / n * k + q) *
				       matrix_get(&a.out[U], q * n + r % n);
			ck_assert_double_lt(fabs(sum), 10 * n * DBL_EPSILON);
		}
		ck_assert_double_lt(a.verdict.residual, THRESHOLD);
		args_fini(&a);
		matrix_fini(&x);
	}
}

START_TEST(p_l_and_u_multiply_back)
{
	each_pivoting_variant(unpacked);
}
END_TEST

static void unpivoted(const struct variant *v)
{
	for (size_t n = 1; n < 300; n = 2 * n + 5) {
		struct matrix m = random_matrix(FLOAT64, 1, 2, n, n);
		struct args a;

		for (size_t i = 0; i < n; i++)
			matrix_set(&m, i * n + i, 2.0 * n);
		matrix_set(&m, 0, 1e-3);
		op_run("lu", &m, 1, &a, "variant", v->name, "pivot", "none",
		       NULL);
		for (size_t i = 0; i < n; i++)
			ck_assert_double_eq(matrix_get(&a.out[PIVOTS], i), i);
		ck_assert_double_lt(factors_ratio(&m, &a.out[LU],
		                                  &a.out[PIVOTS]), 1e4);
		args_fini(&a);
		matrix_fini(&m);
	}
}

START_TEST(without_pivoting_no_row_moves)
{
	each_variant("lu", unpivoted);
}
END_TEST

static void signs(const struct variant *v)
{
	for (size_t n = 0; n < 30; n++) {
		struct matrix m = random_matrix(FLOAT64, (unsigned)n, 2, n,
		                                n);
		double *d = malloc(matrix_size(&m) + 1), sign = 1;
		lapack_int p[30];
		struct args a;

		memcpy(d, matrix_data(&m), matrix_size(&m));
		LAPACKE_dgetrf(LAPACK_ROW_MAJOR, (int)n, (int)n, d,
		               (int)size_max(n, 1), p);
		for (size_t i = 0; i < n; i++)
			sign *= (p[i] == (int)i + 1 ? 1 : -1) *
			        (d[i * n + i] < 0 ? -1 : 1);
		op_run("lu", &m, 1, &a, "variant", v->name, NULL);
		ck_assert_double_eq(matrix_get(&a.out[SIGN], 0), sign);
		free(d);
		args_fini(&a);
		matrix_fini(&m);
	}
}

START_TEST(sign_is_the_determinants)
{
	each_pivoting_variant(signs);
}
END_TEST

START_TEST(a_rectangle_has_no_sign)
{
	struct matrix m = random_matrix(FLOAT64, 1, 2, (size_t)3, (size_t)4);
	struct args a;

	op_run("lu", &m, 1, &a, NULL);
	ck_assert_int_eq(a.out[SIGN].ndim, MATRIX_ABSENT);
	ck_assert_int_eq(a.out[SINGULAR].ndim, 0);
	args_fini(&a);
	matrix_fini(&m);
}
END_TEST

/* Exact as the reference computes it, save for the rounding of float64 where
 * the reference has long double; the estimate not so far from it that it says
 * nothing. */
START_TEST(the_residual_is_lapacks_ratio)
{
	static const size_t sides[][2] = { { 50, 50 }, { 37, 90 },
	                                   { 90, 37 }, { 200, 200 } };

	for (size_t i = 0; i < COUNT(sides); i++)
		for (size_t t = 0; t < COUNT(reals); t++) {
			struct matrix m = random_matrix(reals[t], 9, 2,
			    sides[i][0], sides[i][1]);
			struct args a, b;
			double ratio, full, estimate;

			op_run("lu", &m, 1, &a, "quality", "full", NULL);
			op_run("lu", &m, 1, &b, NULL);
			ratio = factors_ratio(&m, &a.out[LU],
			                      &a.out[PIVOTS]);
			full = a.verdict.residual / ratio;
			estimate = b.verdict.residual / ratio;
			if (reals[t] == FLOAT32)
				ck_assert_double_eq_tol(full, 1, 0.01);
			ck_assert(full > 0.25 && full < 4);
			ck_assert(estimate > 0.01 && estimate < 3);
			args_fini(&a);
			args_fini(&b);
			matrix_fini(&m);
		}
}
END_TEST

/* An element that is off by a thousandth, at `at`, shows in both. */
static void check_wrong(size_t at, const char *quality)
{
	struct matrix m = random_matrix(FLOAT64, 9, 2, (size_t)70,
	                                (size_t)70);
	struct err e = { 0 };
	struct seq *s;
	struct args a;

	op_run("lu", &m, 1, &a, "quality", quality, NULL);
	ck_assert_double_lt(a.verdict.residual, THRESHOLD);
	matrix_set(&a.out[LU], at, matrix_get(&a.out[LU], at) + 1e-3);
	s = seq_new(test_device, FLOAT64, TIMING_NONE, &e);
	ck_ok(a.op->residual(s, &a), &e);
	seq_free(s);
	ck_assert_double_gt(a.verdict.residual, 1e4);
	args_fini(&a);
	matrix_fini(&m);
}

START_TEST(a_wrong_factor_shows_in_the_residual)
{
	static const size_t at[] = { 0, 69, 70, 35 * 70 + 35, 69 * 70,
	                             69 * 70 + 69 };

	for (size_t i = 0; i < COUNT(at); i++) {
		check_wrong(at[i], "estimate");
		check_wrong(at[i], "full");
	}
}
END_TEST

START_TEST(without_its_factors_there_is_no_residual)
{
	struct matrix m = random_matrix(FLOAT64, 1, 2, (size_t)3, (size_t)3);
	struct args a;

	op_run("lu", &m, 1, &a, "return", "pivots", NULL);
	ck_assert_double_nan(a.verdict.residual);
	args_fini(&a);
	matrix_fini(&m);
}
END_TEST

START_TEST(a_failing_call_leaves_all_in_order)
{
	struct matrix m = random_matrix(FLOAT64, 1, 2, (size_t)200,
	                                (size_t)200);

	op_survives_failing_calls("lu", &m, 1);
	matrix_fini(&m);
}
END_TEST

TCase *tcase_lu(void)
{
	TCase *t = tcase_create("lu");

	tcase_add_test(t, square_matrices_of_every_size);
	tcase_add_test(t, matrices_of_many_panels);
	tcase_add_test(t, wide_and_tall_matrices);
	tcase_add_test(t, a_matrix_of_several_launches);
	tcase_add_test(t, lapacks_matrix_types);
	tcase_add_test(t, pivots_are_lapacks);
	tcase_add_test(t, p_l_and_u_multiply_back);
	tcase_add_test(t, without_pivoting_no_row_moves);
	tcase_add_test(t, sign_is_the_determinants);
	tcase_add_test(t, a_rectangle_has_no_sign);
	tcase_add_test(t, the_residual_is_lapacks_ratio);
	tcase_add_test(t, a_wrong_factor_shows_in_the_residual);
	tcase_add_test(t, without_its_factors_there_is_no_residual);
	tcase_add_test(t, a_failing_call_leaves_all_in_order);
	lu_add_seed_tests(t);
	lu_add_special_tests(t);
	lu_add_stack_tests(t);
	return t;
}

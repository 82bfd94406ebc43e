/* gang.c - P A = L U by several devices: as exact as by one, whatever the
 * sizes and the number of devices; and what happens if one of them fails. */
#include <math.h>
#include <stdlib.h>

#include "tests/ops/gang.h"
#include "tests/ops/lu/lu.h"

static const char *const devices[] = { "2", "3", "5" };
static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* The factors may differ from one device's by rounding errors alone, and the
 * estimate may not exceed what LAPACK's tests allow. */
static void check(const struct matrix *m, const char *parts)
{
	struct args a;
	double ratio;

	op_run("lu", m, 1, &a, "devices", parts, "return",
	       "lu,pivots,singular,sign,p", NULL);
	ratio = factors_ratio(m, &a.out[LU], &a.out[PIVOTS]);
	ck_assert_msg(ratio < THRESHOLD, "%s devices, %s, %zux%zu: ratio %g",
	              parts, dtype_name(m->dtype), m->dim[0], m->dim[1],
	              ratio);
	ck_assert_msg(a.verdict.residual < THRESHOLD, "%s devices, %s, "
	              "%zux%zu: said ratio %g", parts, dtype_name(m->dtype),
	              m->dim[0], m->dim[1], a.verdict.residual);
	ck_assert_int_eq(matrix_get(&a.out[SINGULAR], 0), 0);
	args_fini(&a);
}

static void check_size(size_t rows, size_t cols)
{
	for (size_t i = 0; i < COUNT(devices) * COUNT(reals); i++) {
		const char *parts = devices[i / COUNT(reals)];
		struct matrix m;

		if (size_min(rows, cols) <= 64 * (size_t)(atoi(parts) - 1))
			continue;
		m = random_matrix(reals[i % COUNT(reals)],
		                  (unsigned)(rows + 3 * cols), 2, rows, cols);
		check(&m, parts);
		matrix_fini(&m);
	}
}

START_TEST(squares_of_every_size)
{
	static const size_t n[] = { 65, 127, 128, 129, 191, 192, 193, 257, 300,
	                            384, 385, 513, 700 };

	for (size_t i = 0; i < COUNT(n); i++)
		check_size(n[i], n[i]);
}
END_TEST

START_TEST(wide_and_tall_matrices)
{
	static const size_t sides[][2] = {
		{ 100, 130 }, { 130, 200 }, { 128, 1000 }, { 150, 333 },
		{ 320, 321 }, { 65, 640 }, { 257, 640 },
	};

	for (size_t i = 0; i < COUNT(sides); i++) {
		check_size(sides[i][0], sides[i][1]);
		check_size(sides[i][1], sides[i][0]);
	}
}
END_TEST

/* Every block is copied to a device and back, and the two lanes are queues. */
START_TEST(devices_with_memory_of_their_own)
{
	device_copies = device_lanes = true;
	check_size(193, 193);
	check_size(320, 700);
	check_size(700, 320);
	device_copies = device_lanes = false;
}
END_TEST

/* What both give must be LAPACK's, and the estimate must not exceed the exact
 * ratio of another norm by much. */
static void check_type(enum lu_type type, enum dtype t, size_t m, size_t n)
{
	struct matrix a = type_matrix(type, t, m, n, 11);
	struct args one, three;

	op_run("lu", &a, 1, &one, "return", "lu,pivots,singular,sign,p", NULL);
	op_run("lu", &a, 1, &three, "devices", "3", "return",
	       "lu,pivots,singular,sign,p", NULL);
	ck_assert_msg(factors_ratio(&a, &three.out[LU], &three.out[PIVOTS]) <
	              THRESHOLD, "type %d", (int)type);
	ck_assert_msg(three.verdict.residual <= 10 + 10 *
	              one.verdict.residual, "type %d: %g, alone %g", (int)type,
	              three.verdict.residual, one.verdict.residual);
	ck_assert_int_eq(matrix_get(&three.out[SINGULAR], 0),
	                 matrix_get(&one.out[SINGULAR], 0));
	if (m == n && !type_is_singular(type) && type != TYPE_ILL)
		ck_assert_double_eq(matrix_get(&three.out[SIGN], 0),
		                    matrix_get(&one.out[SIGN], 0));
	args_fini(&one);
	args_fini(&three);
	matrix_fini(&a);
}

START_TEST(matrices_of_every_type)
{
	for (int type = 0; type < TYPE_COUNT; type++)
		for (size_t t = 0; t < COUNT(reals); t++) {
			check_type((enum lu_type)type, reals[t], 250, 250);
			check_type((enum lu_type)type, reals[t], 200, 300);
		}
}
END_TEST

/* p and pivots say the same, and a permuted identity is factored exactly. */
START_TEST(the_order_of_rows_is_that_of_the_pivots)
{
	enum { N = 300 };
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)N, (size_t)N);
	struct args r;

	for (size_t i = 0; i < N * N; i++)
		matrix_set(&a, i, i % N == (i / N * 7 + 3) % N);
	op_run("lu", &a, 1, &r, "devices", "2", "return",
	       "lu,pivots,sign,p", NULL);
	for (size_t i = 0; i < N; i++) {
		const size_t from = (size_t)matrix_get(&r.out[P], i);

		ck_assert_uint_eq((from * 7 + 3) % N, i);
		ck_assert_double_eq(matrix_get(&r.out[LU], i * N + i), 1);
	}
	ck_assert_double_eq(r.verdict.residual, 0);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

START_TEST(what_is_not_finite_is_told)
{
	struct matrix a = random_matrix(FLOAT32, 5, 2, (size_t)200,
	                                (size_t)200);
	struct args r;

	matrix_set(&a, 150 * 200 + 130, NAN);
	op_run("lu", &a, 1, &r, "devices", "2", NULL);
	ck_assert(isnan(matrix_get(&r.out[SIGN], 0)));
	ck_assert(isnan(r.verdict.residual));
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

START_TEST(what_they_cannot_compute_is_refused)
{
	struct matrix a = random_matrix(FLOAT64, 2, 2, (size_t)200,
	                                (size_t)200);
	struct matrix stack = random_matrix(FLOAT64, 2, 3, (size_t)2,
	                                    (size_t)200, (size_t)200);
	struct matrix small = random_matrix(FLOAT64, 2, 2, (size_t)64,
	                                    (size_t)200);

	gang_refuses("lu", &a, "quality", "full");
	gang_refuses("lu", &a, "pivot", "none");
	gang_refuses("lu", &a, "return", "l,u");
	gang_refuses("lu", &a, "dtype", "complex128");
	gang_refuses("lu", &stack, NULL, NULL);
	gang_refuses("lu", &small, NULL, NULL);
	matrix_fini(&a);
	matrix_fini(&stack);
	matrix_fini(&small);
}
END_TEST

START_TEST(when_one_fails_none_waits_for_it)
{
	struct matrix a = random_matrix(FLOAT64, 3, 2, (size_t)520,
	                                (size_t)520);

	gang_survives_failures("lu", &a, 1);
	check(&a, "3");
	matrix_fini(&a);
}
END_TEST

START_TEST(the_memory_of_each_shrinks_with_their_number)
{
	struct matrix a = random_matrix(FLOAT64, 3, 2, (size_t)1500,
	                                (size_t)1500);

	gang_memory_shrinks("lu", &a, 1, matrix_size(&a));
	matrix_fini(&a);
}
END_TEST

TCase *tcase_lu_gang(void)
{
	TCase *t = tcase_create("lu_gang");

	tcase_set_timeout(t, 0);
	tcase_add_test(t, squares_of_every_size);
	tcase_add_test(t, wide_and_tall_matrices);
	tcase_add_test(t, devices_with_memory_of_their_own);
	tcase_add_test(t, matrices_of_every_type);
	tcase_add_test(t, the_order_of_rows_is_that_of_the_pivots);
	tcase_add_test(t, what_is_not_finite_is_told);
	tcase_add_test(t, what_they_cannot_compute_is_refused);
	tcase_add_test(t, when_one_fails_none_waits_for_it);
	tcase_add_test(t, the_memory_of_each_shrinks_with_their_number);
	return t;
}

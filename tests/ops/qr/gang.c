/* gang.c - A = Q R by several devices: as exact as by one, with its signs,
 * whatever the sizes and the number of devices; and what happens if one of them
 * fails. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ops/gang.h"
#include "tests/ops/lu/lu.h"
#include "tests/ops/qr/factors.h"
#include "tests/ops/qr/qr.h"

enum { Q_OF_QR, R_OF_QR };

static const char *const devices[] = { "2", "3", "5" };
static const char *const modes[] = { "thin", "complete" };
static const enum dtype reals[] = { FLOAT32, FLOAT64 };

static double off_norm(const struct matrix *x, const struct matrix *y)
{
	double sum = 0;

	for (size_t i = 0; i < matrix_elements(x); i++)
		sum += pow(matrix_get(x, i) - matrix_get(y, i), 2);
	return sqrt(sum);
}

/* R differs from one device's by rounding errors alone if A is
 * well-conditioned, as tall and wide random matrices are. */
static void check_r(const struct matrix *x, const struct args *parts,
                    const char *mode)
{
	const double size = (double)(matrix_rows(x) + matrix_cols(x));
	struct args one;

	op_run("qr", x, 1, &one, "mode", mode, NULL);
	ck_assert_double_le(off_norm(&one.out[R_OF_QR], &parts->out[R_OF_QR]),
	                    100 * size * dtype_epsilon(x->dtype) *
	                    factor_norm(&one.out[R_OF_QR], 0));
	args_fini(&one);
}

static void check(const struct matrix *x, const char *parts, const char *mode)
{
	struct args a;

	op_run("qr", x, 1, &a, "devices", parts, "mode", mode, NULL);
	qr_check_call(&a);
	ck_assert_msg(a.verdict.residual < 1 && a.verdict.orthogonality < 3,
	              "%s devices, %s, %zux%zu: ratios %g, %g", parts,
	              dtype_name(x->dtype), x->dim[0], x->dim[1],
	              a.verdict.residual, a.verdict.orthogonality);
	if (x->dim[0] > x->dim[1] + 30 || x->dim[1] > x->dim[0] + 30)
		check_r(x, &a, mode);
	args_fini(&a);
}

/* Of the four ways to choose a type and a mode, `ways` bits. */
static void check_size(size_t rows, size_t cols, unsigned ways)
{
	for (size_t i = 0; i < COUNT(devices) * 4; i++) {
		const char *parts = devices[i / 4];
		struct matrix m;

		if (!(ways >> i % 4 & 1) ||
		    size_min(rows, cols) <= 64 * (size_t)(atoi(parts) - 1))
			continue;
		m = random_matrix(reals[i % 2], (unsigned)(rows + 3 * cols), 2,
		                  rows, cols);
		check(&m, parts, modes[i / 2 % 2]);
		matrix_fini(&m);
	}
}

START_TEST(squares_of_every_size)
{
	static const size_t n[] = { 65, 127, 128, 129, 193, 300 };

	for (size_t i = 0; i < COUNT(n); i++)
		check_size(n[i], n[i], 3);
}
END_TEST

/* More rows than columns, and the other way round, where the last panel may
 * have fewer rows than columns; a complete Q has more columns than A. */
START_TEST(wide_and_tall_matrices)
{
	static const size_t sides[][2] = {
		{ 100, 130 }, { 130, 200 }, { 150, 333 }, { 65, 400 },
		{ 257, 320 },
	};

	for (size_t i = 0; i < COUNT(sides); i++) {
		check_size(sides[i][0], sides[i][1], 9);
		check_size(sides[i][1], sides[i][0], 15);
	}
}
END_TEST

/* From 2048 columns on, the blocks are 128 wide on two devices: the last panel
 * has a group of 64 reflections and one of 36. */
START_TEST(panels_of_several_groups)
{
	struct matrix x = random_matrix(FLOAT64, 5, 2, (size_t)2180,
	                                (size_t)2148);
	struct args a;

	op_run("qr", &x, 1, &a, "devices", "2", NULL);
	ck_assert_double_lt(a.verdict.residual, 1);
	ck_assert_double_lt(a.verdict.orthogonality, 3);
	check_r(&x, &a, "thin");
	args_fini(&a);
	matrix_fini(&x);
}
END_TEST

/* Every block is copied to a device and back, and the two lanes are queues. */
START_TEST(devices_with_memory_of_their_own)
{
	device_copies = device_lanes = true;
	check_size(193, 193, 3);
	check_size(320, 500, 9);
	check_size(500, 320, 15);
	device_copies = device_lanes = false;
}
END_TEST

/* Singular, graded, ill-conditioned, huge and tiny matrices. */
START_TEST(matrices_of_every_type)
{
	for (size_t i = 0; i < TYPE_COUNT * COUNT(reals); i++) {
		const enum lu_type type = (enum lu_type)(i / COUNT(reals));
		struct matrix x = type_matrix(type, reals[i % 2], 250, 210, 11);

		check(&x, "3", "thin");
		matrix_fini(&x);
	}
}
END_TEST

static double of_rank_50(size_t i, size_t j)
{
	return cos((double)(i * (j % 50)));
}

static double graded(size_t i, size_t j)
{
	return cos((double)(i * j)) * pow(10, -(double)(i + j) / 40);
}

static double zero_columns(size_t i, size_t j)
{
	return j % 3 == 0 || j > 130 ? 0 : cos((double)(i * j));
}

static double upper(size_t i, size_t j)
{
	return i > j ? 0 : 1 + (double)(i * j % 7);
}

static double zero(size_t i, size_t j)
{
	return 0 * (double)(i + j);
}

START_TEST(matrices_without_full_rank)
{
	static double (*const elements[])(size_t, size_t) = {
		of_rank_50, graded, zero_columns, upper, zero,
	};

	for (size_t i = 0; i < COUNT(elements) * COUNT(reals); i++) {
		struct matrix x = random_matrix(reals[i % 2], 1, 2, (size_t)230,
		                                (size_t)230);

		for (size_t e = 0; e < matrix_elements(&x); e++)
			matrix_set(&x, e, elements[i / 2](e / 230, e % 230));
		check(&x, "2", "thin");
		check(&x, "3", "complete");
		matrix_fini(&x);
	}
}
END_TEST

/* LAPACK makes no reflection of a triangular matrix, and neither do parts. */
START_TEST(a_triangular_matrix_is_its_own_r)
{
	struct matrix x = random_matrix(FLOAT64, 1, 2, (size_t)200,
	                                (size_t)200);
	struct args a;

	for (size_t e = 0; e < matrix_elements(&x); e++)
		matrix_set(&x, e, upper(e / 200, e % 200));
	op_run("qr", &x, 1, &a, "devices", "2", NULL);
	ck_assert_double_lt(off_norm(&a.out[R_OF_QR], &x),
	                    1e-13 * factor_norm(&x, 0));
	args_fini(&a);
	matrix_fini(&x);
}
END_TEST

/* With float32 elements, whose rounding errors these sums in float64 see. */
START_TEST(the_estimates_are_near_the_exact_ratios)
{
	struct matrix x = random_matrix(FLOAT32, 8, 2, (size_t)330,
	                                (size_t)270);
	const double eps = dtype_epsilon(FLOAT32) / 2;
	double residual, orthogonality;
	struct args a;

	op_run("qr", &x, 1, &a, "devices", "3", NULL);
	residual = qr_product_error(&a, 0) / (330 * eps * factor_norm(&x, 0));
	orthogonality = factor_off_orthogonal(&a.out[Q_OF_QR], 0, false) /
	                (330 * eps);
	ck_assert_double_lt(fabs(log(a.verdict.residual / residual)),
	                    log(1.3));
	ck_assert_double_lt(fabs(log(a.verdict.orthogonality / orthogonality)),
	                    log(3));
	args_fini(&a);
	matrix_fini(&x);
}
END_TEST

START_TEST(only_wanted_factors_are_answered)
{
	struct matrix x = random_matrix(FLOAT64, 8, 2, (size_t)200,
	                                (size_t)190);
	struct args all, r, q, none;

	op_run("qr", &x, 1, &all, "devices", "2", NULL);
	op_run("qr", &x, 1, &r, "devices", "2", "return", "r", NULL);
	op_run("qr", &x, 1, &q, "devices", "2", "return", "q", NULL);
	op_run("qr", &x, 1, &none, "devices", "2", "quality", "none", NULL);
	ck_assert_int_eq(r.out[Q_OF_QR].ndim, MATRIX_ABSENT);
	ck_assert_int_eq(q.out[R_OF_QR].ndim, MATRIX_ABSENT);
	ck_assert(isnan(r.verdict.residual) && isnan(q.verdict.residual));
	ck_assert_double_eq(q.verdict.orthogonality,
	                    all.verdict.orthogonality);
	ck_assert(isnan(none.verdict.orthogonality));
	ck_assert_double_eq(off_norm(&all.out[R_OF_QR], &r.out[R_OF_QR]), 0);
	ck_assert_double_eq(off_norm(&all.out[Q_OF_QR], &q.out[Q_OF_QR]), 0);
	ck_assert_double_eq(off_norm(&all.out[Q_OF_QR], &none.out[Q_OF_QR]), 0);
	args_fini(&all);
	args_fini(&r);
	args_fini(&q);
	args_fini(&none);
	matrix_fini(&x);
}
END_TEST

/* The element that is told is the first of all, as on one device. */
START_TEST(what_is_not_finite_is_told_as_by_one)
{
	static const char *const parts[] = { "1", "2", "3" };
	struct matrix x = random_matrix(FLOAT32, 5, 2, (size_t)200,
	                                (size_t)200);

	matrix_set(&x, 150 * 200 + 3, INFINITY);
	matrix_set(&x, 140 * 200 + 130, NAN);
	for (size_t i = 0; i < COUNT(parts); i++) {
		struct err e = { 0 };
		struct args a;

		ck_assert_int_eq(op_try("qr", &x, 1, &a, &e, "devices",
		                        parts[i], NULL), -1);
		ck_assert_int_eq(e.code, ERR_NONFINITE);
		ck_assert_msg(strstr(e.text, "140") && strstr(e.text, "130"),
		              "%s", e.text);
	}
	matrix_fini(&x);
}
END_TEST

START_TEST(what_they_cannot_compute_is_refused)
{
	struct matrix a = random_matrix(FLOAT64, 2, 2, (size_t)200,
	                                (size_t)200);
	struct matrix stack = random_matrix(FLOAT64, 2, 3, (size_t)2,
	                                    (size_t)200, (size_t)200);
	struct matrix small = random_matrix(FLOAT64, 2, 2, (size_t)200,
	                                    (size_t)64);

	gang_refuses("qr", &a, "quality", "full");
	gang_refuses("qr", &a, "pivot", "true");
	gang_refuses("qr", &a, "mode", "raw");
	gang_refuses("qr", &a, "dtype", "complex128");
	gang_refuses("qr", &stack, NULL, NULL);
	gang_refuses("qr", &small, NULL, NULL);
	matrix_fini(&a);
	matrix_fini(&stack);
	matrix_fini(&small);
}
END_TEST

/* Unasked, no gang factors a matrix for which one GPU has a faster way. */
START_TEST(narrow_matrices_are_left_to_one_device)
{
	static const struct { size_t m, n; bool together; } sizes[] = {
		{ 4000, 1000, false }, { 3999, 1000, true },
		{ 4400, 1100, true },
	};

	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct args a = {
			.op = op_find("qr"), .dtype = FLOAT32,
			.param = { 0, 0, NAN }, .want = 3,
			.in = { { .dtype = FLOAT32, .ndim = 2,
			          .dim = { sizes[i].m, sizes[i].n } } },
		};
		struct gang_plan g;

		a.op->gang(&a, 2, &g);
		ck_assert_int_eq(g.width > 0, sizes[i].together);
		a.param[2] = 2;
		a.op->gang(&a, 2, &g);
		ck_assert(g.width > 0 && g.asked == 2);
	}
}
END_TEST

START_TEST(when_one_fails_none_waits_for_it)
{
	struct matrix a = random_matrix(FLOAT64, 3, 2, (size_t)520,
	                                (size_t)520);

	gang_survives_failures("qr", &a, 1);
	check(&a, "3", "thin");
	matrix_fini(&a);
}
END_TEST

START_TEST(the_memory_of_each_shrinks_with_their_number)
{
	struct matrix a = random_matrix(FLOAT64, 3, 2, (size_t)1500,
	                                (size_t)1500);

	gang_memory_shrinks("qr", &a, 1, 3 * matrix_size(&a));
	matrix_fini(&a);
}
END_TEST

TCase *tcase_qr_gang(void)
{
	TCase *t = tcase_create("qr_gang");

	tcase_set_timeout(t, 0);
	tcase_add_test(t, squares_of_every_size);
	tcase_add_test(t, wide_and_tall_matrices);
	tcase_add_test(t, panels_of_several_groups);
	tcase_add_test(t, devices_with_memory_of_their_own);
	tcase_add_test(t, matrices_of_every_type);
	tcase_add_test(t, matrices_without_full_rank);
	tcase_add_test(t, a_triangular_matrix_is_its_own_r);
	tcase_add_test(t, the_estimates_are_near_the_exact_ratios);
	tcase_add_test(t, only_wanted_factors_are_answered);
	tcase_add_test(t, what_is_not_finite_is_told_as_by_one);
	tcase_add_test(t, what_they_cannot_compute_is_refused);
	tcase_add_test(t, narrow_matrices_are_left_to_one_device);
	tcase_add_test(t, when_one_fails_none_waits_for_it);
	tcase_add_test(t, the_memory_of_each_shrinks_with_their_number);
	return t;
}

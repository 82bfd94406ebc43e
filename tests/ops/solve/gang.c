/* gang.c - A X = B by several devices: as exact as by one, judged in the same
 * way, and what happens if one of them fails. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ops/gang.h"
#include "tests/ops/lu/lu.h"
#include "tests/ops/solve/agrees.h"

static const char *const devices[] = { "2", "3", "5" };
static const enum dtype reals[] = { FLOAT32, FLOAT64 };

static void compare(const struct matrix *a, const struct matrix *b,
                    const char *parts)
{
	const struct matrix in[] = { *a, *b };
	struct args one, all;

	op_run("solve", in, 2, &one, NULL);
	op_run("solve", in, 2, &all, "devices", parts, NULL);
	solve_agrees(a, b, &all, &one);
	args_fini(&one);
	args_fini(&all);
}

static void check_size(size_t n, size_t sides)
{
	for (size_t i = 0; i < COUNT(devices) * COUNT(reals); i++) {
		const char *parts = devices[i / COUNT(reals)];
		const enum dtype t = reals[i % COUNT(reals)];
		struct matrix a, b;

		if (n <= 64 * (size_t)(atoi(parts) - 1))
			continue;
		a = random_matrix(t, (unsigned)n, 2, n, n);
		b = sides ? random_matrix(t, 7, 2, n, sides) :
		            random_matrix(t, 7, 1, n);
		compare(&a, &b, parts);
		matrix_fini(&a);
		matrix_fini(&b);
	}
}

START_TEST(systems_of_every_size)
{
	static const size_t n[] = { 65, 127, 128, 129, 192, 193, 300, 385,
	                            513 };

	for (size_t i = 0; i < COUNT(n); i++)
		check_size(n[i], i % 3);
}
END_TEST

START_TEST(right_hand_sides_of_every_number)
{
	static const size_t sides[] = { 1, 3, 15, 16, 17, 40 };

	for (size_t i = 0; i < COUNT(sides); i++)
		check_size(330, sides[i]);
}
END_TEST

START_TEST(no_right_hand_side_is_no_work)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)200,
	                                (size_t)200);
	struct matrix b = random_matrix(FLOAT64, 1, 2, (size_t)200,
	                                (size_t)0);
	const struct matrix in[] = { a, b };
	struct args one, two;

	op_run("solve", in, 2, &one, NULL);
	op_run("solve", in, 2, &two, "devices", "2", NULL);
	ck_assert_double_eq(two.verdict.residual, one.verdict.residual);
	ck_assert_double_le(fabs(two.verdict.rcond - one.verdict.rcond),
	                    one.verdict.rcond / 10);
	args_fini(&one);
	args_fini(&two);
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

START_TEST(devices_with_memory_of_their_own)
{
	device_copies = device_lanes = true;
	check_size(193, 2);
	check_size(385, 20);
	device_copies = device_lanes = false;
}
END_TEST

/* Matrices that are singular by construction are refused by both, those that
 * rounding may make so are not compared. */
static void check_type(enum lu_type type, enum dtype t, size_t n)
{
	struct matrix a = type_matrix(type, t, n, n, 11);
	struct matrix b = random_matrix(t, 3, 2, n, (size_t)3);
	const struct matrix in[] = { a, b };
	struct err one = { 0 }, all = { 0 };
	struct args r;

	if (type_is_singular(type)) {
		ck_assert_int_eq(op_try("solve", in, 2, &r, &one, NULL), -1);
		ck_assert_int_eq(op_try("solve", in, 2, &r, &all, "devices",
		                        "3", NULL), -1);
		ck_assert_int_eq(all.code, one.code);
		ck_assert_str_eq(all.pointer, one.pointer);
		ck_assert_int_eq(all.code, ERR_SINGULAR);
	} else if (type != TYPE_WORST) {
		compare(&a, &b, "3");
	}
	matrix_fini(&a);
	matrix_fini(&b);
}

START_TEST(matrices_of_every_type)
{
	for (int type = 0; type < TYPE_COUNT; type++)
		for (size_t t = 0; t < COUNT(reals); t++)
			check_type((enum lu_type)type, reals[t], 250);
}
END_TEST

START_TEST(a_zero_pivot_is_told_with_its_column)
{
	solve_tells_zero_pivot("devices", "2");
}
END_TEST

START_TEST(what_is_not_finite_is_refused)
{
	for (int operand = 0; operand < 2; operand++) {
		struct matrix a = random_matrix(FLOAT32, 5, 2, (size_t)200,
		                                (size_t)200);
		struct matrix b = random_matrix(FLOAT32, 5, 1, (size_t)200);
		struct matrix in[] = { a, b };
		struct err e = { 0 };
		struct args r;

		matrix_set(&in[operand], 150, operand ? NAN : INFINITY);
		ck_assert_int_eq(op_try("solve", in, 2, &r, &e, "devices",
		                        "2", NULL), -1);
		ck_assert_int_eq(e.code, ERR_NONFINITE);
		matrix_fini(&a);
		matrix_fini(&b);
	}
}
END_TEST

/* An ill-conditioned system: refinement takes several steps, and the verdict
 * warns. */
START_TEST(an_ill_conditioned_system_is_refined_and_told)
{
	struct matrix a = type_matrix(TYPE_ILL, FLOAT32, 250, 250, 5);
	struct matrix b = random_matrix(FLOAT32, 3, 1, (size_t)250);
	const struct matrix in[] = { a, b };
	struct args one, two;

	for (size_t i = 0; i < 250; i++)	/* a nearly dependent row */
		matrix_set(&a, 250 + i, matrix_get(&a, i) * (1 + 1e-6 *
		           (double)(i % 3)));
	op_run("solve", in, 2, &one, NULL);
	op_run("solve", in, 2, &two, "devices", "2", NULL);
	ck_assert_double_lt(two.verdict.rcond, 1e-6);
	ck_assert_int_eq(two.verdict.ill_conditioned == 1,
	                 one.verdict.ill_conditioned == 1);
	ck_assert_double_lt(solve_ratio(&a, &b, &two.out[0]), 1);
	args_fini(&one);
	args_fini(&two);
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

START_TEST(quality_is_what_is_asked_for)
{
	solve_heeds_quality("devices", "2");
}
END_TEST

static void refused(const struct matrix *a, const struct matrix *b,
                    const char *name, const char *value)
{
	const struct matrix in[] = { *a, *b };
	struct err e = { 0 };
	struct args r;

	ck_assert_int_eq(op_try("solve", in, 2, &r, &e, "devices", "2", name,
	                        value, NULL), -1);
	ck_assert_msg(e.code == ERR_PARAMETER && strstr(e.text, "2 devices "
	              "compute together one real dense matrix"), "%s",
	              e.text);
	ck_assert_str_eq(e.pointer, "/devices");
}

START_TEST(what_they_cannot_compute_is_refused)
{
	struct matrix a = random_matrix(FLOAT64, 2, 2, (size_t)200,
	                                (size_t)200);
	struct matrix b = random_matrix(FLOAT64, 2, 1, (size_t)200);
	struct matrix stack = random_matrix(FLOAT64, 2, 3, (size_t)2,
	                                    (size_t)200, (size_t)1);
	struct matrix small = random_matrix(FLOAT64, 2, 2, (size_t)64,
	                                    (size_t)64);
	struct matrix few = random_matrix(FLOAT64, 2, 1, (size_t)64);

	refused(&a, &b, "structure", "spd");
	refused(&a, &b, "transpose_a", "true");
	refused(&a, &b, "method", "cg");
	refused(&a, &b, "dtype", "complex128");
	refused(&a, &stack, NULL, NULL);
	refused(&small, &few, NULL, NULL);
	matrix_fini(&a);
	matrix_fini(&b);
	matrix_fini(&stack);
	matrix_fini(&small);
	matrix_fini(&few);
}
END_TEST

/* Also while the right-hand sides are solved. */
START_TEST(when_one_fails_none_waits_for_it)
{
	struct matrix a = random_matrix(FLOAT64, 3, 2, (size_t)400,
	                                (size_t)400);
	struct matrix b = random_matrix(FLOAT64, 3, 2, (size_t)400,
	                                (size_t)20);
	const struct matrix in[] = { a, b };

	gang_survives_failures("solve", in, 2);
	compare(&a, &b, "3");
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

START_TEST(the_memory_of_each_shrinks_with_their_number)
{
	struct matrix a = random_matrix(FLOAT64, 3, 2, (size_t)1500,
	                                (size_t)1500);
	struct matrix b = random_matrix(FLOAT64, 3, 1, (size_t)1500);
	const struct matrix in[] = { a, b };

	gang_memory_shrinks("solve", in, 2, 2 * matrix_size(&a));
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

TCase *tcase_solve_gang(void)
{
	TCase *t = tcase_create("solve_gang");

	tcase_set_timeout(t, 0);
	tcase_add_test(t, systems_of_every_size);
	tcase_add_test(t, right_hand_sides_of_every_number);
	tcase_add_test(t, no_right_hand_side_is_no_work);
	tcase_add_test(t, devices_with_memory_of_their_own);
	tcase_add_test(t, matrices_of_every_type);
	tcase_add_test(t, a_zero_pivot_is_told_with_its_column);
	tcase_add_test(t, what_is_not_finite_is_refused);
	tcase_add_test(t, an_ill_conditioned_system_is_refined_and_told);
	tcase_add_test(t, quality_is_what_is_asked_for);
	tcase_add_test(t, what_they_cannot_compute_is_refused);
	tcase_add_test(t, when_one_fails_none_waits_for_it);
	tcase_add_test(t, the_memory_of_each_shrinks_with_their_number);
	return t;
}

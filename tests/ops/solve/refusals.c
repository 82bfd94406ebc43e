/* refusals.c - systems without a solution are refused, with the reason and its
 * numbers. */
#include <math.h>
#include <stdio.h>

#include "tests/ops/lu/lu.h"

/* Runs the call, and frees a and b. */
static int attempt(struct matrix a, struct matrix b, const char *variant,
                   struct err *e)
{
	const struct matrix in[] = { a, b };
	struct args x;
	int rc;

	*e = (struct err){ 0 };
	rc = op_try("solve", in, 2, &x, e, "variant", variant, NULL);
	if (rc == 0)
		args_fini(&x);
	matrix_fini(&a);
	matrix_fini(&b);
	return rc;
}

static void refuse_singular(const struct variant *v)
{
	static const size_t sizes[] = { 1, 2, 10, 140 };

	for (size_t i = 0; i < COUNT(sizes); i++) {
		const size_t n = sizes[i];
		struct err e;
		char wanted[40];

		snprintf(wanted, sizeof wanted, "column %zu,", n - 1);
		ck_refused(attempt(type_matrix(TYPE_LAST_COLUMN_ZERO, FLOAT64,
		                               n, n, 1),
		                   random_matrix(FLOAT64, 1, 1, n), v->name,
		                   &e), &e, ERR_SINGULAR);
		ck_assert_ptr_nonnull(strstr(e.text, wanted));
		ck_refused(attempt(type_matrix(TYPE_FIRST_COLUMN_ZERO,
		                               FLOAT64, n, n, 1),
		                   random_matrix(FLOAT64, 1, 1, n), v->name,
		                   &e), &e, ERR_SINGULAR);
		ck_assert_ptr_nonnull(strstr(e.text, "column 0,"));
	}
}

START_TEST(a_singular_matrix_is_refused_with_its_column)
{
	each_variant("solve", refuse_singular);
}
END_TEST

static void refuse_nonfinite(const struct variant *v)
{
	static const double bad[] = { NAN, INFINITY, -INFINITY };

	for (size_t n = 1; n < 200; n = 5 * n + 7)
		for (size_t k = 0; k < 2 * COUNT(bad); k++) {
			const enum dtype t = k % 2 ? FLOAT64 : FLOAT32;
			struct matrix a = random_matrix(t, 1, 2, n, n);
			struct matrix b = random_matrix(t, 1, 1, n);
			struct err e;

			matrix_set(k < COUNT(bad) ? &a : &b, n - 1,
			           bad[k % COUNT(bad)]);
			ck_refused(attempt(a, b, v->name, &e), &e,
			           ERR_NONFINITE);
		}
}

START_TEST(nan_and_infinity_are_refused)
{
	each_variant("solve", refuse_nonfinite);
}
END_TEST

START_TEST(impossible_shapes_are_refused_with_their_numbers)
{
	const size_t two = 2, three = 3, four = 4;
	struct err e;

	ck_refused(attempt(random_matrix(FLOAT64, 1, 2, three, four),
	                   random_matrix(FLOAT64, 1, 1, three), "tiled", &e),
	           &e, ERR_SHAPE);
	ck_assert_ptr_nonnull(strstr(e.text, "3x4"));
	ck_refused(attempt(random_matrix(FLOAT64, 1, 2, three, three),
	                   random_matrix(FLOAT64, 1, 1, four), "tiled", &e),
	           &e, ERR_SHAPE);
	ck_assert_ptr_nonnull(strstr(e.text, "3 equations, 4 right-hand"));
	ck_refused(attempt(random_matrix(FLOAT64, 1, 2, three, three),
	                   random_matrix(FLOAT64, 1, 2, four, three), "tiled",
	                   &e), &e, ERR_SHAPE);
	ck_refused(attempt(random_matrix(FLOAT64, 1, 3, two, three, three),
	                   random_matrix(FLOAT64, 1, 3, three, three, two),
	                   "tiled", &e), &e, ERR_SHAPE);
}
END_TEST

/* Element (2, 0) of the factor overflows, its product with 0 is NaN, and so is
 * the last pivot. */
static void refuses_overflow(const struct variant *v)
{
	const double a[] = { 1e-300, 0, 1e300, 0, 1, 0, 1e300, 0, 1 };
	struct matrix in[2] = {
		matrix_of(FLOAT64, a, 2, (size_t)3, (size_t)3),
		random_matrix(FLOAT64, 8, 2, (size_t)3, (size_t)1),
	};
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("solve", in, 2, &r, &e, "structure", "spd",
	                  "variant", v->name, NULL), &e, ERR_NOT_POSITIVE);
	ck_assert_msg(strstr(e.text, "order 3") != NULL, "%s: %s", v->name,
	              e.text);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

START_TEST(overflow_does_not_hide_that_a_matrix_is_indefinite)
{
	each_variant("solve", refuses_overflow);
}
END_TEST

void solve_add_refusal_tests(TCase *t)
{
	tcase_add_test(t, a_singular_matrix_is_refused_with_its_column);
	tcase_add_test(t, nan_and_infinity_are_refused);
	tcase_add_test(t, impossible_shapes_are_refused_with_their_numbers);
	tcase_add_test(t, overflow_does_not_hide_that_a_matrix_is_indefinite);
}

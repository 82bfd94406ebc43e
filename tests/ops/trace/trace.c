/* trace.c - the sum of the diagonal's elements, for every shape. */
#include <math.h>

#include "tests/ops/op.h"

/* Small whole numbers: the sum is exact in any order. */
static void one(enum dtype t, size_t stack, size_t m, size_t n)
{
	struct matrix a = random_matrix(t, 3, 3, stack, m, n);
	struct args r;

	for (size_t i = 0; i < matrix_elements(&a); i++)
		matrix_set(&a, i, rint(9 * matrix_get(&a, i)));
	op_run("trace", &a, 1, &r, NULL);
	ck_assert_int_eq(r.out[0].dtype, t);
	ck_assert_uint_eq(matrix_elements(&r.out[0]), stack);
	for (size_t i = 0; i < stack; i++) {
		double sum = 0;

		for (size_t j = 0; j < size_min(m, n); j++)
			sum += matrix_get(&a, (i * m + j) * n + j);
		ck_assert_double_eq(matrix_get(&r.out[0], i), sum);
	}
	args_fini(&r);
	matrix_fini(&a);
}

START_TEST(every_shape_and_stack)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 5, 10, 50, 63, 64, 65,
	                                129 };

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (size_t j = 0; j < COUNT(sizes); j++)
			for (size_t stack = 0; stack < 4; stack++) {
				one(FLOAT32, stack, sizes[i], sizes[j]);
				one(FLOAT64, stack, sizes[i], sizes[j]);
			}
}
END_TEST

/* 2^24 + 1 + ... + 1 loses every 1 in float32. */
START_TEST(float32_is_summed_in_float64)
{
	enum { N = 200 };
	struct matrix a = random_matrix(FLOAT32, 1, 2, (size_t)N, (size_t)N);
	struct args r;

	for (size_t i = 0; i < N; i++)
		matrix_set(&a, i * (N + 1), i ? 1 : 16777216);
	op_run("trace", &a, 1, &r, NULL);
	if (device_sheet(test_device)->float64)
		ck_assert_double_eq(matrix_get(&r.out[0], 0), 16777216 + 200);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

START_TEST(infinity_and_nan_go_through)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)3, (size_t)3);
	struct args r;

	matrix_set(&a, 1, NAN);		/* not on the diagonal */
	matrix_set(&a, 4, INFINITY);
	op_run("trace", &a, 1, &r, NULL);
	ck_assert_double_eq(matrix_get(&r.out[0], 0), INFINITY);
	args_fini(&r);
	matrix_set(&a, 8, NAN);
	op_run("trace", &a, 1, &r, NULL);
	ck_assert(isnan(matrix_get(&r.out[0], 0)));
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

START_TEST(a_vector_has_no_trace)
{
	struct matrix a = random_matrix(FLOAT64, 1, 1, (size_t)3);
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("trace", &a, 1, &r, &e, NULL), &e, ERR_SHAPE);
	matrix_fini(&a);
}
END_TEST

START_TEST(failing_calls_are_survived)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)5, (size_t)5);

	op_survives_failing_calls("trace", &a, 1);
	matrix_fini(&a);
}
END_TEST

TCase *tcase_trace(void)
{
	TCase *c = tcase_create("trace");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, every_shape_and_stack);
	tcase_add_test(c, float32_is_summed_in_float64);
	tcase_add_test(c, infinity_and_nan_go_through);
	tcase_add_test(c, a_vector_has_no_trace);
	tcase_add_test(c, failing_calls_are_survived);
	return c;
}

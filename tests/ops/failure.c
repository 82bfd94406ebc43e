/* failure.c - matrices of a stack fail independently: their outputs are NaN,
 * the others' are unchanged, and only a stack that fails entirely is an
 * error. */
#include <math.h>

#include "ops/failure.h"
#include "tests/test.h"

enum { STACK = 5, N = 3 };

static struct err e;

static void describe(const struct args *a, const struct failure *f,
                     struct err *to)
{
	(void)a;
	err_set(to, (enum err_code)f->detail.code, "matrix %zu, column %d",
	        f->index, (int)f->detail.at);
}

static const struct op op = {
	.name = "test", .describe = describe,
	.inputs = (const struct operand[]){ { .name = NULL } },
	.params = (const struct param[]){ { .name = NULL } },
	.outputs = (const struct output[]){ { "x", "", false },
	    { "n", "", false }, { "z", "", false }, { .name = NULL } },
};

/* A call whose outputs hold 1 everywhere. */
static struct args call_of(size_t stack)
{
	static const enum dtype dtypes[] = { FLOAT32, INT64, COMPLEX128 };
	struct args a;

	e = (struct err){ 0 };
	args_init(&a, &op);
	a.stack = stack;
	for (size_t i = 0; i < COUNT(dtypes); i++)
		a.out[i] = (struct matrix){ .dtype = dtypes[i], .ndim = 2,
		                            .dim = { stack, N } };
	ck_ok(args_alloc(&a, test_pool, &e), &e);
	for (size_t i = 0; i < COUNT(dtypes); i++)
		for (size_t k = 0; k < stack * N; k++)
			matrix_set(&a.out[i], k, 1);
	return a;
}

static void record(struct args *a, size_t index)
{
	args_fail(a, &(struct failure){ index, { ERR_SINGULAR, 7, 0, 0 } });
}

START_TEST(outputs_of_those_that_failed_are_nan)
{
	struct args a = call_of(STACK);

	record(&a, 1);
	record(&a, 4);
	ck_ok(args_settle_failures(&a, &e), &e);
	for (size_t k = 0; k < STACK * N; k++) {
		const bool failed = k / N == 1 || k / N == 4;

		ck_assert_int_eq(args_has_failed(&a, k / N), failed);
		ck_assert_int_eq(isnan(matrix_get(&a.out[0], k)) != 0, failed);
		ck_assert_double_eq(matrix_get(&a.out[1], k), !failed);
		ck_assert_int_eq(isnan(matrix_get(&a.out[2], k)) != 0, failed);
		ck_assert_int_eq(isnan(matrix_get_imaginary(&a.out[2], k)) != 0,
		                 failed);
	}
	args_fini(&a);
}
END_TEST

START_TEST(a_stack_of_failures_is_the_first_ones_error)
{
	struct args a = call_of(2), b = call_of(1);

	record(&a, 0);
	record(&a, 1);
	ck_refused(args_settle_failures(&a, &e), &e, ERR_SINGULAR);
	ck_assert_str_eq(e.text, "matrix 0, column 7");
	e = (struct err){ 0 };
	ck_assert_int_eq(b.failed.ndim, MATRIX_ABSENT);
	record(&b, 0);
	ck_assert(args_has_failed(&b, 0));
	ck_refused(args_settle_failures(&b, &e), &e, ERR_SINGULAR);
	args_fini(&a);
	args_fini(&b);
}
END_TEST

START_TEST(a_worker_cannot_invent_failures)
{
	struct args a = call_of(STACK), b = call_of(1);

	record(&a, 2);
	record(&a, 3);
	ck_assert(!args_take_failures(&a, STACK));
	((int64_t *)matrix_data(&a.failed))[1] = STACK;
	ck_assert(!args_take_failures(&a, 2));
	((int64_t *)matrix_data(&a.failed))[1] = -1;
	ck_assert(!args_take_failures(&a, 2));
	ck_assert(args_take_failures(&a, 1));
	ck_assert_uint_eq(matrix_elements(&a.failed), 1);
	ck_assert(!args_take_failures(&b, 1));
	ck_assert(args_take_failures(&b, 0));
	args_fini(&a);
	args_fini(&b);
}
END_TEST

TCase *tcase_failure(void)
{
	TCase *t = tcase_create("failure");

	tcase_add_test(t, outputs_of_those_that_failed_are_nan);
	tcase_add_test(t, a_stack_of_failures_is_the_first_ones_error);
	tcase_add_test(t, a_worker_cannot_invent_failures);
	return t;
}

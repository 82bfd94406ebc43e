/* tuning.c - a table names a variant by operation, type and size. */
#include "ops/tuning.h"
#include "tests/test.h"

static const char table[] =
    "matmul float32 16 255 register-tile\n"
    "matmul float32 1024 16777215 packed\n"
    "lu float64 1 16777215 tiled\n";

static struct args call(const char *op, enum dtype d, size_t rows, size_t cols)
{
	struct args a;

	args_init(&a, op_find(op));
	a.dtype = d;
	a.in[0] = (struct matrix){ .dtype = d, .ndim = 2,
	                           .dim = { rows, cols } };
	return a;
}

static const char *name_of(const struct tuning *t, const char *op,
                           enum dtype d, size_t rows, size_t cols)
{
	const struct args a = call(op, d, rows, cols);
	const struct variant *v = tuning_best(t, &a);

	return v ? v->name : "none";
}

START_TEST(the_largest_dimension_and_the_type_choose)
{
	struct tuning t = { 0 };

	tuning_read(&t, table);
	ck_assert_str_eq(name_of(&t, "matmul", FLOAT32, 15, 3), "none");
	ck_assert_str_eq(name_of(&t, "matmul", FLOAT32, 3, 16),
	                 "register-tile");
	ck_assert_str_eq(name_of(&t, "matmul", FLOAT32, 255, 1),
	                 "register-tile");
	ck_assert_str_eq(name_of(&t, "matmul", FLOAT32, 256, 1), "none");
	ck_assert_str_eq(name_of(&t, "matmul", FLOAT32, 1024, 1), "packed");
	ck_assert_str_eq(name_of(&t, "matmul", FLOAT64, 100, 100), "none");
	ck_assert_str_eq(name_of(&t, "lu", FLOAT64, 0, 0), "tiled");
	ck_assert_str_eq(name_of(&t, "lu", FLOAT64, (size_t)1 << 40, 1),
	                 "tiled");
}
END_TEST

START_TEST(a_variant_is_set_from_a_size_on)
{
	struct tuning t = { 0 };
	const struct args a = call("matmul", FLOAT32, 100, 3);

	tuning_set(&t, &a, op_variant(a.op, "packed"));
	ck_assert_str_eq(name_of(&t, "matmul", FLOAT32, 63, 63), "none");
	ck_assert_str_eq(name_of(&t, "matmul", FLOAT32, 64, 1), "packed");
	ck_assert_str_eq(name_of(&t, "matmul", FLOAT32, (size_t)1 << 40, 1),
	                 "packed");
	ck_assert_str_eq(name_of(&t, "matmul", FLOAT64, 100, 3), "none");
}
END_TEST

START_TEST(a_table_is_printed_as_it_is_read)
{
	struct tuning t = { 0 };
	struct text printed = { 0 };

	tuning_read(&t, table);
	tuning_print(&t, &printed);
	ck_assert_msg(strstr(printed.data, "matmul float32 16 255 "
	                     "register-tile\n"), "%s", printed.data);
	ck_assert_msg(strstr(printed.data, "lu float64 1 16777215 tiled\n"),
	              "%s", printed.data);
	text_fini(&printed);
}
END_TEST

START_TEST(lines_of_other_versions_are_passed_over)
{
	const struct tuning none = { 0 };
	struct tuning t = { 0 };

	tuning_read(&t, "matmul float32 1 9 quantum\nsort float32 1 9 quick\n"
	            "matmul float16 1 9 packed\n\nmatmul float32\n"
	            "lu float32 1 9 seed-v0\n");	/* not for auto */
	ck_assert_mem_eq(&t, &none, sizeof t);
	tuning_read(&t, NULL);
	ck_assert_mem_eq(&t, &none, sizeof t);
}
END_TEST

TCase *tcase_tuning(void)
{
	TCase *c = tcase_create("tuning");

	tcase_add_test(c, the_largest_dimension_and_the_type_choose);
	tcase_add_test(c, a_variant_is_set_from_a_size_on);
	tcase_add_test(c, a_table_is_printed_as_it_is_read);
	tcase_add_test(c, lines_of_other_versions_are_passed_over);
	return c;
}

/* rows.c - ranges of rows of dense and sparse matrices are those of Python's
 * slices. */
#include "matrix/rows.h"
#include "matrix/sparse.h"
#include "tests/test.h"

static struct err e;
static size_t used_before;

static void setup(void)
{
	e = (struct err){ 0 };
	used_before = memory_pool_used(test_pool);
}

static void teardown(void)
{
	ck_assert_uint_eq(memory_pool_used(test_pool), used_before);
}

START_TEST(a_range_is_parsed_as_in_python)
{
	static const struct { const char *text; size_t first, stop; } row[] = {
		{ ":", 0, 10 }, { "2:5", 2, 5 }, { "-3:", 7, 10 },
		{ ":-1", 0, 9 }, { "10:10", 10, 10 }, { "-10:-9", 0, 1 },
		{ "5:2", 5, 5 }, { "0:", 0, 10 },
	};
	static const struct { const char *text; enum err_code code; } bad[] = {
		{ "", ERR_PARAMETER }, { "3", ERR_PARAMETER },
		{ "1:2:3", ERR_PARAMETER }, { "a:", ERR_PARAMETER },
		{ " 1:2", ERR_PARAMETER }, { "+1:2", ERR_PARAMETER },
		{ "11:", ERR_SHAPE }, { ":11", ERR_SHAPE },
		{ "-11:", ERR_SHAPE }, { "0:99999999999999999999",
		                         ERR_PARAMETER },
	};
	size_t first, stop;

	for (size_t i = 0; i < COUNT(row); i++) {
		ck_ok(rows_parse(row[i].text, 10, &first, &stop, &e), &e);
		ck_assert_uint_eq(first, row[i].first);
		ck_assert_uint_eq(stop, row[i].stop);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		ck_refused(rows_parse(bad[i].text, 10, &first, &stop, &e), &e,
		           bad[i].code);
		e = (struct err){ 0 };
	}
}
END_TEST

START_TEST(dense_rows_are_part_of_the_matrix)
{
	struct matrix m = { .dtype = FLOAT32, .ndim = 3, .dim = { 4, 3, 2 } };
	struct rows r;

	ck_ok(matrix_alloc(&m, test_pool, &e), &e);
	for (size_t i = 0; i < 24; i++)
		matrix_set(&m, i, (double)i);
	ck_ok(rows_take(&r, &m, 1, 3, test_pool, &e), &e);
	matrix_fini(&m);
	ck_assert_uint_eq(r.matrix.dim[0], 2);
	ck_assert_uint_eq(matrix_elements(&r.matrix), 12);
	ck_assert(matrix_get(&r.matrix, 0) == 6);
	ck_assert(matrix_get(&r.matrix, 11) == 17);
	rows_fini(&r);
}
END_TEST

START_TEST(sparse_rows_have_an_index_of_their_own)
{
	static const struct sparse_entry x[] = {
		{ 0, 1, 1 }, { 1, 0, 2 }, { 1, 2, 3 }, { 3, 1, 4 },
	};
	struct matrix m = { .ndim = 2, .dim = { 4, 3 } };
	struct rows r;

	ck_ok(sparse_build(&m, x, 4, test_pool, &e), &e);
	ck_ok(rows_take(&r, &m, 1, 3, test_pool, &e), &e);
	ck_ok(sparse_check(&r.matrix, &e), &e);
	ck_assert_uint_eq(r.matrix.nnz, 2);
	ck_assert(matrix_get(&r.matrix, 0) == 2);
	ck_assert_int_eq(sparse_column(&r.matrix, 1), 2);
	rows_fini(&r);
	ck_ok(rows_take(&r, &m, 2, 2, test_pool, &e), &e);
	ck_assert_uint_eq(r.matrix.nnz, 0);
	rows_fini(&r);
	ck_ok(rows_take(&r, &m, 0, 4, test_pool, &e), &e);
	ck_assert_ptr_eq(r.matrix.index, m.index);
	rows_fini(&r);
	rows_fini(&r);
	matrix_fini(&m);
}
END_TEST

TCase *tcase_rows(void)
{
	TCase *c = tcase_create("rows");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, a_range_is_parsed_as_in_python);
	tcase_add_test(c, dense_rows_are_part_of_the_matrix);
	tcase_add_test(c, sparse_rows_have_an_index_of_their_own);
	return c;
}

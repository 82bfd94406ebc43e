/* sparse_broken.c - a sparse result whose index was corrupted by a worker is
 * detected, and nothing outside of it is read. */
#include <stdint.h>

#include "format/writer.h"
#include "tests/matrix/sparse.h"
#include "tests/test.h"

enum { ROWS = 3, COLS = 4, NNZ = 5 };

static const int64_t starts[] = { 0, 2, 2, NNZ };
static const int32_t columns[] = { 0, 3, 0, 1, 2 };

/* Each sets a wrong value at an index of the row starts, or of the columns,
 * which follow them. */
static const struct {
	size_t at;
	int64_t value;
} breaks[] = {
	{ 0, 1 }, { 0, -1 }, { 1, INT64_MAX }, { 1, INT64_MIN }, { 1, 6 },
	{ 2, 1 }, { 2, 6 }, { 2, -1 }, { 3, 4 }, { 3, 6 }, { 3, INT64_MAX },
	{ 3, 0 }, { 4, -1 }, { 5, COLS }, { 6, INT32_MAX }, { 8, INT32_MIN },
};

static struct memory values, index_of;
static struct matrix m;

/* Allocates exactly the bytes that are needed, so that the sanitizer sees every
 * access beyond them. */
static void setup(void)
{
	m = (struct matrix){ .dtype = FLOAT64, .ndim = 2, .layout = CSR,
	                     .dim = { ROWS, COLS }, .nnz = NNZ,
	                     .memory = &values, .index = &index_of };
	index_of.data = malloc(matrix_index_size(&m));
	values.data = calloc(NNZ, sizeof(double));
	memcpy(sparse_starts(&m), starts, sizeof starts);
	memcpy(sparse_columns(&m), columns, sizeof columns);
}

static void teardown(void)
{
	free(index_of.data);
	free(values.data);
}

static void break_at(size_t k)
{
	if (breaks[k].at <= ROWS)
		sparse_starts(&m)[breaks[k].at] = breaks[k].value;
	else
		sparse_columns(&m)[breaks[k].at - ROWS - 1] =
		    (int32_t)breaks[k].value;
}

static bool json_is_broken(bool coordinates)
{
	struct json_writer w;
	char room[64];

	m.coordinates = coordinates;
	json_writer_init(&w, &m);
	while (json_writer_more(&w, room, sizeof room) > 0)
		;
	return w.broken;
}

static bool mm_is_broken(void)
{
	struct mm_writer w;
	char room[64];

	mm_writer_init(&w, &m);
	while (mm_writer_more(&w, room, sizeof room) > 0)
		;
	return w.broken;
}

START_TEST(a_sound_index_is_written)
{
	struct err e = { 0 };

	ck_ok(sparse_check(&m, &e), &e);
	ck_assert(!json_is_broken(false));
	ck_assert(!json_is_broken(true));
	ck_assert(!mm_is_broken());
}
END_TEST

START_TEST(a_broken_index_is_told)
{
	struct err e = { 0 };

	break_at((size_t)_i);
	ck_refused(sparse_check(&m, &e), &e, ERR_DEVICE);
	ck_assert(json_is_broken(false));
}
END_TEST

/* Where each entry is printed with its row, a wrong start of an empty row has
 * no effect. */
START_TEST(a_broken_index_is_told_by_coordinates)
{
	break_at((size_t)_i);
	ck_assert_int_eq(json_is_broken(true), mm_is_broken());
	ck_assert(mm_is_broken() || breaks[_i].at <= ROWS);
}
END_TEST

TCase *tcase_sparse_broken(void)
{
	TCase *c = tcase_create("sparse_broken");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, a_sound_index_is_written);
	tcase_add_loop_test(c, a_broken_index_is_told, 0, COUNT(breaks));
	tcase_add_loop_test(c, a_broken_index_is_told_by_coordinates, 0,
	                    COUNT(breaks));
	return c;
}

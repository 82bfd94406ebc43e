/* rows.c - what the fleet writes into columns as text is read as it was. */
#include <string.h>

#include "fleet/form.h"
#include "fleet/needs.h"
#include "fleet/uses.h"
#include "tests/test.h"

static const struct matrix matrices[] = {
	{ .dtype = FLOAT64 },
	{ .dtype = BOOL, .ndim = 1, .dim = { 0 } },
	{ .dtype = COMPLEX64, .ndim = 2, .dim = { 3, SIZE_MAX } },
	{ .dtype = FLOAT32, .ndim = 2, .dim = { 5, 7 }, .layout = CSR,
	  .nnz = 11 },
	{ .dtype = INT64, .ndim = 2, .dim = { 1, 1 }, .layout = CSR,
	  .coordinates = true },
	{ .dtype = BFLOAT16, .ndim = MATRIX_DIMS,
	  .dim = { 1, 2, 3, 4, 5, 6, 7, SIZE_MAX } },
};

START_TEST(a_form_is_read_as_it_was_printed)
{
	char text[FORM_TEXT];
	const struct matrix *const m = &matrices[_i];
	struct matrix got;
	struct err e = { 0 };

	ck_assert_int_eq(form_read(&got, form_print(m, text), &e), 0);
	ck_assert_int_eq(got.dtype, m->dtype);
	ck_assert_int_eq(got.layout, m->layout);
	ck_assert_int_eq(got.coordinates, m->coordinates);
	ck_assert_uint_eq(got.nnz, m->nnz);
	ck_assert_int_eq(got.ndim, m->ndim);
	ck_assert_mem_eq(got.dim, m->dim, sizeof m->dim);
	ck_assert_ptr_null(got.memory);
}
END_TEST

START_TEST(a_form_of_a_later_version_is_an_error)
{
	static const char *const wrong[] = {
		"", "float64", "float64 dense", "float1024 dense 0 2",
	};
	struct matrix got;
	struct err e = { 0 };

	ck_assert_int_eq(form_read(&got, wrong[_i], &e), -1);
	ck_assert_int_eq(e.code, ERR_STATE);
}
END_TEST

START_TEST(uses_are_read_as_they_were_printed)
{
	const struct uses u = {
		.any = true, .n = 4, .version = { 0, 12, UINT64_MAX, 0 },
	};
	char text[USES_TEXT];
	struct uses got;

	ck_assert_str_eq(uses_print(&u, text), "{0,12,18446744073709551615,0}");
	uses_read(&got, text);
	ck_assert(got.any);
	ck_assert_uint_eq(got.n, u.n);
	ck_assert_mem_eq(got.version, u.version, sizeof u.version);
	uses_read(&got, "");
	ck_assert(!got.any && got.n == 0);
	ck_assert_ptr_null(uses_print(&got, text));
}
END_TEST

START_TEST(stored_matrices_are_left_out_of_the_payload)
{
	const struct uses u = { .any = true, .n = 2, .version = { 0, 5 } };
	const struct uses none = { .n = 2 };
	struct matrix payload[RECORD_OPERANDS];

	uses_leave_out(&u, matrices, 2, payload);
	ck_assert_int_eq(payload[0].ndim, 0);
	ck_assert_int_eq(payload[1].ndim, MATRIX_ABSENT);
	uses_leave_out(&none, matrices, 2, payload);
	ck_assert_int_eq(payload[1].ndim, 1);
}
END_TEST

START_TEST(needs_are_those_that_any_of_the_devices_meets)
{
	static const struct sheet sheets[] = {
		{ .type = DEVICE_CPU, .float64 = true },
		{ .type = DEVICE_GPU },
		{ .type = DEVICE_OTHER },
	};
	struct needs x;

	needs_find(&x, sheets, 1);
	ck_assert_str_eq(x.met, "{0,1,2,4}");
	ck_assert_str_eq(x.unmet, "{3}");
	needs_find(&x, sheets, 2);
	ck_assert_str_eq(x.met, "{0,1,2,3,4}");
	ck_assert_str_eq(x.unmet, "{}");
	needs_find(&x, sheets + 1, 2);
	ck_assert_str_eq(x.met, "{0,3,4}");
	ck_assert_str_eq(x.unmet, "{1,2}");
	needs_find(&x, sheets, 0);
	ck_assert_str_eq(x.met, "{}");
	ck_assert_str_eq(x.unmet, "{0,1,2,3,4}");
}
END_TEST

TCase *tcase_fleet_rows(void)
{
	TCase *c = tcase_create("fleet_rows");

	tcase_add_loop_test(c, a_form_is_read_as_it_was_printed, 0,
	                    sizeof matrices / sizeof matrices[0]);
	tcase_add_loop_test(c, a_form_of_a_later_version_is_an_error, 0, 4);
	tcase_add_test(c, uses_are_read_as_they_were_printed);
	tcase_add_test(c, stored_matrices_are_left_out_of_the_payload);
	tcase_add_test(c, needs_are_those_that_any_of_the_devices_meets);
	return c;
}

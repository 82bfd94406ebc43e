/* select.c - which device is meant. */
#include "tests/test.h"
#include "wire/select.h"

START_TEST(devices_are_found_by_kind_index_and_name)
{
	static const struct sheet sheets[] = {
		{ .index = 0, .type = DEVICE_CPU, .name = "pthread-EPYC" },
		{ .index = 3, .type = DEVICE_GPU, .name = "NVIDIA H200" },
		{ .index = 4, .type = DEVICE_GPU, .name = "NVIDIA T4" },
		{ .index = 5, .type = DEVICE_CLUSTER, .name = "linalgd-mpi" },
	};
	static const struct {
		const char *selector;
		uint64_t devices;
	} good[] = {
		{ "auto", 15 }, { "cpu", 1 }, { "GPU", 6 }, { "0", 1 },
		{ "3", 2 }, { "h200", 2 }, { "nvidia", 6 }, { "epyc", 1 },
		{ "cluster", 8 }, { "mpi", 8 }, { "5", 8 },
	};
	static const char *const bad[] = { "", "1", "tpu", "-1", "3x" };
	struct err e = { 0 };
	uint64_t devices;

	for (size_t i = 0; i < COUNT(good); i++) {
		ck_ok(select_devices(sheets, COUNT(sheets), good[i].selector,
		                     &devices, &e), &e);
		ck_assert_uint_eq(devices, good[i].devices);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		e = (struct err){ 0 };
		ck_refused(select_devices(sheets, COUNT(sheets), bad[i],
		                          &devices, &e), &e, ERR_PARAMETER);
	}
}
END_TEST

START_TEST(a_kind_that_is_missing_is_not_taken_for_a_slip)
{
	static const struct sheet only = { .index = 0, .type = DEVICE_CPU,
	                                   .name = "pthread-EPYC" };
	struct err e = { 0 };
	uint64_t devices;

	ck_refused(select_devices(&only, 1, "gpu", &devices, &e), &e,
	           ERR_PARAMETER);
	ck_assert_msg(!strstr(e.text, "did you mean"), "%s", e.text);
	ck_assert_msg(strstr(e.text, "0 (pthread-EPYC)"), "%s", e.text);
	e = (struct err){ 0 };
	ck_refused(select_devices(&only, 1, "gpo", &devices, &e), &e,
	           ERR_PARAMETER);
	ck_assert_msg(strstr(e.text, "did you mean gpu?"), "%s", e.text);
}
END_TEST

TCase *tcase_select(void)
{
	TCase *c = tcase_create("select");

	tcase_add_test(c, devices_are_found_by_kind_index_and_name);
	tcase_add_test(c, a_kind_that_is_missing_is_not_taken_for_a_slip);
	return c;
}

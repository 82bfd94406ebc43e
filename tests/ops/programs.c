/* programs.c - foreseen programs are compiled into the cache by whichever
 * process is first; launches then find them there. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/binary.h"
#include "device/state.h"
#include "ops/eigen/seed.h"
#include "tests/ops/op.h"

enum { N = 70 };

/* Kernels of three files, and a name that is in none. */
static const char kernels[] =
    "seed_max_v0  seed_next matmul_naive no_such_kernel transpose_tile ";

static char cache[] = "/tmp/linalgd-programs-XXXXXX";

static void make_cache(void)
{
	snprintf(cache + sizeof cache - 7, 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(cache));
}

static void drop_cache(void)
{
	DIR *d = opendir(cache);
	const struct dirent *file;
	char path[512];

	while ((file = readdir(d))) {
		snprintf(path, sizeof path, "%s/%s", cache, file->d_name);
		unlink(path);
	}
	closedir(d);
	ck_assert_int_eq(rmdir(cache), 0);
}

/* Opens the device as if its platform kept no binaries itself; PoCL does. */
static struct device *open_device(void)
{
	struct err e = { 0 };
	struct device *d = device_open(device_sheet(test_device)->index,
	                               cache, &e);

	ck_assert_msg(d != NULL, "%s", e.text);
	snprintf(d->sheet.platform, sizeof d->sheet.platform, "another");
	return d;
}

/* Launches a kernel of kernels/seeds/eigen.cl and checks its result. */
static void check_launch(struct device *d)
{
	struct matrix x = random_matrix(FLOAT32, 1, 1, (size_t)N);
	struct matrix max = random_matrix(FLOAT32, 2, 1, (size_t)1);
	struct err e = { 0 };
	struct seq *s = seq_new(d, FLOAT32, TIMING_NONE, &e);

	matrix_set(&x, N - 1, 64);
	seed_max(s, 0, seq_input(s, &x), seq_output(s, &max), N);
	ck_ok(seq_finish(s), &e);
	seq_free(s);
	ck_assert_double_eq(matrix_get(&max, 0), 64);
	matrix_fini(&x);
	matrix_fini(&max);
}

START_TEST(what_is_foreseen_is_compiled_into_the_cache)
{
	struct device *d = open_device(), *other;

	ck_assert_int_eq(device_missing(d), 0);
	device_foresee(d, kernels, FLOAT32);
	device_foresee(d, "transpose_tile", INT32);
	ck_assert_int_eq(device_missing(d), 4);
	check_launch(d);
	ck_assert_int_eq(device_missing(d), 3);
	for (int i = 0; i < 3; i++)
		ck_assert(device_compile_next(d));
	ck_assert(!device_compile_next(d));
	device_close(d);
	other = open_device();
	device_foresee(other, kernels, FLOAT32);
	ck_assert_int_eq(device_missing(other), 0);
	for (int i = 0; i < 3; i++)
		ck_assert(device_load_next(other));
	ck_assert(!device_load_next(other));
	check_launch(other);
	device_close(other);
}
END_TEST

START_TEST(without_a_cache_nothing_is_missing)
{
	struct err e = { 0 };
	struct device *d = device_open(device_sheet(test_device)->index, NULL,
	                               &e);

	device_foresee(d, kernels, FLOAT32);
	ck_assert_int_eq(device_missing(d), 0);
	ck_assert(!device_compile_next(d));
	ck_assert(!device_load_next(d));
	device_close(d);
}
END_TEST

START_TEST(one_process_compiles_a_program)
{
	struct device *d = open_device();
	const uint64_t key = binary_key(d, "text", "float32");
	const uint64_t other = binary_key(d, "text", "float64");
	int first = binary_lock(cache, key, true);
	int second;

	ck_assert_int_ge(first, 0);
	ck_assert_int_lt(binary_lock(cache, key, false), 0);
	second = binary_lock(cache, other, false);
	ck_assert_int_ge(second, 0);
	close(first);
	first = binary_lock(cache, key, false);
	ck_assert_int_ge(first, 0);
	close(first);
	close(second);
	device_close(d);
}
END_TEST

TCase *tcase_programs(void)
{
	TCase *c = tcase_create("programs");

	tcase_set_timeout(c, 600);
	tcase_add_checked_fixture(c, forget_notes, restore_notes);
	tcase_add_checked_fixture(c, make_cache, drop_cache);
	tcase_add_test(c, what_is_foreseen_is_compiled_into_the_cache);
	tcase_add_test(c, without_a_cache_nothing_is_missing);
	tcase_add_test(c, one_process_compiles_a_program);
	return c;
}

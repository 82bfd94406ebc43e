/* shared.c - payloads in a fleet's shared directory: what is written is read as
 * it was, and nothing is read from a directory that is another one. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fleet/shared_state.h"
#include "tests/journal/payload_room.h"

enum { ABOVE = 100 };

static struct shared *shared;
static struct matrix matrix[2];
static uint64_t bytes;

/* Writes the marker, as the first host of a fleet does. */
static void mark(const char *text)
{
	char path[SHARED_PATH];
	FILE *f = fopen(shared_path(shared, SHARED_MARKER, path), "w");

	ck_assert_ptr_nonnull(f);
	fprintf(f, "%s\n", text);
	fclose(f);
}

static void setup(void)
{
	static const size_t dim[] = { 30, 20 };

	payload_room_open();
	shared = shared_new(files.path, ABOVE, &files.e);
	ck_assert_ptr_nonnull(shared);
	strcpy(shared->mark, "linalgd 1 2");
	mark(shared->mark);
	matrix[0] = payload_dense(FLOAT64, 2, dim);
	matrix[1] = payload_sparse();
	ck_ok(payload_bytes(matrix, 2, &bytes, &files.e), &files.e);
}

static void teardown(void)
{
	matrix_fini(&matrix[0]);
	matrix_fini(&matrix[1]);
	shared_free(shared);
	payload_room_close();
}

/* Reads the file; returns the code of the error. */
static enum err_code read_back(const char *name, uint64_t expected)
{
	struct matrix m[2];
	struct err e = { 0 };
	size_t n = 0;

	if (shared_read(shared, name, expected, m, 2, &n, test_pool, &e)) {
		ck_assert_uint_eq(n, 0);
		ck_assert_ptr_null(strstr(e.text, files.path));
		return e.code;
	}
	ck_assert_uint_eq(n, 2);
	for (int i = 0; i < 2; i++) {
		payload_ck_same(&m[i], &matrix[i]);
		matrix_fini(&m[i]);
	}
	return ERR_NONE;
}

START_TEST(a_file_is_read_as_it_was_written)
{
	char name[SHARED_NAME] = "", other[SHARED_NAME] = "";
	char path[SHARED_PATH];
	struct stat st;

	shared_write(shared, bytes, matrix, 2, name);
	shared_write(shared, bytes, matrix, 2, other);
	ck_assert_uint_eq(strspn(name, "0123456789abcdef"), SHARED_NAME - 1);
	ck_assert_str_ne(name, other);
	ck_assert_int_eq(stat(shared_path(shared, name, path), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	ck_assert_uint_eq((uint64_t)st.st_size, bytes);
	ck_assert_int_eq(read_back(name, bytes), ERR_NONE);
	ck_assert_int_eq(payload_count(), 3);
	shared_drop(shared, name);
	ck_assert_str_eq(name, "");
	shared_drop(shared, other);
	ck_assert_int_eq(payload_count(), 1);
}
END_TEST

START_TEST(a_small_payload_is_no_file)
{
	char name[SHARED_NAME] = "";

	shared_write(shared, ABOVE, matrix, 2, name);
	ck_assert_str_eq(name, "");
	ck_assert_int_eq(payload_count(), 1);
}
END_TEST

START_TEST(a_repeated_call_writes_only_a_missing_file)
{
	char name[SHARED_NAME] = "", before[SHARED_NAME], path[SHARED_PATH];
	struct stat first, second;

	shared_write(shared, bytes, matrix, 2, name);
	strcpy(before, name);
	ck_assert_int_eq(stat(shared_path(shared, name, path), &first), 0);
	shared_write(shared, bytes, matrix, 2, name);
	ck_assert_str_eq(name, before);
	ck_assert_int_eq(stat(path, &second), 0);
	ck_assert_uint_eq(first.st_ino, second.st_ino);
	ck_assert_int_eq(unlink(path), 0);
	shared_write(shared, bytes, matrix, 2, name);
	ck_assert_str_eq(name, before);
	ck_assert_int_eq(read_back(name, bytes), ERR_NONE);
}
END_TEST

START_TEST(a_lost_file_is_gone)
{
	char name[SHARED_NAME] = "", path[SHARED_PATH];

	shared_write(shared, bytes, matrix, 2, name);
	ck_assert_int_eq(read_back(name, bytes + 1), ERR_GONE);
	shared_path(shared, name, path);
	ck_assert_int_eq(truncate(path, (off_t)bytes - 1), 0);
	ck_assert_int_eq(read_back(name, bytes), ERR_GONE);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(read_back(name, bytes), ERR_GONE);
}
END_TEST

/* Marks that are no reason to use the directory: NULL is no marker at all. */
static const char *const foreign[] = { "linalgd 1 3", "", NULL };

START_TEST(nothing_is_read_or_written_without_the_marker)
{
	char name[SHARED_NAME] = "", other[SHARED_NAME] = "";
	char path[SHARED_PATH];

	shared_write(shared, bytes, matrix, 2, name);
	if (foreign[_i])
		mark(foreign[_i]);
	else
		unlink(shared_path(shared, SHARED_MARKER, path));
	shared_write(shared, bytes, matrix, 2, other);
	ck_assert_str_eq(other, "");
	ck_assert_int_eq(read_back(name, bytes), ERR_NOT_READY);
	mark(shared->mark);
	ck_assert_int_eq(read_back(name, bytes), ERR_NONE);
}
END_TEST

START_TEST(without_a_directory_payloads_go_elsewhere)
{
	char name[SHARED_NAME] = "";
	struct matrix m;
	struct err e = { 0 };
	size_t n;

	shared_write(NULL, bytes, matrix, 2, name);
	ck_assert_str_eq(name, "");
	ck_assert(!shared_is_there(NULL));
	ck_refused(shared_read(NULL, "a", 1, &m, 1, &n, test_pool, &e), &e,
	           ERR_NOT_READY);
	shared_drop(NULL, name);
	shared_free(NULL);
}
END_TEST

static int refuse(int fd)
{
	(void)fd;
	errno = EIO;
	return -1;
}

START_TEST(a_file_that_cannot_be_synchronized_is_not_used)
{
	const struct payload_calls honest = payload_calls;
	char name[SHARED_NAME] = "";

	if (_i)
		payload_calls.fsync = refuse;
	else
		payload_calls.fdatasync = refuse;
	shared_write(shared, bytes, matrix, 2, name);
	payload_calls = honest;
	ck_assert_str_eq(name, "");
}
END_TEST

TCase *tcase_fleet_shared(void)
{
	TCase *c = tcase_create("fleet_shared");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, a_file_is_read_as_it_was_written);
	tcase_add_test(c, a_small_payload_is_no_file);
	tcase_add_test(c, a_repeated_call_writes_only_a_missing_file);
	tcase_add_test(c, a_lost_file_is_gone);
	tcase_add_loop_test(c, nothing_is_read_or_written_without_the_marker, 0,
	                    sizeof foreign / sizeof foreign[0]);
	tcase_add_test(c, without_a_directory_payloads_go_elsewhere);
	tcase_add_loop_test(c, a_file_that_cannot_be_synchronized_is_not_used,
	                    0, 2);
	return c;
}

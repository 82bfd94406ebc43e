/* payload_fails.c - each system call of a payload file fails once: the error
 * names the file, nothing is lost of what was there before, and nothing is left
 * open. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/journal/payload_room.h"

/* The call that fails, counted from 0; negative: none. */
static int until;
static int error;
static struct payload_calls honest;

static bool fails(void)
{
	if (until-- != 0)
		return false;
	errno = error;
	return true;
}

static int open_or_fail(int dir, const char *name, int flags, ...)
{
	va_list more;
	mode_t mode;

	va_start(more, flags);
	mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
	va_end(more);
	return fails() ? -1 : openat(dir, name, flags, mode);
}

/* Writes half of the bytes before it fails, as a full disk does. */
static ssize_t write_or_fail(int fd, const void *bytes, size_t n)
{
	if (fails())
		return -1;
	return write(fd, bytes, n > 1 ? n / 2 : n);
}

static int fdatasync_or_fail(int fd)
{
	return fails() ? -1 : fdatasync(fd);
}

static int fsync_or_fail(int fd)
{
	return fails() ? -1 : fsync(fd);
}

static int rename_or_fail(int from_dir, const char *from, int to_dir,
                          const char *to)
{
	return fails() ? -1 : renameat(from_dir, from, to_dir, to);
}

static int unlink_or_fail(int dir, const char *name, int flags)
{
	return fails() ? -1 : unlinkat(dir, name, flags);
}

static void setup(void)
{
	payload_room_open();
	honest = payload_calls;
	payload_calls = (struct payload_calls){
		open_or_fail, write_or_fail, fdatasync_or_fail, fsync_or_fail,
		rename_or_fail, unlink_or_fail,
	};
	until = -1;
	error = EIO;
}

static void teardown(void)
{
	payload_calls = honest;
	payload_room_close();
}

static int open_files(void)
{
	const int fd = dup(0);

	close(fd);
	return fd;
}

static void ck_there(const char *name, const struct matrix *expected)
{
	struct matrix back;
	struct err e = { 0 };
	size_t n;

	ck_ok(payload_read(files.d, name, &back, 1, &n, test_pool, &e), &e);
	payload_ck_same(expected, &back);
	matrix_fini(&back);
}

/* Lets each call of replacing a file fail; returns how many there were. */
static int replace_with_failures(const struct matrix *old,
                                 const struct matrix *new)
{
	for (int i = 0;; i++) {
		struct err e = { 0 };
		int rc;

		until = -1;
		ck_ok(payload_write(files.d, "a", old, 1, &e), &e);
		until = i;
		rc = payload_write(files.d, "a", new, 1, &e);
		if (until >= 0) {
			ck_ok(rc, &e);
			until = -1;
			ck_there("a", new);
			return i;
		}
		ck_assert_int_eq(rc, -1);
		ck_assert_int_eq(e.code, ERR_STATE);
		ck_assert_msg(strstr(e.text, files.path) != NULL &&
		              strstr(e.text, strerror(error)), "%s", e.text);
		until = -1;
		ck_assert_int_eq(payload_count(), 1);
	}
}

START_TEST(each_call_of_a_write_fails_once)
{
	static const size_t one[] = { 5 }, other[] = { 3, 400, 100 };
	struct matrix old = payload_dense(FLOAT64, 1, one);
	struct matrix new = payload_dense(FLOAT32, 3, other);
	const int opened = open_files();

	error = _i ? ENOSPC : EIO;
	/* open, several writes, fdatasync, rename, fsync */
	ck_assert_int_gt(replace_with_failures(&old, &new), 8);
	ck_assert_int_eq(open_files(), opened);
	matrix_fini(&old);
	matrix_fini(&new);
}
END_TEST

/* Until the rename the old contents stay; a failure of fsync after it may leave
 * either, but whole. */
START_TEST(what_was_there_stays)
{
	static const size_t one[] = { 5 };
	struct matrix old = payload_dense(FLOAT64, 1, one);
	struct matrix new = payload_dense(FLOAT32, 1, one);
	bool done = false;

	ck_ok(payload_write(files.d, "a", &old, 1, &files.e), &files.e);
	for (int i = 0; !done; i++) {
		struct err e = { 0 };

		until = i;
		done = payload_write(files.d, "a", &new, 1, &e) == 0;
		until = -1;
		ck_there("a", done || strstr(e.text, "fsync of the directory") ?
		              &new : &old);
	}
	matrix_fini(&old);
	matrix_fini(&new);
}
END_TEST

START_TEST(an_interrupted_write_goes_on)
{
	static const size_t one[] = { 5 };
	struct matrix m = payload_dense(FLOAT64, 1, one);

	error = EINTR;
	until = 1;
	ck_ok(payload_write(files.d, "a", &m, 1, &files.e), &files.e);
	ck_assert_int_lt(until, 0);
	ck_there("a", &m);
	matrix_fini(&m);
}
END_TEST

START_TEST(removing_and_setting_aside_fail)
{
	struct err e[3] = { 0 };

	ck_ok(payload_write(files.d, "a", NULL, 0, &files.e), &files.e);
	until = 0;
	ck_refused(payload_remove(files.d, "a", &e[0]), &e[0], ERR_STATE);
	until = 0;
	ck_refused(payload_set_aside(files.d, "a", &e[1]), &e[1], ERR_STATE);
	ck_assert_int_eq(payload_count(), 1);
	until = 1;
	ck_refused(payload_set_aside(files.d, "a", &e[2]), &e[2], ERR_STATE);
}
END_TEST

TCase *tcase_payload_fails(void)
{
	TCase *c = tcase_create("payload_fails");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, each_call_of_a_write_fails_once, 0, 2);
	tcase_add_test(c, what_was_there_stays);
	tcase_add_test(c, an_interrupted_write_goes_on);
	tcase_add_test(c, removing_and_setting_aside_fail);
	return c;
}

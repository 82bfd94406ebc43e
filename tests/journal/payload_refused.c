/* payload_refused.c - a payload cannot be read or written, because a system
 * call or an allocation fails, the task was cancelled, or no file can be as
 * large. No file and no memory remain, and the next call works. */
#include <stdio.h>
#include <unistd.h>

#include "base/pool.h"
#include "journal/payload_file.h"
#include "tests/journal/failing.h"
#include "tests/journal/payload_room.h"

static struct matrix pair[2];
static int opened;

/* A dense matrix several times as large as the write buffer, and a sparse
 * matrix. */
static void setup(void)
{
	static const size_t dim[] = { 300, 300 };

	payload_room_open();
	pair[0] = payload_dense(FLOAT64, 2, dim);
	pair[1] = payload_sparse();
	opened = failing_next_fd();
}

static void teardown(void)
{
	failing_end();
	ck_assert_int_eq(failing_next_fd(), opened);
	matrix_fini(&pair[0]);
	matrix_fini(&pair[1]);
	payload_room_close();
}

static int read_into(struct matrix back[2], struct memory_pool *p,
                     struct err *e)
{
	size_t n;

	return payload_read(files.d, "a", back, 2, &n, p, e);
}

static void ck_pair(struct matrix back[2])
{
	for (int i = 0; i < 2; i++) {
		payload_ck_same(&pair[i], &back[i]);
		matrix_fini(&back[i]);
	}
}

static void ck_there(void)
{
	struct matrix back[2];
	struct err e = { 0 };

	ck_ok(read_into(back, test_pool, &e), &e);
	ck_pair(back);
}

static void put_pair(void)
{
	ck_ok(payload_write(files.d, "a", pair, 2, &files.e), &files.e);
}

/* The pool is new, so its first allocation reaches the system. */
START_TEST(each_call_of_a_read_fails_once)
{
	int i = 1;
	bool met = true;

	put_pair();
	for (; met; i++) {
		struct matrix back[2];
		struct err e = { 0 };
		struct memory_pool *p = memory_pool_new(1 << 24, &e);
		int rc;

		ck_assert_ptr_nonnull(p);
		failing_at(_i, i);
		rc = read_into(back, p, &e);
		met = failing_end();
		if (rc == 0)
			ck_pair(back);
		else
			ck_assert(met && *e.text);
		ck_assert_int_eq(e.code, rc == 0 ? ERR_NONE :
		                         _i == OUR_FILES ? ERR_STATE :
		                         ERR_MEMORY);
		ck_assert_uint_eq(memory_pool_used(p), 0);
		memory_pool_free(p);
		ck_assert_int_eq(failing_next_fd(), opened);
	}
	ck_assert_int_gt(i, 2);
	ck_there();
}
END_TEST

START_TEST(each_call_of_a_write_fails_once)
{
	int i = 1;
	bool met = true;

	put_pair();
	for (; met; i++) {
		struct err e = { 0 };
		int rc;

		failing_at(_i, i);
		rc = payload_write(files.d, "a", pair, 2, &e);
		met = failing_end();
		ck_assert_int_eq(rc, met ? -1 : 0);
		ck_assert_int_eq(e.code, !met ? ERR_NONE : _i == OUR_FILES ?
		                         ERR_STATE : ERR_MEMORY);
		ck_assert_int_eq(failing_next_fd(), opened);
		ck_assert_int_eq(payload_count(), 1);
		ck_there();
	}
	ck_assert_int_gt(i, 2);
}
END_TEST

START_TEST(packing_without_memory_is_refused)
{
	struct err e = { 0 };
	size_t bytes;
	char *packed;

	failing_at(OUR_MEMORY, 1);
	packed = payload_pack(pair, 2, &bytes, &e);
	ck_assert(failing_end());
	ck_assert_ptr_null(packed);
	ck_assert_int_eq(e.code, ERR_MEMORY);
}
END_TEST

/* Replacements of openat() whose descriptors cannot be read: read() and fstat()
 * then fail with EBADF. */
static struct payload_calls honest;

static int open_for_writing(int dir, const char *name, int flags, ...)
{
	(void)flags;
	return openat(dir, name, O_WRONLY | O_CLOEXEC);
}

static int open_and_close(int dir, const char *name, int flags, ...)
{
	const int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);

	(void)flags;
	close(fd);
	return fd;
}

/* The error of such a read names the file. */
START_TEST(a_descriptor_that_cannot_be_read_is_refused)
{
	struct matrix back[2];
	struct err e = { 0 };

	put_pair();
	honest = payload_calls;
	payload_calls.openat = _i ? open_for_writing : open_and_close;
	ck_refused(read_into(back, test_pool, &e), &e, ERR_STATE);
	payload_calls = honest;
	ck_assert_ptr_nonnull(strstr(e.text, _i ? "reading" : "opening"));
	ck_assert_ptr_nonnull(strstr(e.text, files.path));
	ck_there();
}
END_TEST

/* --- tasks that are cancelled */

static atomic_bool begun, may_go;
static struct matrix task_read[2];
static struct err task_err;
static int task_rc;

/* A task that reads the payload, if arg is NULL, or writes the matrices arg. */
static void work(void *arg)
{
	begun = true;
	while (!may_go)
		usleep(100);
	task_rc = arg ? payload_write(files.d, "b", arg, 2, &task_err) :
	                read_into(task_read, test_pool, &task_err);
}

static void on_done(void *arg)
{
	(void)arg;
}

/* When its job is dismissed, a payload task leaves no file and no memory. */
START_TEST(a_cancelled_task_leaves_nothing)
{
	const size_t used = memory_pool_used(test_pool);
	struct loop *l = loop_new(&files.e);
	struct pool *p = pool_new(l, 1, &files.e);
	struct task t = { 0 };
	struct err none = { 0 };

	ck_assert_ptr_nonnull(p);
	put_pair();
	begun = may_go = false;
	task_err = none;
	pool_submit(p, &t, 1, work, on_done, _i ? pair : NULL);
	while (!begun)
		usleep(100);
	pool_cancel(&t);
	may_go = true;
	pool_free(p);
	loop_free(l);
	ck_assert_int_eq(task_rc, -1);
	ck_assert_int_eq(task_err.code, ERR_DISMISSED);
	ck_assert_uint_eq(memory_pool_used(test_pool), used);
	ck_assert_int_eq(payload_count(), 1);
	ck_there();
}
END_TEST

/* --- what no file can hold */

START_TEST(impossible_sizes_are_refused)
{
	const size_t most = SIZE_MAX;
	const struct matrix impossible[] = {
		{ .dtype = FLOAT64, .ndim = 2, .dim = { most, most } },
		{ .dtype = FLOAT64, .ndim = 1, .dim = { most / 8 } },
		{ .dtype = FLOAT64, .ndim = 2, .layout = CSR,
		  .dim = { most, 1 } },
		{ .dtype = FLOAT64, .ndim = 2, .layout = CSR,
		  .dim = { most / 16, 1 }, .nnz = most / 16 },
	};

	for (size_t i = 0; i < COUNT(impossible); i++) {
		struct err e[2] = { 0 };
		size_t bytes;

		ck_refused(payload_write(files.d, "b", &impossible[i], 1,
		                         &e[0]), &e[0], ERR_TOO_LARGE);
		ck_assert_ptr_null(payload_pack(&impossible[i], 1, &bytes,
		                                &e[1]));
		ck_assert_int_eq(e[1].code, ERR_TOO_LARGE);
	}
	ck_assert_int_eq(payload_count(), 0);
}
END_TEST

START_TEST(too_many_matrices_are_refused)
{
	static struct matrix m[PAYLOAD_MOST + 1];
	struct err e = { 0 };

	for (size_t i = 0; i < COUNT(m); i++)
		m[i].ndim = MATRIX_ABSENT;
	ck_refused(payload_write(files.d, "b", m, COUNT(m), &e), &e,
	           ERR_INTERNAL);
	ck_assert_int_eq(payload_count(), 0);
	ck_ok(payload_write(files.d, "b", m, PAYLOAD_MOST, &files.e),
	      &files.e);
}
END_TEST

/* --- the directory */

static int refuse_second(void *arg, const char *name, struct err *e)
{
	return ++*(int *)arg < 2 ? 0 : err_set(e, ERR_CONFLICT, "%s", name);
}

START_TEST(a_list_ends_at_the_first_refusal)
{
	struct err e = { 0 };
	char name[] = "a";
	int told = 0;

	for (; *name < 'e'; ++*name)
		ck_ok(payload_write(files.d, name, NULL, 0, &files.e),
		      &files.e);
	ck_refused(payloads_list(files.d, refuse_second, &told, &e), &e,
	           ERR_CONFLICT);
	ck_assert_int_eq(told, 2);
	ck_assert_int_eq(payload_count(), 4);
}
END_TEST

START_TEST(a_path_or_a_name_that_cannot_be_is_refused)
{
	char path[PAYLOAD_PATH + 1];
	struct err e[2] = { 0 };

	memset(path, 'x', sizeof path);
	path[PAYLOAD_PATH] = 0;
	ck_assert_ptr_null(payloads_open(path, &e[0]));
	ck_assert_int_eq(e[0].code, ERR_STATE);
	ck_assert_ptr_nonnull(strstr(e[0].text, "File name too long"));
	ck_refused(payload_set_aside(files.d, "../a", &e[1]), &e[1],
	           ERR_INTERNAL);
}
END_TEST

TCase *tcase_payload_refused(void)
{
	TCase *c = tcase_create("payload_refused");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, each_call_of_a_read_fails_once, OUR_MEMORY,
	                    OUR_FILES + 1);
	tcase_add_loop_test(c, each_call_of_a_read_fails_once, OUR_SYSTEM,
	                    OUR_SYSTEM + 1);
	tcase_add_loop_test(c, each_call_of_a_write_fails_once, OUR_MEMORY,
	                    OUR_FILES + 1);
	tcase_add_test(c, packing_without_memory_is_refused);
	tcase_add_loop_test(c, a_descriptor_that_cannot_be_read_is_refused, 0,
	                    2);
	tcase_add_loop_test(c, a_cancelled_task_leaves_nothing, 0, 2);
	tcase_add_test(c, impossible_sizes_are_refused);
	tcase_add_test(c, too_many_matrices_are_refused);
	tcase_add_test(c, a_list_ends_at_the_first_refusal);
	tcase_add_test(c, a_path_or_a_name_that_cannot_be_is_refused);
	return c;
}

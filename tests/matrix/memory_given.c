/* memory_given.c - memory that a client maps, too: what it can do with the
 * descriptor, and what becomes of the pages. */
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "matrix/matrix.h"
#include "tests/matrix/memory_room.h"

static struct memory *give(size_t bytes)
{
	struct memory *m = memory_new_given(pool, bytes, &e);

	ck_assert_msg(m != NULL, "%s", e.text);
	return m;
}

static ino_t inode_of(int fd)
{
	struct stat st;

	ck_assert_int_eq(fstat(fd, &st), 0);
	return st.st_ino;
}

static size_t pages_of(int fd)
{
	struct stat st;

	ck_assert_int_eq(fstat(fd, &st), 0);
	return (size_t)st.st_blocks * 512;
}

START_TEST(it_is_counted_and_holds_nothing_of_others)
{
	struct memory *m = take(LARGE);

	memset(m->data, 1, LARGE);
	memory_unref(m);
	m = give(LARGE);
	ck_assert_uint_eq(memory_pool_used(pool), LARGE);
	for (size_t i = 0; i < LARGE; i++)
		ck_assert_int_eq(((char *)m->data)[i], 0);
	memory_unref(m);
	ck_assert_uint_eq(memory_pool_used(pool), 0);
	ck_assert_ptr_null(memory_new_given(pool, (size_t)LIMIT + 1, &e));
	ck_assert_int_eq(e.code, ERR_TOO_LARGE);
}
END_TEST

START_TEST(its_size_and_its_seals_are_final)
{
	struct memory *m = give(LARGE);
	const int fd = memory_descriptor(m, true);

	ck_assert_int_lt(ftruncate(fd, 0), 0);
	ck_assert_int_lt(ftruncate(fd, 2 * LARGE), 0);
	ck_assert_int_lt(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), 0);
	memory_unref(m);
}
END_TEST

START_TEST(nobody_else_gets_it_and_its_pages_go)
{
	struct memory *m = give(LARGE), *next;
	const int fd = dup(memory_descriptor(m, true));

	memset(m->data, 1, LARGE);
	memory_unref(m);
	next = take(LARGE);
	ck_assert(inode_of(next->fd) != inode_of(fd));
	while (memory_pool_taken(pool) > memory_pool_used(pool))
		sched_yield();
	ck_assert_uint_eq(pages_of(fd), 0);
	memory_unref(next);
	close(fd);
}
END_TEST

START_TEST(at_the_end_of_the_process_it_is_left_to_the_client)
{
	struct memory *m = give(LARGE);
	const int fd = dup(memory_descriptor(m, true));

	memset(m->data, 1, LARGE);
	memory_pool_leave(pool);
	memory_unref(m);
	ck_assert_uint_eq(memory_pool_taken(pool), 0);
	ck_assert_uint_eq(pages_of(fd), LARGE);
	close(fd);
}
END_TEST

START_TEST(a_part_of_a_part_is_one_of_the_whole)
{
	struct memory *m = give(LARGE);
	struct memory *part = memory_part(m, 4096, 8192, &e);
	struct memory *of_part = memory_part(part, 256, 1024, &e);

	ck_assert_ptr_eq(of_part->whole, m);
	ck_assert_uint_eq(of_part->offset, 4096 + 256);
	ck_assert_ptr_eq(of_part->data, (char *)m->data + 4096 + 256);
	memory_unref(part);
	memory_unref(m);
	ck_assert_uint_eq(memory_pool_used(pool), LARGE);
	memory_unref(of_part);
}
END_TEST

/* 0: all of the memory; 1: a part of it, to which there is one reference. */
START_TEST(its_elements_are_not_converted_where_they_are)
{
	struct memory *m = give(LARGE);
	struct matrix x = {
		.dtype = FLOAT64, .ndim = 1, .dim = { 1024 },
		.memory = _i ? memory_part(m, 4096, 8192, &e) : m,
	};
	double *at = x.memory->data;

	at[1] = 3;
	if (_i)
		memory_unref(m);
	ck_ok(matrix_convert(&x, FLOAT32, pool, &e), &e);
	ck_assert(x.memory->data != at && matrix_get(&x, 1) == 3);
	matrix_fini(&x);
}
END_TEST

TCase *tcase_memory_given(void)
{
	TCase *t = tcase_create("memory_given");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, it_is_counted_and_holds_nothing_of_others);
	tcase_add_test(t, its_size_and_its_seals_are_final);
	tcase_add_test(t, nobody_else_gets_it_and_its_pages_go);
	tcase_add_test(t, at_the_end_of_the_process_it_is_left_to_the_client);
	tcase_add_test(t, a_part_of_a_part_is_one_of_the_whole);
	tcase_add_loop_test(t, its_elements_are_not_converted_where_they_are,
	                    0, 2);
	return t;
}

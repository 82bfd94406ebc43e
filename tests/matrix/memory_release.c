/* memory_release.c - memory that is no longer used returns to the system
 * completely, and does not count against the pool until then. */
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "matrix/memory_pool.h"
#include "tests/matrix/memory_room.h"

/* Waits until the thread that gives memory back has done so. */
static void settle(struct memory_pool *p)
{
	while (memory_pool_taken(p) > memory_pool_used(p))
		sched_yield();
}

static size_t pages_of(int fd)
{
	struct stat st;

	ck_assert_int_eq(fstat(fd, &st), 0);
	return (size_t)st.st_blocks * 512;
}

/* What stands for a driver's hold on a piece, and how often that was ended. */
static int hold, ended;

static void end_hold(void *handle)
{
	ck_assert_ptr_eq(handle, &hold);
	ended++;
}

static struct memory *pinned(size_t bytes)
{
	struct memory *m = take(bytes);

	m->pin.handle = &hold;
	m->pin.release = end_hold;
	ended = 0;
	return m;
}

START_TEST(pages_are_unpinned_before_they_leave)
{
	struct memory *m = pinned(LIMIT / 2);

	memory_unref(m);
	settle(pool);
	ck_assert_int_eq(ended, 1);
}
END_TEST

START_TEST(pages_are_unpinned_before_they_move)
{
	struct memory *m = pinned(LARGE);

	ck_assert_int_eq(memory_resize(&m, 4 * LARGE, &e), 0);
	ck_assert_int_eq(ended, 1);
	ck_assert_ptr_null(m->pin.handle);
	memory_unref(m);
	settle(pool);
	ck_assert_int_eq(ended, 1);
}
END_TEST

START_TEST(what_was_freed_is_taken_until_it_is_gone)
{
	struct memory *m = take(LIMIT / 2);
	int fd;

	memset(m->data, 1, m->bytes);
	fd = dup(m->fd);
	memory_unref(m);
	ck_assert_uint_eq(memory_pool_used(pool), 0);
	settle(pool);
	ck_assert_uint_eq(memory_pool_taken(pool), 0);
	ck_assert_uint_eq(pages_of(fd), 0);
	close(fd);
}
END_TEST

START_TEST(what_is_leaving_keeps_nothing_out)
{
	for (int i = 0; i < 20; i++) {
		struct memory *m = take((size_t)LIMIT - (size_t)i * 4096);

		memset(m->data, 1, m->bytes);
		ck_assert_uint_ge(memory_pool_taken(pool), m->bytes);
		memory_unref(m);
	}
	settle(pool);
}
END_TEST

static void let_leave(struct memory_pool *p, size_t bytes)
{
	pthread_mutex_lock(&p->lock);
	p->leaving += bytes;
	pthread_mutex_unlock(&p->lock);
}

START_TEST(a_pool_is_behind_when_too_much_is_leaving)
{
	struct memory *m = take(LIMIT / 2);

	ck_assert(!memory_pool_is_behind(pool));
	let_leave(pool, LIMIT / 2 + LIMIT / 16);
	ck_assert(!memory_pool_is_behind(pool));
	let_leave(pool, 1);
	ck_assert(memory_pool_is_behind(pool));
	let_leave(pool, 0 - (size_t)(LIMIT / 2 + LIMIT / 16 + 1));
	ck_assert(!memory_pool_is_behind(pool));
	memory_unref(m);
}
END_TEST

/* The size is made final: the memfd keeps its length, but not its pages. */
START_TEST(a_piece_that_shrinks_gives_its_pages_back)
{
	struct memory *m = take(8 * LARGE);
	size_t sum = 0;

	memset(m->data, 7, m->bytes);
	memory_descriptor(m, true);
	ck_ok(memory_resize(&m, LARGE, &e), &e);
	ck_assert_uint_eq(memory_pool_used(pool), LARGE);
	settle(pool);
	ck_assert_uint_eq(pages_of(m->fd), LARGE);
	ck_ok(memory_resize(&m, 2 * LARGE, &e), &e);
	for (size_t i = 0; i < LARGE; i++)
		sum += ((const char *)m->data)[i];
	ck_assert_uint_eq(sum, 7 * (size_t)LARGE);
	memory_unref(m);
}
END_TEST

START_TEST(the_slab_gives_pages_back_that_nobody_uses)
{
	enum { MOST = 3000, KEPT = 64 << 20 };
	struct memory_pool *p = memory_pool_new((size_t)1 << 30, &e);
	static struct memory *m[MOST];

	for (int i = 0; i < MOST; i++) {
		m[i] = memory_new(p, MEMORY_SLAB - 1, &e);
		ck_assert_int_eq(m[i]->fd, -1);
		memset(m[i]->data, 1, m[i]->bytes);
	}
	ck_assert_uint_gt(pages_of(p->fd), 2 * (size_t)KEPT);
	for (int i = 0; i < MOST; i++)
		memory_unref(m[i]);
	ck_assert(!memory_pool_trim(p, INT64_MAX));
	while (pages_of(p->fd) > KEPT)
		sched_yield();
	memory_pool_free(p);
}
END_TEST

/* The other half is for connections. */
START_TEST(large_pieces_take_half_of_the_open_files)
{
	enum { FILES = 1024 };		/* most of these are not open */
	struct rlimit before, few;
	struct memory *m[FILES];
	struct memory_pool *p;
	int n = 0;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = (struct rlimit){ FILES, before.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	p = memory_pool_new((size_t)1 << 30, &e);
	ck_assert_msg(p != NULL, "%s", e.text);
	while (n < FILES && (m[n] = memory_new(p, MEMORY_SLAB, &e)))
		n++;
	ck_assert_int_eq(n, FILES / 2);
	ck_assert_int_eq(e.code, ERR_MEMORY);
	e = (struct err){ 0 };
	memory_unref(memory_new(p, MEMORY_SLAB - 1, &e));
	ck_assert_int_eq(e.code, ERR_NONE);
	memory_unref(m[--n]);
	m[n] = memory_new(p, 2 * MEMORY_SLAB, &e);
	ck_assert_msg(m[n] != NULL, "%s", e.text);
	for (; n >= 0; n--)
		memory_unref(m[n]);
	memory_pool_free(p);
	setrlimit(RLIMIT_NOFILE, &before);
}
END_TEST

TCase *tcase_memory_release(void)
{
	TCase *t = tcase_create("memory_release");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, pages_are_unpinned_before_they_leave);
	tcase_add_test(t, pages_are_unpinned_before_they_move);
	tcase_add_test(t, what_was_freed_is_taken_until_it_is_gone);
	tcase_add_test(t, what_is_leaving_keeps_nothing_out);
	tcase_add_test(t, a_pool_is_behind_when_too_much_is_leaving);
	tcase_add_test(t, a_piece_that_shrinks_gives_its_pages_back);
	tcase_add_test(t, the_slab_gives_pages_back_that_nobody_uses);
	tcase_add_test(t, large_pieces_take_half_of_the_open_files);
	return t;
}

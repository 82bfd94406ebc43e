/* memory.c - pieces of memory are counted, shared, kept for the next request of
 * their size, and given back. */
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "matrix/arrival.h"
#include "matrix/grow.h"
#include "matrix/matrix.h"
#include "matrix/pages.h"
#include "matrix/spare.h"
#include "matrix/touch.h"
#include "tests/matrix/memory_room.h"

/* Do all bytes from `from` to `to` have that value? One assertion per byte
 * would take minutes. */
static bool all_are(const struct memory *m, size_t from, size_t to, int value)
{
	const unsigned char *const at = m->data;

	for (size_t i = from; i < to; i++)
		if (at[i] != (unsigned char)value)
			return false;
	return true;
}

START_TEST(every_piece_is_counted_until_its_last_reference_goes)
{
	struct memory *small = take(1000), *large = take(LARGE);

	ck_assert_uint_eq(memory_pool_used(pool), LARGE + 1000);
	memory_ref(large);
	memory_unref(large);
	ck_assert_uint_eq(memory_pool_used(pool), LARGE + 1000);
	memory_unref(large);
	memory_unref(small);
	memory_unref(NULL);
	ck_assert_uint_eq(memory_pool_used(pool), 0);
}
END_TEST

START_TEST(the_limit_holds)
{
	struct memory *m = take(LIMIT - 10);

	ck_assert_ptr_null(memory_new(pool, LIMIT + 1, &e));
	ck_assert_int_eq(e.code, ERR_TOO_LARGE);
	e = (struct err){ 0 };
	ck_assert_ptr_null(memory_new(pool, 11, &e));
	ck_assert_int_eq(e.code, ERR_MEMORY);
	e = (struct err){ 0 };
	memory_unref(m);
	memory_unref(take(LIMIT));
}
END_TEST

/* They need no memory, but as text each row is a pair of brackets. */
START_TEST(empty_matrices_have_a_bounded_number_of_rows)
{
	static const struct {
		size_t dim[3];
		bool taken;
	} row[] = {
		{ { 0, 0, 0 }, true },
		{ { 1, 1 << 30, 0 }, true },
		{ { 1 << 15, 1 << 15, 0 }, true },
		{ { 0, 1, SIZE_MAX }, true },
		{ { 0, 1 << 20, 1 << 20 }, true },
		{ { 1 << 30, 0, 1 << 30 }, true },
		{ { 2, 1 << 30, 0 }, false },
		{ { 1 << 16, 1 << 15, 0 }, false },
		{ { 1, (size_t)1 << 62, 0 }, false },
		{ { (size_t)1 << 31, 0, 1 }, false },
		{ { SIZE_MAX, 0, 2 }, false },
	};
	size_t bytes;

	for (size_t i = 0; i < COUNT(row); i++) {
		struct matrix m = { .ndim = 3, .dtype = FLOAT64 };

		memcpy(m.dim, row[i].dim, sizeof row[i].dim);
		e = (struct err){ 0 };
		ck_assert_int_eq(matrix_bytes(&m, &bytes, &e) == 0,
		                 row[i].taken);
		ck_assert_int_eq(e.code, row[i].taken ? ERR_NONE :
		                         ERR_TOO_LARGE);
	}
}
END_TEST

START_TEST(small_pieces_do_not_overlap)
{
	static const size_t sizes[] = { 1, 255, 256, 257, 4096, 65535 };
	struct memory *m[COUNT(sizes)];

	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < COUNT(sizes); i++) {
			m[i] = take(sizes[i]);
			ck_assert_int_eq(m[i]->fd, -1);
			ck_assert_uint_eq((uintptr_t)m[i]->data %
			                  MEMORY_ALIGN, 0);
			memset(m[i]->data, (int)i + 1, sizes[i]);
		}
		for (size_t i = 0; i < COUNT(sizes); i++) {
			ck_assert(all_are(m[i], 0, sizes[i], (int)i + 1));
			memory_unref(m[i]);
		}
	}
}
END_TEST

START_TEST(a_freed_piece_serves_the_next_of_its_size)
{
	struct memory *m = take(LARGE), *other;
	const int fd = m->fd;

	ck_assert_int_ge(fd, 0);
	memory_unref(m);
	other = take(LARGE + 4096);
	ck_assert_int_ne(other->fd, fd);
	m = take(LARGE);
	ck_assert_int_eq(m->fd, fd);
	ck_assert_uint_eq(m->refs, 1);
	memory_unref(m);
	memory_unref(other);
}
END_TEST

START_TEST(what_is_kept_makes_way)
{
	struct memory *m[4];

	for (int i = 0; i < 4; i++)
		m[i] = take(LARGE);
	for (int i = 0; i < 4; i++)
		memory_unref(m[i]);
	m[0] = take(LIMIT);
	memset(m[0]->data, 1, LIMIT);
	memory_unref(m[0]);
}
END_TEST

START_TEST(trimming_gives_back_what_was_freed_before)
{
	struct memory *m = take(LARGE);
	const int fd = m->fd;
	int64_t between;

	memory_unref(m);
	ck_assert(memory_pool_trim(pool, 0));
	m = take(LARGE);
	ck_assert_int_eq(m->fd, fd);
	ck_assert(memory_pool_trim(pool, INT64_MAX));
	memory_unref(m);
	between = clock_ns() + 1;
	ck_assert(!memory_pool_trim(pool, between));
}
END_TEST

START_TEST(a_piece_changes_its_size_and_keeps_its_contents)
{
	static const size_t sizes[] = {
		300, 60000, 70000, 2 * LARGE, LARGE, 70000, 100,
	};
	struct memory *m = take(100);

	memset(m->data, 7, 100);
	for (size_t i = 0; i < COUNT(sizes); i++) {
		ck_ok(memory_resize(&m, sizes[i], &e), &e);
		ck_assert_uint_eq(m->bytes, sizes[i]);
		ck_assert_uint_eq(memory_pool_used(pool), sizes[i]);
		for (int k = 0; k < 100; k++)
			ck_assert_int_eq(((char *)m->data)[k], 7);
	}
	ck_refused(memory_resize(&m, LIMIT + 1, &e), &e, ERR_TOO_LARGE);
	ck_assert_uint_eq(m->bytes, 100);
	memory_unref(m);
}
END_TEST

START_TEST(of_what_is_kept_the_smallest_that_fits_is_taken)
{
	struct memory *large = take(2 * LARGE), *small = take(LARGE);
	const int fd = small->fd;

	memory_unref(small);
	memory_unref(large);
	ck_assert_ptr_null(memory_spare(pool, 2 * LARGE + 1, LIMIT));
	ck_assert_ptr_null(memory_spare(pool, 100, LARGE - 1));
	small = memory_spare(pool, 100, LIMIT);
	ck_assert_int_eq(small->fd, fd);
	ck_assert_uint_eq(small->refs, 1);
	ck_assert_uint_eq(memory_pool_used(pool), LARGE);
	large = memory_spare(pool, 100, LIMIT);
	ck_assert_uint_eq(large->bytes, 2 * LARGE);
	memory_unref(small);
	memory_unref(large);
	ck_assert_uint_eq(memory_pool_used(pool), 0);
}
END_TEST

/* Memory that grew to LARGE in steps of `step`; the caller releases it. */
static struct memory *grown(size_t step, size_t most)
{
	struct grow g = { .most = most };
	struct memory *m;

	while (g.used < LARGE) {
		ck_ok(grow_reserve(&g, pool, step, &e), &e);
		memset(grow_end(&g), (int)(g.used / step), step);
		g.used += step;
	}
	m = grow_take(&g, pool, &e);
	for (size_t i = 0; i < LARGE; i += step)
		ck_assert_int_eq(((unsigned char *)m->data)[i],
		                 (int)(i / step % 256));
	return m;
}

START_TEST(what_grows_moves_into_a_piece_that_was_kept)
{
	struct memory *m = grown(1 << 12, LIMIT);
	const int fd = m->fd;

	memory_unref(m);
	m = grown(1 << 12, LIMIT);
	ck_assert_int_eq(m->fd, fd);
	ck_assert_uint_eq(memory_pool_used(pool), m->bytes);
	memory_unref(m);
	m = grown(1 << 12, 0);
	ck_assert_int_ne(m->fd, fd);
	memory_unref(m);
	ck_assert_uint_eq(memory_pool_used(pool), 0);
}
END_TEST

START_TEST(float64_that_nobody_shares_is_narrowed_where_it_is)
{
	static const size_t sizes[] = { 1, 2, 511, 512, 513, 5000 };

	for (size_t k = 0; k < COUNT(sizes); k++)
		for (int shared = 0; shared < 2; shared++) {
			struct matrix m = { .dtype = FLOAT64, .ndim = 1,
			                    .dim = { sizes[k] } };
			struct memory *other;

			ck_ok(matrix_alloc(&m, pool, &e), &e);
			for (size_t i = 0; i < sizes[k]; i++)
				matrix_set(&m, i, (double)i / 3);
			other = shared ? memory_ref(m.memory) : NULL;
			ck_ok(matrix_convert(&m, FLOAT32, pool, &e), &e);
			ck_assert_int_eq(m.dtype, FLOAT32);
			for (size_t i = 0; i < sizes[k]; i++) {
				ck_assert(matrix_get(&m, i) ==
				          (float)((double)i / 3));
				if (other)
					ck_assert(((double *)other->data)[i] ==
					          (double)i / 3);
			}
			ck_assert(!other || other != m.memory);
			memory_unref(other);
			matrix_fini(&m);
		}
}
END_TEST

START_TEST(a_spare_piece_of_no_bytes_is_as_good_as_any)
{
	struct memory piece[] = { { .bytes = 300 }, { .bytes = 0 } };
	struct spares s = { 0 };

	for (size_t i = 0; i < COUNT(piece); i++)
		spares_keep(&s, &piece[i]);
	ck_assert_ptr_eq(spares_take(&s, 0, 0), &piece[1]);
	ck_assert_ptr_null(spares_take(&s, 0, 0));
	ck_assert_uint_eq(s.bytes, 300);
}
END_TEST

static bool all_present(char *at, size_t bytes)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t n = size_blocks(bytes, page);
	unsigned char seen[4096];
	size_t present = 0;

	ck_assert_uint_le(n, sizeof seen);
	ck_assert_int_eq(mincore(at, bytes, seen), 0);
	for (size_t i = 0; i < n; i++)
		present += seen[i] & 1;
	return present == n;
}

START_TEST(pages_come_and_their_contents_stay)
{
	const size_t bytes = 2 * PAGES_LARGE + 5, from = 4096 + 7;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct memory *m = take(bytes);
	char *const data = m->data;

	ck_assert_uint_eq((uintptr_t)data % PAGES_LARGE, 0);
	ck_assert(!all_present(data, bytes));
	data[0] = 1;
	data[from] = 2;
	data[bytes - 1] = 3;
	pages_bring(data + from, bytes - from, true);
	ck_assert(all_present(data + from / page * page, bytes - from / page *
	                      page));
	pages_bring(data, bytes, true);
	ck_assert(all_present(data, bytes));
	ck_assert(data[0] == 1 && data[from] == 2 && data[bytes - 1] == 3);
	ck_assert(all_are(m, 1, from, 0));
	ck_assert(all_are(m, from + 1, bytes - 1, 0));
	memory_unref(m);
}
END_TEST

/* Prefaulted by two threads that may still run when the piece is released. */
START_TEST(a_large_piece_is_touched_while_it_is_written)
{
	const size_t bytes = (33 << 20) + 5, step = 1 << 20;
	struct memory_pool *p = memory_pool_new(64 << 20, &e);
	struct memory *m = arrival_new(p, bytes, &e);

	ck_assert_msg(m != NULL, "%s", e.text);
	touch_processors = 8;
	for (size_t at = 0; at < bytes; at += step) {
		const size_t n = at + step < bytes ? step : bytes - at;
		const size_t charged = m->charged;

		ck_ok(arrival_charge(m, at + n, &e), &e);
		touch_range(m, charged, m->charged);
		memset((char *)m->data + at, (int)(at / step), n);
	}
	touch_processors = 0;
	for (size_t at = 0; at < bytes; at += step)
		ck_assert(all_are(m, at, at + step < bytes ? at + step : bytes,
		                  (int)(at / step)));
	memory_unref(m);
	ck_assert_uint_eq(memory_pool_used(p), 0);
	memory_pool_free(p);
}
END_TEST

START_TEST(who_touches_a_piece_does_not_share_it)
{
	struct memory_pool *p = memory_pool_new(64 << 20, &e);
	struct memory *m = memory_new(p, 32 << 20, &e);

	ck_assert_msg(m != NULL, "%s", e.text);
	memset(m->data, 7, LARGE);
	touch_processors = 16;
	touch_all(m);
	touch_processors = 0;
	ck_assert_uint_eq(m->refs, 1);
	ck_ok(memory_resize(&m, LARGE, &e), &e);
	ck_assert_uint_eq(m->touched.ranges, 0);
	ck_assert_uint_eq(memory_pool_used(p), LARGE);
	ck_assert(all_are(m, 0, LARGE, 7));
	memory_unref(m);
	memory_pool_free(p);
}
END_TEST

TCase *tcase_memory(void)
{
	TCase *t = tcase_create("memory");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t,
	    every_piece_is_counted_until_its_last_reference_goes);
	tcase_add_test(t, the_limit_holds);
	tcase_add_test(t, empty_matrices_have_a_bounded_number_of_rows);
	tcase_add_test(t, small_pieces_do_not_overlap);
	tcase_add_test(t, a_freed_piece_serves_the_next_of_its_size);
	tcase_add_test(t, what_is_kept_makes_way);
	tcase_add_test(t, trimming_gives_back_what_was_freed_before);
	tcase_add_test(t, a_piece_changes_its_size_and_keeps_its_contents);
	tcase_add_test(t, of_what_is_kept_the_smallest_that_fits_is_taken);
	tcase_add_test(t, what_grows_moves_into_a_piece_that_was_kept);
	tcase_add_test(t, float64_that_nobody_shares_is_narrowed_where_it_is);
	tcase_add_test(t, a_spare_piece_of_no_bytes_is_as_good_as_any);
	tcase_add_test(t, pages_come_and_their_contents_stay);
	tcase_add_test(t, a_large_piece_is_touched_while_it_is_written);
	tcase_add_test(t, who_touches_a_piece_does_not_share_it);
	return t;
}

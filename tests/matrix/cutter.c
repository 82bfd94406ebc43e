/* cutter.c - a slab is handed out in pieces that never overlap, and pieces that
 * were given back serve every size again. */
#include "matrix/cutter.h"
#include "tests/test.h"

enum { CHUNKS = 12, PIECES = 3000 };

static struct cutter c;
static size_t at[PIECES], bytes[PIECES];

static void setup(void)
{
	c = (struct cutter){ .bytes = (size_t)CHUNKS * CUTTER_CHUNK };
}

static void teardown(void)
{
	cutter_fini(&c);
}

static size_t take(size_t n)
{
	size_t offset;

	ck_assert(cutter_take(&c, n, &offset));
	ck_assert_uint_le(offset + n, c.bytes);
	ck_assert_uint_eq(offset % CUTTER_SMALLEST, 0);
	return offset;
}

/* Takes pieces of that size until there are none, and gives them back; returns
 * their number. */
static size_t count_all(size_t n)
{
	static size_t all[CHUNKS * CUTTER_CHUNK / CUTTER_SMALLEST];
	size_t k = 0;

	while (k < COUNT(all) && cutter_take(&c, n, &all[k]))
		k++;
	for (size_t i = 0; i < k; i++)
		cutter_give(&c, all[i]);
	return k;
}

START_TEST(every_size_has_all_of_the_slab_once_the_others_are_back)
{
	for (size_t n = CUTTER_SMALLEST; n <= MEMORY_SLAB; n *= 2) {
		const size_t all = c.bytes / n;

		ck_assert_uint_eq(count_all(n), all);
		ck_assert_uint_eq(count_all(n - 1), all);
	}
	ck_assert_uint_eq(c.n_empty, CHUNKS);
}
END_TEST

/* Takes and gives back pieces of all sizes, each filled with its own number. */
START_TEST(pieces_do_not_overlap)
{
	static unsigned short owner[CHUNKS * CUTTER_CHUNK / CUTTER_SMALLEST];
	uint32_t x = 88172645;

	for (int step = 0; step < 60000; step++) {
		size_t i, units;

		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		i = x % PIECES;
		if (bytes[i]) {
			cutter_give(&c, at[i]);
		} else if (cutter_take(&c, x >> 20, &at[i])) {
			bytes[i] = size_max(x >> 20, 1);
		} else {
			continue;
		}
		units = size_blocks(bytes[i], CUTTER_SMALLEST);
		for (size_t k = 0; k < units; k++) {
			unsigned short *const u = &owner[at[i] /
			                                 CUTTER_SMALLEST + k];

			if (*u != (*u == 0 ? 0 : i + 1))
				ck_abort_msg("piece %zu overlaps %d", i, *u);
			*u = *u ? 0 : (unsigned short)(i + 1);
		}
		if (owner[at[i] / CUTTER_SMALLEST] == 0)
			bytes[i] = 0;
	}
}
END_TEST

START_TEST(empty_chunks_can_be_stripped_and_used_again)
{
	size_t chunk, offset = take(100);

	ck_assert(!cutter_strip(&c, 0, &chunk));
	cutter_give(&c, offset);
	ck_assert(!cutter_strip(&c, 1, &chunk));
	ck_assert(cutter_strip(&c, 0, &chunk));
	ck_assert_uint_eq(chunk, 0);
	ck_assert_uint_eq(count_all(MEMORY_SLAB),
	                  (CHUNKS - 1) * CUTTER_CHUNK / MEMORY_SLAB);
	cutter_bared(&c, chunk);
	ck_assert_uint_eq(count_all(MEMORY_SLAB),
	                  CHUNKS * CUTTER_CHUNK / MEMORY_SLAB);
}
END_TEST

TCase *tcase_cutter(void)
{
	TCase *t = tcase_create("cutter");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t,
	    every_size_has_all_of_the_slab_once_the_others_are_back);
	tcase_add_test(t, pieces_do_not_overlap);
	tcase_add_test(t, empty_chunks_can_be_stripped_and_used_again);
	return t;
}

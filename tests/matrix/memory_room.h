/* memory_room.h - what the tests of memory share: a pool for each test. Only
 * their files include it. */
#ifndef TESTS_MATRIX_MEMORY_ROOM_H
#define TESTS_MATRIX_MEMORY_ROOM_H

#include "matrix/memory.h"
#include "tests/test.h"

enum { LARGE = 1 << 20, LIMIT = 12 * LARGE };

static struct memory_pool *pool;
static struct err e;

static inline void setup(void)
{
	e = (struct err){ 0 };
	pool = memory_pool_new(LIMIT, &e);
	ck_assert_msg(pool != NULL, "%s", e.text);
}

static inline void teardown(void)
{
	ck_assert_uint_eq(memory_pool_used(pool), 0);
	memory_pool_free(pool);
}

static inline struct memory *take(size_t bytes)
{
	struct memory *m = memory_new(pool, bytes, &e);

	ck_assert_msg(m != NULL, "%s", e.text);
	return m;
}

#endif

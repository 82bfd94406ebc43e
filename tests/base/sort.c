/* sort.c - sorting in slices brings all elements into order. */
#include <stdlib.h>

#include "base/sort.h"
#include "tests/test.h"

struct pair {
	int key;
	size_t place;
};

static int by_key(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* Around the runs of 4096 that are sorted first. */
static const size_t sizes[] = { 0, 1, 2, 3, 4095, 4096, 4097, 8192, 8193,
                                12288, 12289, 100000 };

static void check(size_t n, unsigned keys)
{
	struct pair *x = calloc(n + 1, sizeof *x);
	char *seen = calloc(n + 1, 1);
	struct err e = { 0 };
	uint32_t seed = 1;

	ck_assert(x && seen);
	for (size_t i = 0; i < n; i++) {
		seed = seed * 1664525 + 1013904223;
		x[i] = (struct pair){ (int)(seed >> 8) % (int)keys, i };
	}
	ck_ok(sort_sliced(x, n, sizeof *x, by_key, &e), &e);
	for (size_t i = 0; i < n; i++) {
		ck_assert(i == 0 || x[i - 1].key <= x[i].key);
		ck_assert_int_eq(seen[x[i].place]++, 0);
	}
	free(seen);
	free(x);
}

START_TEST(every_element_comes_into_order)
{
	check(sizes[_i], 1);
	check(sizes[_i], 7);
	check(sizes[_i], 1 << 20);
}
END_TEST

TCase *tcase_sort(void)
{
	TCase *c = tcase_create("sort");

	tcase_add_loop_test(c, every_element_comes_into_order, 0,
	                    COUNT(sizes));
	return c;
}

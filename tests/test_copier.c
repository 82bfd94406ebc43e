/* test_copier.c - every byte arrives, whoever copies it. */
#include "base/copier.h"
#include "test.h"

enum { MOST = 5 << 20 };

static const size_t sizes[] = { 0, 1, 4095, 512 << 10, (512 << 10) + 1,
                                (3 << 20) + 7, MOST };

static void copy_all_sizes(int threads)
{
	unsigned char *from = malloc(MOST), *to = malloc(MOST + 1);
	struct err e = { 0 };
	struct copier *c = copier_new(threads, &e);

	ck_assert_msg(c != NULL, "%s", e.text);
	for (size_t i = 0; i < MOST; i++)
		from[i] = (unsigned char)(i * 2654435761u >> 13);
	for (size_t k = 0; k < COUNT(sizes); k++) {
		memset(to, 0xa5, MOST + 1);
		copier_copy(c, to, from, sizes[k]);
		ck_assert(memcmp(to, from, sizes[k]) == 0);
		ck_assert_int_eq(to[sizes[k]], 0xa5);
	}
	copier_free(c);
	free(from);
	free(to);
}

START_TEST(one_thread_copies_all)
{
	copy_all_sizes(1);
}
END_TEST

START_TEST(many_threads_copy_all)
{
	for (int i = 0; i < 10; i++)
		copy_all_sizes(2 + i % 4);
	copier_free(NULL);
}
END_TEST

TCase *tcase_copier(void)
{
	TCase *c = tcase_create("copier");

	tcase_add_test(c, one_thread_copies_all);
	tcase_add_test(c, many_threads_copy_all);
	return c;
}

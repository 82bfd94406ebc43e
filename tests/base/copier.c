/* copier.c - every piece is copied once, and reported in order, whichever
 * thread copies it. */
#include "base/copier.h"
#include "tests/test.h"

enum { PIECES = 1000, PIECE = 4096 };

struct work {
	unsigned char *from, *to;
};

static void copy(void *arg, size_t i)
{
	const struct work *w = arg;

	for (size_t k = i * PIECE; k < (i + 1) * PIECE; k++)
		w->to[k] += w->from[k];
}

static bool is_copied(const struct work *w, size_t n)
{
	return memcmp(w->to, w->from, n * PIECE) == 0;
}

/* Allows at most `ahead` pieces beyond those that are done. */
static void copy_all(struct copier *c, const struct work *w, size_t ahead)
{
	size_t done = 0, allowed = 0, before;

	memset(w->to, 0, PIECES * PIECE);
	copier_begin(c, copy, (void *)w);
	while (done < PIECES) {
		allowed = done + ahead < PIECES ? done + ahead : PIECES;
		copier_allow(c, allowed);
		before = done;
		done = copier_wait(c, done + 1);
		ck_assert_uint_gt(done, before);
		ck_assert_uint_le(done, allowed);
		ck_assert(is_copied(w, done));
	}
	ck_assert(is_copied(w, PIECES));
}

static void copy_with(int threads)
{
	struct work w = { malloc(PIECES * PIECE), malloc(PIECES * PIECE) };
	struct err e = { 0 };
	struct copier *c = copier_new(threads, &e);

	ck_assert_msg(c != NULL, "%s", e.text);
	for (size_t i = 0; i < PIECES * PIECE; i++)
		w.from[i] = (unsigned char)(i * 2654435761u >> 13);
	copy_all(c, &w, 1);
	copy_all(c, &w, 3);
	copy_all(c, &w, COPIER_AHEAD);
	copier_free(c);
	free(w.from);
	free(w.to);
}

START_TEST(one_thread_copies_all)
{
	copy_with(1);
}
END_TEST

START_TEST(many_threads_copy_all)
{
	for (int threads = 2; threads < 6; threads++)
		copy_with(threads);
	copier_free(NULL);
}
END_TEST

START_TEST(nothing_is_done_before_it_is_allowed)
{
	struct work w = { calloc(2, PIECE), calloc(2, PIECE) };
	struct err e = { 0 };
	struct copier *c = copier_new(3, &e);

	memset(w.from, 1, 2 * PIECE);
	copier_begin(c, copy, &w);
	copier_allow(c, 1);
	ck_assert_uint_eq(copier_wait(c, 1), 1);
	ck_assert(is_copied(&w, 1));
	ck_assert_int_eq(w.to[PIECE], 0);
	copier_free(c);
	free(w.from);
	free(w.to);
}
END_TEST

TCase *tcase_copier(void)
{
	TCase *c = tcase_create("copier");

	tcase_add_test(c, one_thread_copies_all);
	tcase_add_test(c, many_threads_copy_all);
	tcase_add_test(c, nothing_is_done_before_it_is_allowed);
	return c;
}

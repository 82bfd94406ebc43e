/* print_ahead.c - text that the pool's threads print ahead is whole and in
 * order, and may be released at any time. */
#include <math.h>

#include "format/writer.h"
#include "http/print_ahead.h"
#include "http/handler.h"
#include "tests/test.h"

enum { THREADS = 3 };

static struct loop *loop;
static struct pool *pool;
static struct matrix m;
static struct err e;

static void setup(void)
{
	e = (struct err){ 0 };
	loop = loop_new(&e);
	pool = pool_new(loop, THREADS, &e);
	ck_assert_ptr_nonnull(pool);
}

static void teardown(void)
{
	pool_free(pool);
	loop_free(loop);
	matrix_fini(&m);
}

/* Makes a float32 matrix of i / 7; returns its text as one writer prints it. */
static struct text begin(int ndim, const size_t *dim)
{
	struct text t = { 0 };
	struct json_writer w;
	size_t n;

	m = (struct matrix){ .dtype = FLOAT32, .ndim = ndim };
	memcpy(m.dim, dim, (size_t)ndim * sizeof *dim);
	ck_ok(matrix_alloc(&m, test_pool, &e), &e);
	for (size_t i = 0; i < matrix_elements(&m); i++)
		matrix_set(&m, i, (double)i / 7);
	json_writer_init(&w, &m);
	while ((n = json_writer_more(&w, text_reserve(&t, 4096), 4096)))
		text_grew(&t, n);
	return t;
}

static void ready(void *arg)
{
	loop_stop(arg);
}

static bool leaves_as(const struct text *whole, size_t most)
{
	struct print_ahead *a = print_ahead_new(&m, pool, ready, loop);
	struct text t = { 0 };
	bool same, nonfinite;
	ssize_t n;

	ck_assert_ptr_nonnull(a);
	while ((n = print_ahead_more(a, text_reserve(&t, most), most))) {
		ck_assert(n == STREAM_LATER || (n > 0 && (size_t)n <= most));
		if (n == STREAM_LATER)
			ck_ok(loop_run(loop, &e), &e);
		else
			text_grew(&t, (size_t)n);
	}
	nonfinite = print_ahead_nonfinite(a);
	print_ahead_free(a);
	same = t.length == whole->length &&
	       memcmp(t.data, whole->data, t.length) == 0;
	text_fini(&t);
	ck_assert(same);
	return nonfinite;
}

START_TEST(the_text_is_that_of_one_writer)
{
	static const struct {
		int ndim;
		size_t dim[3];
	} shapes[] = {
		{ 1, { PRINT_AHEAD_LEAST } }, { 1, { 40961 } },
		{ 2, { 8192, 5 } }, { 2, { 5, 8192 } }, { 2, { 3, 20001 } },
		{ 2, { 40000, 1 } }, { 3, { 4, 64, 128 } }, { 2, { 1, 8191 } },
		{ 3, { 3, 129, 127 } }, { 2, { 257, 255 } }, { 1, { 1 } },
	};

	for (size_t i = 0; i < COUNT(shapes); i++) {
		struct text whole = begin(shapes[i].ndim, shapes[i].dim);

		ck_assert(!leaves_as(&whole, 32 << 10));
		ck_assert(!leaves_as(&whole, 1000));
		text_fini(&whole);
		matrix_fini(&m);
	}
}
END_TEST

START_TEST(what_is_not_finite_is_told)
{
	struct text whole = begin(2, (const size_t[]){ 200, 200 });
	const char *end = whole.data + whole.length;

	matrix_set(&m, 39999, NAN);
	while (end[-1] != ',')
		end--;
	whole.length = (size_t)(end - whole.data);
	text_puts(&whole, "null]]");
	ck_assert(leaves_as(&whole, 5000));
	text_fini(&whole);
}
END_TEST

/* The ends of pieces whose whole was released reach the loop and the end of the
 * pool; none may call back. */
START_TEST(one_may_be_let_go_while_it_is_printed)
{
	struct text whole = begin(2, (const size_t[]){ 300, 300 });
	char room[64];

	for (int i = 0; i < 20; i++) {
		struct print_ahead *a = print_ahead_new(&m, pool, ready, NULL);

		ck_assert_int_ne(print_ahead_more(a, room, sizeof room), 0);
		print_ahead_free(a);
	}
	ck_assert(!leaves_as(&whole, 32 << 10));
	for (int i = 0; i < 20; i++)
		print_ahead_free(print_ahead_new(&m, pool, ready, NULL));
	text_fini(&whole);
}
END_TEST

TCase *tcase_print_ahead(void)
{
	TCase *c = tcase_create("print_ahead");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, the_text_is_that_of_one_writer);
	tcase_add_test(c, what_is_not_finite_is_told);
	tcase_add_test(c, one_may_be_let_go_while_it_is_printed);
	return c;
}

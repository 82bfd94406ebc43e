/* dismissed.c - when a request was given up, reading and writing end at the
 * first slice of the work that is left, whatever it is, and give their memory
 * back. */
#include "base/pool.h"
#include "base/slice.h"
#include "format/writer.h"
#include "tests/format/sink.h"
#include "tests/test.h"

#define MM "application/x-matrix-market"

enum { N = 200, WIDE = SLICE_STEPS + 1, SHARED = N * N * 4 };

static struct memory *shared;
static struct text body;

/* --- the sink: operand a, and a share of int32 or float32 zeros */

static int share(void *arg, const char *id, const struct matrix *m,
                 struct memory **from, struct err *e)
{
	(void)arg;
	(void)id;
	(void)m;
	(void)e;
	*from = memory_ref(shared);
	return 0;
}

static int read_body(const char *media, struct err *e)
{
	struct test_sink s;
	int rc;

	test_sink_init(&s);
	s.sink.share = share;
	rc = sink_read(&s, media, body.data, body.length, body.length, e);
	if (rc == 0)
		ck_assert_int_ge(s.m[0].ndim, 1);
	test_sink_fini(&s);
	return rc;
}

/* --- the work, each with one kind that takes the first slice */

static int copy_of_a_share(struct err *e)
{
	text_printf(&body, "{\"a\":{\"share\":\"x\",\"shape\":[%d,%d],"
	            "\"dtype\":\"int32\"}}", N, N);
	return read_body("application/json", e);
}

static int imaginary_part(struct err *e)
{
	text_printf(&body, "{\"a\":{\"real\":{\"share\":\"x\",\"shape\":"
	            "[%d,%d],\"dtype\":\"float32\"},\"imag\":{\"generate\":"
	            "\"random\",\"shape\":[%d,%d]}}}", N, N, N, N);
	return read_body("application/json", e);
}

static int one_long_row(struct err *e)
{
	text_printf(&body, "{\"a\":{\"format\":\"csr\",\"shape\":[1,%d],"
	            "\"indptr\":[0,%d],\"data\":[1", WIDE, WIDE);
	for (int k = 1; k < WIDE; k++)
		text_puts(&body, ",1");
	text_puts(&body, "],\"indices\":[0");
	for (int k = 1; k < WIDE; k++)
		text_printf(&body, ",%d", k);
	text_puts(&body, "]}}");
	return read_body("application/json", e);
}

static int npy_of(const char *descr, int bytes, struct err *e)
{
	text_add(&body, "\x93NUMPY\1\0\x60\0", 10);
	text_printf(&body, "{'descr': '%s', 'fortran_order': False, 'shape': "
	            "(%d, %d)}", descr, N, N);
	while (body.length < 10 + 0x60)
		text_puts(&body, " ");
	for (int i = 0; i < N * N; i++)
		text_add(&body, "\0\0\0\0\0\0\0", (size_t)bytes);
	return read_body("application/x-npy", e);
}

static int other_byte_order(struct err *e)
{
	return npy_of(">f8", 8, e);
}

static int layout(void *arg, int i, const char **name, struct matrix *shape,
                  struct err *e)
{
	(void)arg;
	(void)e;
	*name = "a";
	*shape = (struct matrix){ .dtype = BOOL, .ndim = 1, .dim = { WIDE } };
	return i == 0;
}

static int raw_booleans(struct err *e)
{
	struct test_sink s;
	int rc;

	for (int k = 0; k < WIDE; k++)
		text_add(&body, "\1", 1);
	test_sink_init(&s);
	s.sink.layout = layout;
	rc = sink_read(&s, "application/octet-stream", body.data, body.length,
	               body.length, e);
	test_sink_fini(&s);
	return rc;
}

static int symmetry_of_an_array(struct err *e)
{
	text_puts(&body, "%%MatrixMarket matrix array real symmetric\n"
	          "3 3\n1\n2\n3\n2\n4\n5\n3\n5\n6\n");
	return read_body(MM, e);
}

static int hermitian_diagonal(struct err *e)
{
	text_puts(&body, "%%MatrixMarket matrix array complex hermitian\n"
	          "2 2\n1 0\n2 3\n4 0\n");
	return read_body(MM, e);
}

static int both_triangles(struct err *e)
{
	text_printf(&body, "%%%%MatrixMarket matrix coordinate real symmetric"
	            "\n%d %d %d\n", N, N, N * (N - 1) / 2);
	for (int i = 1; i <= N; i++)
		for (int j = i + 1; j <= N; j++)
			text_printf(&body, "%d %d 1\n", i, j);
	return read_body(MM, e);
}

static int checksum_of_an_archive(struct err *e)
{
	struct matrix m = { .dtype = FLOAT64, .ndim = 2, .dim = { 1, 1 } };
	const struct matrix *const one = &m;
	struct npz_writer w;
	int rc;

	if (matrix_alloc(&m, test_pool, e) < 0)
		return -1;
	matrix_set(&m, 0, 1);
	rc = npz_writer_init(&w, &one, (const char *const[]){ "a" }, 1, e);
	npz_writer_fini(&w);
	matrix_fini(&m);
	return rc;
}

static const struct {
	const char *name;
	int (*work)(struct err *e);
} rows[] = {
	{ "copy of a share", copy_of_a_share },
	{ "imaginary part", imaginary_part },
	{ "row of a sparse matrix", one_long_row },
	{ "other byte order", other_byte_order },
	{ "raw booleans", raw_booleans },
	{ "symmetry of an array", symmetry_of_an_array },
	{ "diagonal of a hermitian array", hermitian_diagonal },
	{ "both triangles", both_triangles },
	{ "checksum of an archive", checksum_of_an_archive },
};

/* --- as a task that is cancelled before it runs a slice */

struct attempt {
	struct loop *loop;
	struct task task;
	size_t row;
	int rc;
	struct err e;
};

static void work(void *arg)
{
	struct attempt *const a = arg;

	pool_cancel(&a->task);
	a->rc = rows[a->row].work(&a->e);
}

static void done(void *arg)
{
	loop_stop(((struct attempt *)arg)->loop);
}

static void setup(void)
{
	struct err e = { 0 };

	body = (struct text){ 0 };
	shared = memory_new_given(test_pool, SHARED, &e);
	ck_assert_ptr_nonnull(shared);
	memset(shared->data, 0, SHARED);
}

static void teardown(void)
{
	text_fini(&body);
	memory_unref(shared);
	ck_assert_uint_eq(memory_pool_used(test_pool), 0);
}

START_TEST(work_that_was_given_up_ends)
{
	struct err e = { 0 };
	struct attempt a = { .loop = loop_new(&e), .row = (size_t)_i };
	struct pool *pool = pool_new(a.loop, 1, &e);

	ck_assert(a.loop && pool);
	pool_submit(pool, &a.task, 1, work, done, &a);
	ck_ok(loop_run(a.loop, &e), &e);
	ck_assert_msg(a.rc == -1 && a.e.code == ERR_DISMISSED, "%s: %d %s",
	              rows[_i].name, a.rc, a.e.text);
	pool_free(pool);
	loop_free(a.loop);
}
END_TEST

START_TEST(else_it_succeeds)
{
	struct err e = { 0 };

	ck_assert_msg(rows[_i].work(&e) == 0, "%s: %s", rows[_i].name,
	              e.text);
}
END_TEST

TCase *tcase_dismissed(void)
{
	TCase *c = tcase_create("dismissed");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, work_that_was_given_up_ends, 0, COUNT(rows));
	tcase_add_loop_test(c, else_it_succeeds, 0, COUNT(rows));
	return c;
}

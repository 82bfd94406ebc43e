/* slices.c - every long preparation ends soon after it is cancelled, and gives
 * its memory back. */
#include <semaphore.h>

#include "base/pool.h"
#include "base/slice.h"
#include "format/formats.h"
#include "format/mm_layout.h"
#include "format/writer.h"
#include "matrix/convert.h"
#include "matrix/generate.h"
#include "tests/format/sink.h"
#include "tests/test.h"

enum { N = 200, WIDE = 4 * SLICE_STEPS };	/* N * N > 2 SLICE_STEPS */

static struct matrix make(enum dtype d, size_t m, size_t n)
{
	struct matrix a = { .dtype = d, .ndim = 2, .dim = { m, n } };
	struct err e = { 0 };

	ck_ok(matrix_alloc(&a, test_pool, &e), &e);
	memset(matrix_data(&a), 0, matrix_size(&a));
	return a;
}

/* --- the preparations; each returns the return value of the cancelled work */

static int generate(const char *name, enum dtype d, struct err *e)
{
	struct matrix m = make(d, N, N);
	const int rc = generator_fill(generator_find(name, e), &m, 1, e);

	matrix_fini(&m);
	return rc;
}

static int fill_direct(struct err *e)
{
	return generate("random", FLOAT64, e);
}

static int fill_narrow(struct err *e)
{
	return generate("spd", FLOAT32, e);
}

static int fill_one_by_one(struct err *e)
{
	return generate("pascal", FLOAT64, e);
}

static int convert_shared(struct err *e)
{
	struct matrix m = make(FLOAT64, N, N), n = matrix_ref(&m);
	const int rc = matrix_convert(&n, FLOAT32, test_pool, e);

	matrix_fini(&m);
	matrix_fini(&n);
	return rc;
}

static int convert_in_place(struct err *e)
{
	struct matrix m = make(FLOAT64, N, N);
	const int rc = matrix_convert(&m, FLOAT32, test_pool, e);

	matrix_fini(&m);
	return rc;
}

static int widen(struct err *e)
{
	struct matrix m = make(FLOAT64, N, N);
	const int rc = convert_elements(&m, (struct element){ 'i', 1, false },
	                                e);

	matrix_fini(&m);
	return rc;
}

static int fortran(struct err *e)
{
	struct matrix m = make(FLOAT64, 2, WIDE);
	const int rc = convert_fortran(&m, test_pool, e);

	matrix_fini(&m);
	return rc;
}

static int make_sparse(struct err *e)
{
	struct matrix m = make(FLOAT64, N, N);
	const int rc = sparse_convert(&m, CSR, test_pool, e);

	matrix_fini(&m);
	return rc;
}

/* Has no entries: rows and zeros alone take time. */
static struct matrix empty_sparse(size_t m, size_t n)
{
	struct matrix a = { .dtype = FLOAT64, .ndim = 2, .layout = CSR,
	                    .dim = { m, n } };
	struct err e = { 0 };

	ck_ok(matrix_alloc(&a, test_pool, &e), &e);
	memset(sparse_starts(&a), 0, (m + 1) * sizeof(int64_t));
	return a;
}

static int make_dense(struct err *e)
{
	struct matrix m = empty_sparse(WIDE, 2);
	const int rc = sparse_convert(&m, DENSE, test_pool, e);

	matrix_fini(&m);
	return rc;
}

static int build_rows(struct err *e)
{
	struct matrix m = { .ndim = 2, .dim = { WIDE, 2 } };
	const int rc = sparse_build(&m, NULL, 0, test_pool, e);

	matrix_fini(&m);
	return rc;
}

static struct sparse_entry entries[WIDE];

static int build_entries(struct err *e)
{
	struct matrix m = { .ndim = 2, .dim = { 1, WIDE } };
	int rc;

	for (size_t k = 0; k < WIDE; k++)
		entries[k] = (struct sparse_entry){ 0, WIDE - 1 - (uint32_t)k,
		                                    1 };
	rc = sparse_build(&m, entries, WIDE, test_pool, e);
	matrix_fini(&m);
	return rc;
}

static int scatter(struct err *e)
{
	struct matrix m = make(FLOAT64, 1, WIDE);
	const int rc = mm_scatter(&m, entries, WIDE, e);

	matrix_fini(&m);
	return rc;
}

/* Every entry above the diagonal and again below it. */
static int join(struct err *e)
{
	size_t n = WIDE, at[2];

	for (uint32_t k = 0; k < WIDE; k++)
		entries[k] = (struct sparse_entry){
			(k / 2 + 1) | (k % 2 ? MM_ABOVE : 0), k / 2, 1
		};
	return mm_join(entries, &n, true, at, e) < 0 ? -1 : 0;
}

static int unfold(struct err *e)
{
	struct matrix m = make(FLOAT64, N, N), triangle = make(FLOAT64, N, N);
	const int rc = mm_unfold(&m, matrix_data(&triangle), MM_SYMMETRIC, e);

	matrix_fini(&m);
	matrix_fini(&triangle);
	return rc;
}

/* Reads the text with a reader, as a request's body is read. */
static int read_body(const char *media, const struct text *body,
                     struct err *e)
{
	struct test_sink s;
	int rc;

	test_sink_init(&s);
	rc = sink_read(&s, media, body->data, body->length, body->length, e);
	test_sink_fini(&s);
	return rc;
}

/* Made before the test, because a cancelled task would not write it either. */
static struct text archive;

static void make_archive(void)
{
	struct matrix m = make(FLOAT64, N, N);
	const struct matrix *const one = &m;
	const char *const name = "a";
	struct err e = { 0 };

	ck_ok(npz_write(&archive, &one, &name, 1, &e), &e);
	matrix_fini(&m);
}

static void free_archive(void)
{
	text_fini(&archive);
}

static int inflate(struct err *e)
{
	return read_body("application/x-npz", &archive, e);
}

static int entries_of_json(struct err *e)
{
	struct text body = { 0 };
	int rc;

	text_printf(&body, "{\"a\":{\"format\":\"coo\",\"shape\":[9,9],"
	            "\"data\":[0");
	for (int k = 1; k < WIDE; k++)
		text_puts(&body, ",0");
	text_puts(&body, "],\"row\":[0");
	for (int k = 1; k < WIDE; k++)
		text_puts(&body, ",0");
	text_puts(&body, "],\"col\":[0");
	for (int k = 1; k < WIDE; k++)
		text_puts(&body, ",0");
	text_puts(&body, "]}}");
	rc = read_body("application/json", &body, e);
	text_fini(&body);
	return rc;
}

static const struct {
	const char *name;
	int (*prepare)(struct err *e);
} rows[] = {
	{ "generator, float64", fill_direct },
	{ "generator, float32", fill_narrow },
	{ "generator, one by one", fill_one_by_one },
	{ "conversion of shared elements", convert_shared },
	{ "conversion in place", convert_in_place },
	{ "widening", widen },
	{ "Fortran order", fortran },
	{ "dense to sparse", make_sparse },
	{ "sparse to dense", make_dense },
	{ "rows of a sparse matrix", build_rows },
	{ "entries of a sparse matrix", build_entries },
	{ "Matrix Market, entries", scatter },
	{ "Matrix Market, both triangles", join },
	{ "Matrix Market, triangle", unfold },
	{ "npz", inflate },
	{ "JSON, entries", entries_of_json },
};

struct attempt {
	size_t row;
	int rc;
	struct err e;
	sem_t began, cancelled;
};

static void work(void *arg)
{
	struct attempt *a = arg;

	sem_post(&a->began);
	while (sem_wait(&a->cancelled))
		;
	a->rc = rows[a->row].prepare(&a->e);
}

static struct loop *loop;
static struct pool *pool;
static struct attempt attempt;

static void done(void *arg)
{
	(void)arg;
	loop_stop(loop);
}

START_TEST(a_cancelled_preparation_ends_and_leaves_nothing)
{
	const size_t used = memory_pool_used(test_pool);
	struct err e = { 0 };
	struct task t;

	attempt = (struct attempt){ .row = (size_t)_i };
	sem_init(&attempt.began, 0, 0);
	sem_init(&attempt.cancelled, 0, 0);
	loop = loop_new(&e);
	pool = pool_new(loop, 1, &e);
	pool_submit(pool, &t, 1, work, done, &attempt);
	while (sem_wait(&attempt.began))
		;
	pool_cancel(&t);
	sem_post(&attempt.cancelled);
	ck_ok(loop_run(loop, &e), &e);
	ck_assert_msg(attempt.rc == -1 && attempt.e.code == ERR_DISMISSED,
	              "%s: %d %s", rows[_i].name, attempt.rc, attempt.e.text);
	ck_assert_uint_eq(memory_pool_used(test_pool), used);
	pool_free(pool);
	loop_free(loop);
}
END_TEST

START_TEST(uncancelled_it_succeeds)
{
	struct err e = { 0 };

	ck_assert_msg(rows[_i].prepare(&e) == 0, "%s: %s", rows[_i].name,
	              e.text);
}
END_TEST

TCase *tcase_slices(void)
{
	TCase *t = tcase_create("slices");

	tcase_add_checked_fixture(t, make_archive, free_archive);
	tcase_add_loop_test(t, a_cancelled_preparation_ends_and_leaves_nothing,
	                    0, COUNT(rows));
	tcase_add_loop_test(t, uncancelled_it_succeeds, 0, COUNT(rows));
	return t;
}

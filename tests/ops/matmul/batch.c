/* batch.c - many small products of one shape in one launch are as accurate as
 * in single launches, and each is written to its own place. */
#include "tests/ops/matmul/matmul.h"

enum { CALLS = 5 };

static const struct op *op;
static struct args call[CALLS];

/* Prepares call i, whose random numbers depend on i: makes its operands, checks
 * them and allocates its output. */
static void prepare(int i, enum dtype t, size_t m, size_t n, size_t k,
                    bool ta, bool tb)
{
	struct err e = { 0 };
	struct args *a = &call[i];

	args_init(a, op);
	a->dtype = t;
	a->param[0] = ta;
	a->param[1] = tb;
	a->in[0] = random_matrix(t, (unsigned)(i + 11), 2, ta ? k : m,
	                         ta ? m : k);
	a->in[1] = random_matrix(t, (unsigned)(i + 37), 2, tb ? n : k,
	                         tb ? k : n);
	a->variant = variant_for(a, NULL, device_sheet(test_device), &e);
	ck_assert_ptr_nonnull(a->variant);
	ck_ok(args_prepare(a, test_pool, &e), &e);
}

static void finish(void)
{
	for (int i = 0; i < CALLS; i++)
		args_fini(&call[i]);
}

static int run(struct err *e)
{
	struct args *calls[CALLS];
	struct seq *s = seq_new(test_device, call[0].dtype, TIMING_FULL, e);
	int rc;

	for (int i = 0; i < CALLS; i++)
		calls[i] = &call[i];
	if (!s)
		return -1;
	rc = call[0].variant->run_batch(s, calls, CALLS);
	seq_free(s);
	return rc;
}

static void try_batch(enum dtype t, size_t m, size_t n, size_t k, bool ta,
                      bool tb)
{
	struct err e = { 0 };

	for (int i = 0; i < CALLS; i++)
		prepare(i, t, m, n, k, ta, tb);
	ck_assert(args_alike(&call[0], &call[CALLS - 1]));
	ck_ok(run(&e), &e);
	for (int i = 0; i < CALLS; i++) {
		const struct factors f = { &call[i].in[0], &call[i].in[1], m,
		                           n, k, 0, 0, 0, ta, tb };

		check_product(&f, &call[i].out[0]);
	}
	finish();
}

static bool has_batches(void)
{
	op = op_find("matmul");
	return device_sheet(test_device)->type == DEVICE_CPU;
}

/* The sizes are around the 8 rows of a strip, and the 16 and 32 columns of a
 * panel. */
START_TEST(batches_around_every_tile_edge_are_accurate)
{
	static const size_t rows[] = { 2, 7, 8, 9, 17 };
	static const size_t cols[] = { 2, 15, 16, 17, 31, 32, 33 };
	static const size_t deep[] = { 1, 5, 8 };

	for (int way = 0; has_batches() && way < 8; way++)
		for (size_t i = 0; i < COUNT(rows); i++)
			for (size_t j = 0; j < COUNT(cols); j++)
				for (size_t k = 0; k < COUNT(deep); k++)
					try_batch(way & 1 ? FLOAT64 : FLOAT32,
					    rows[i], cols[j], deep[k],
					    way & 2, way & 4);
}
END_TEST

START_TEST(batches_of_larger_products_are_accurate)
{
	if (!has_batches())
		return;
	try_batch(FLOAT32, 64, 64, 64, false, false);
	try_batch(FLOAT64, 63, 65, 64, false, false);
	try_batch(FLOAT32, 50, 10, 256, true, false);
	try_batch(FLOAT64, 10, 20, 255, false, true);
}
END_TEST

/* As on a device with memory of its own, the operands are gathered, and each
 * result is copied to its own place. Vectors run alone there, too. */
START_TEST(batches_are_gathered_where_the_device_cannot_see_them)
{
	struct err e = { 0 };

	if (!has_batches())
		return;
	device_copies = true;
	for (int way = 0; way < 8; way++) {
		const enum dtype t = way & 1 ? FLOAT64 : FLOAT32;

		try_batch(t, 7, 17, 5, way & 2, way & 4);
		try_batch(t, 64, 64, 64, way & 2, way & 4);
		try_batch(t, 1, 9, 257, way & 2, way & 4);
	}
	for (int i = 0; i < CALLS; i++)
		prepare(i, FLOAT32, 2, 3, 0, false, false);
	ck_assert_int_eq(run(&e), 1);
	finish();
	device_copies = false;
}
END_TEST

/* Such a call is left to run(), which computes single calls. */
START_TEST(what_no_batch_computes_is_declined)
{
	struct err e = { 0 };

	if (!has_batches())
		return;
	for (int i = 0; i < CALLS; i++)
		prepare(i, FLOAT32, 2, 2, 257, false, false);
	ck_assert_int_eq(run(&e), 1);
	finish();
	for (int i = 0; i < CALLS; i++)
		prepare(i, FLOAT32, 1, 5, 5, false, false);
	ck_assert_int_eq(run(&e), 1);
	finish();
	for (int i = 0; i < CALLS; i++)		/* not all in the slab */
		prepare(i, FLOAT32, 150, i == 3 ? 150 : 2, 2, false, false);
	ck_assert(!args_alike(&call[0], &call[3]));
	ck_assert_int_eq(run(&e), 1);
	finish();
	ck_assert_int_eq(e.code, ERR_NONE);
}
END_TEST

START_TEST(a_batch_survives_failing_calls)
{
	struct err e = { 0 };
	int left = 0, rc = -1;

	if (!has_batches())
		return;
	for (int i = 0; i < CALLS; i++)
		prepare(i, FLOAT32, 3, 3, 3, false, false);
	ck_ok(run(&e), &e);
	for (; rc && left < 100; left++) {
		e = (struct err){ 0 };
		device_calls_left = left;
		rc = run(&e);
		device_calls_left = -1;
		ck_assert(rc == 0 || e.code != ERR_NONE);
	}
	ck_assert_int_eq(rc, 0);
	ck_assert_int_gt(left, 1);
	finish();
}
END_TEST

void matmul_add_batches(TCase *t)
{
	tcase_add_test(t, batches_around_every_tile_edge_are_accurate);
	tcase_add_test(t, batches_of_larger_products_are_accurate);
	tcase_add_test(t,
	               batches_are_gathered_where_the_device_cannot_see_them);
	tcase_add_test(t, what_no_batch_computes_is_declined);
	tcase_add_test(t, a_batch_survives_failing_calls);
}

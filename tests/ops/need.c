/* need.c - the device memory that a call takes, computed before it runs.
 * ops_main.c checks for every call of these tests that this was enough; here it
 * is checked that it is not too much, and that refusals and cuts follow from
 * it. */
#include <string.h>

#include "tests/ops/op.h"

/* The excess allowed for operations whose elements choose the method, for
 * solve, whose matrix and right-hand sides a second solve copies and scales,
 * and for symmetric_decompose_need(), which also counts the memory of
 * eigenvalues alone where eigenvectors are wanted. */
static size_t slack_of(const char *op, const char *variant,
                       const struct args *a)
{
	return !strcmp(variant, "polar") ? 1 << 20 :
	       !strcmp(op, "solve") ? 2 * matrix_size(&a->in[0]) +
	                              matrix_size(&a->in[1]) :
	       !strcmp(op, "jacobi") || !strcmp(op, "norm") ? 4096 :
	       !strcmp(op, "lstsq") ? 1 << 24 :
	       !strcmp(op, "eigen") ? SIZE_MAX : 0;
}

static int sampled(const struct op *o, const struct variant *v, enum dtype t,
                   size_t n, struct args *a, struct err *e)
{
	struct args sample;
	int rc;

	args_init(&sample, o);
	sample.dtype = t;
	rc = o->sample(&sample, n, test_pool, e);
	if (rc == 0)
		rc = op_try(o->name, sample.in, OP_INPUTS, a, e, "variant",
		            v->name, "dtype", dtype_name(t), NULL);
	args_fini(&sample);
	return rc;
}

static void check_exact(const struct op *o, const struct variant *v,
                        enum dtype t, size_t n)
{
	struct err e = { 0 };
	struct args a;
	struct need said;

	ck_assert_msg(sampled(o, v, t, n, &a, &e) == 0, "%s: %s", o->name,
	              e.text);
	said = need_now(&a);
	ck_assert_msg(said.bytes - test_memory <=
	              slack_of(o->name, v->name, &a), "%s, variant %s of %s, "
	              "n = %zu: said %zu bytes, had %zu", o->name, v->name,
	              dtype_name(t), n, said.bytes, test_memory);
	args_fini(&a);
}

static void each_sample(void (*fn)(const struct op *o, const struct variant *v,
                                   enum dtype t, size_t n))
{
	static const size_t sizes[] = { 1, 2, 37, 130, 301 };

	for (const struct op *const *o = ops; *o; o++)
		for (const struct variant *v = (*o)->variants; v->name; v++)
			for (int t = 0; t < DTYPE_COUNT; t++) {
				if (!variant_runs(v, (enum dtype)t,
				                  device_sheet(test_device)))
					continue;
				for (size_t i = 0; i < COUNT(sizes); i++)
					fn(*o, v, (enum dtype)t, sizes[i]);
			}
}

START_TEST(no_more_than_that)
{
	each_sample(check_exact);
}
END_TEST

START_TEST(no_more_where_operands_are_copied)
{
	device_copies = true;
	each_sample(check_exact);
	device_copies = false;
}
END_TEST

/* They belong to the device and are shared by all sequences. */
START_TEST(counters_are_zeros_that_no_call_needs)
{
	for (int turn = 0; turn < 2; turn++) {
		int32_t x[SEQ_COUNTERS];
		struct err e = { 0 };
		struct seq *s = seq_new(test_device, FLOAT32, TIMING_NONE,
		                        &e);
		size_t all, largest;

		memset(x, 1, sizeof x);
		seq_counters(s);
		seq_read(s, seq_counters(s), 0, x, sizeof x);
		ck_ok(seq_finish(s), &e);
		for (int i = 0; i < SEQ_COUNTERS; i++)
			ck_assert_int_eq(x[i], 0);
		seq_memory(s, &all, &largest);
		ck_assert_uint_eq(all, 0);
		ck_assert_uint_eq(largest, 0);
		seq_free(s);
	}
}
END_TEST

TCase *tcase_need(void)
{
	TCase *c = tcase_create("need");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, no_more_than_that);
	tcase_add_test(c, no_more_where_operands_are_copied);
	tcase_add_test(c, counters_are_zeros_that_no_call_needs);
	return c;
}

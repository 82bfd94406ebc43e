/* traced.c - tests the trace of a launch sequence, which has every command with
 * its beginning and end on the host's clock. */
#include <stdlib.h>

#include "base/clock.h"
#include "tests/ops/op.h"

void transpose_traced(TCase *t);

static struct trace_page *page;

static void begin_trace(struct seq *s)
{
	page = calloc(1, sizeof *page);
	device_copies = true;
	seq_trace(s, page);
}

static void drop_trace(void)
{
	device_copies = false;
	free(page);
}

static void flip(struct seq *s, struct buf a, struct buf b, size_t n)
{
	seq_launch(s, "transpose_tile", GRID2(n, n, 16, 16), ARG_BUF(a),
	           ARG_BUF(b), ARG_INT(n), ARG_INT(n));
}

/* Returns the number of events of that kind. Asserts for the events of all
 * kinds that they lie between begun_ns and ended_ns. */
static int count(int kind, int64_t begun_ns, int64_t ended_ns)
{
	int n = 0;

	for (unsigned i = 0; i < atomic_load(&page->n); i++) {
		const struct trace_event *e = &page->event[i];

		ck_assert_int_le(begun_ns, e->begin_ns);
		ck_assert_int_le(e->begin_ns, e->end_ns);
		ck_assert_int_le(e->end_ns, ended_ns);
		n += e->kind == kind;
	}
	return n;
}

/* Asserts that kernels of one lane do not overlap. */
static void check_order(int lane)
{
	int64_t end = 0;

	for (unsigned i = 0; i < atomic_load(&page->n); i++) {
		const struct trace_event *e = &page->event[i];

		if (e->kind < 0 || e->lane != lane)
			continue;
		ck_assert_int_le(end, e->begin_ns);
		end = e->end_ns;
	}
	ck_assert_int_gt(end, 0);
}

START_TEST(every_command_is_kept)
{
	enum { N = 600, FLIPS = 300 };	/* the matrix is large: see staging.c */
	struct matrix a = random_matrix(FLOAT32, 5, 2, (size_t)N, (size_t)N);
	struct matrix b = random_matrix(FLOAT32, 6, 2, (size_t)N, (size_t)N);
	const int64_t begun = clock_ns();
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, FLOAT32, TIMING_TRACE, &e);
	struct buf x, y, z;
	struct timing t;
	float one = 1;

	begin_trace(s);
	x = seq_input(s, &a);
	y = seq_scratch(s, matrix_size(&a));
	z = seq_output(s, &b);
	seq_fill(s, y, 0, matrix_size(&a), &one, sizeof one);
	for (int i = 0; i < FLIPS; i++)
		flip(s, x, y, N);
	seq_copy(s, y, 0, z, 0, matrix_size(&a));
	seq_write(s, z, 0, &one, sizeof one);
	seq_read(s, z, 0, &one, sizeof one);
	seq_host_begin(s);
	seq_host_end(s);
	ck_ok(seq_finish(s), &e);
	seq_timing(s, &t);
	seq_free(s);
	ck_assert_int_eq(t.n_kernels, 1);
	ck_assert_uint_eq(t.kernel[0].timed, FLIPS);
	ck_assert_int_eq(count(0, begun, clock_ns()), FLIPS);
	for (int k = -1; k > TRACE_COMPILE; k--)
		ck_assert_msg(count(k, begun, clock_ns()) == 1, "%d", k);
	ck_assert_int_le(count(TRACE_COMPILE, begun, clock_ns()), 1);
	check_order(0);
	matrix_fini(&a);
	matrix_fini(&b);
	drop_trace();
}
END_TEST

/* A launch cannot have begun before it was asked for, nor ended after the host
 * saw its end. */
START_TEST(the_device_has_the_hosts_clock)
{
	enum { N = 256 };
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, FLOAT32, TIMING_TRACE, &e);
	struct buf x = seq_scratch(s, N * N * 4), y;
	int64_t before[4], after[4];
	struct timing t;
	float one;

	begin_trace(s);
	y = seq_scratch(s, N * N * 4);
	for (int i = 0; i < 4; i++) {
		before[i] = clock_ns();
		flip(s, x, y, N);
		seq_read(s, y, 0, &one, sizeof one);
		after[i] = clock_ns();
	}
	ck_ok(seq_finish(s), &e);
	seq_timing(s, &t);
	seq_free(s);
	for (unsigned i = 0, n = 0; i < atomic_load(&page->n); i++) {
		const struct trace_event *at = &page->event[i];

		if (at->kind < 0)
			continue;
		/* the clocks are compared to within the time of a call */
		ck_assert_int_ge(at->begin_ns, before[n] - 1000000);
		ck_assert_int_le(at->end_ns, after[n] + 1000000);
		n++;
	}
	drop_trace();
}
END_TEST

START_TEST(what_has_no_room_is_left_out)
{
	enum { N = 4, MORE = 100 };
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, FLOAT32, TIMING_TRACE, &e);
	struct buf x = seq_scratch(s, N * N * 4);
	struct timing t;

	begin_trace(s);
	for (int i = 0; i < TRACE_EVENTS + MORE; i++)
		seq_fill(s, x, 0, N * N * 4, &i, sizeof i);
	ck_ok(seq_finish(s), &e);
	seq_timing(s, &t);
	seq_free(s);
	ck_assert_uint_eq(atomic_load(&page->n), TRACE_EVENTS);
	ck_assert_uint_eq(page->left_out, MORE);
	drop_trace();
}
END_TEST

void transpose_traced(TCase *t)
{
	tcase_add_test(t, every_command_is_kept);
	tcase_add_test(t, the_device_has_the_hosts_clock);
	tcase_add_test(t, what_has_no_room_is_left_out);
}

/* sequence.c - what a launch sequence promises to every
 * operation: order, times, memory, and an end after any failure. */
#include "tests/ops/op.h"

void transpose_sequence(TCase *t);

static struct seq *open_seq(enum timing_level level, struct err *e)
{
	struct seq *s = seq_new(test_device, FLOAT32, level, e);

	ck_assert_ptr_nonnull(s);
	return s;
}

static void flip(struct seq *s, struct buf a, struct buf b, size_t m,
                 size_t n)
{
	seq_launch(s, "transpose_tile", GRID2(n, m, 16, 16), ARG_BUF(a),
	           ARG_BUF(b), ARG_INT(m), ARG_INT(n));
}

START_TEST(thousands_of_launches_are_timed_one_by_one)
{
	struct matrix a = random_matrix(FLOAT32, 5, 2, (size_t)9, (size_t)4);
	struct matrix b = random_matrix(FLOAT32, 6, 2, (size_t)9, (size_t)4);
	struct err e = { 0 };
	struct seq *s = open_seq(TIMING_FULL, &e);
	struct buf x = seq_input(s, &a), y = seq_scratch(s, matrix_size(&a));
	struct buf z = seq_output(s, &b);
	struct timing t;

	for (int i = 0; i < 1500; i++) {
		seq_work(s, 1, 2);
		flip(s, i ? z : x, y, 9, 4);
		flip(s, y, z, 4, 9);
	}
	ck_ok(seq_finish(s), &e);
	seq_timing(s, &t);
	seq_free(s);
	ck_assert_mem_eq(matrix_data(&a), matrix_data(&b), matrix_size(&a));
	ck_assert_int_eq(t.n_kernels, 1);
	ck_assert_str_eq(t.kernel[0].name, "transpose_tile");
	ck_assert_uint_eq(t.kernel[0].calls, 3000);
	ck_assert_double_eq(t.kernel[0].flops, 1500);
	ck_assert_double_eq(t.kernel[0].bytes, 3000);
	ck_assert_uint_le(t.kernel[0].min_ns, t.kernel[0].max_ns);
	ck_assert_uint_ge(t.kernel[0].total_ns, 3000 * t.kernel[0].min_ns);
	/* Each launch had an event, where that costs next to nothing. */
	if (device_sheet(test_device)->unified_memory) {
		ck_assert_uint_eq(t.kernel[0].timed, 3000);
		ck_assert_int_ge(t.compute_ns,
		                 (int64_t)t.kernel[0].total_ns);
	}
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

/* As on a device where an event costs more than a launch. */
START_TEST(of_many_launches_some_are_timed)
{
	struct matrix a = random_matrix(FLOAT32, 5, 2, (size_t)9, (size_t)4);
	struct err e = { 0 };
	struct seq *s;
	struct buf x, y;
	struct timing t;
	const struct kernel_time *k = &t.kernel[0];

	device_copies = true;
	s = open_seq(TIMING_FULL, &e);
	x = seq_input(s, &a);
	y = seq_scratch(s, matrix_size(&a));
	for (int i = 0; i < 4; i++)
		flip(s, x, y, 9, 4);
	ck_ok(seq_finish(s), &e);
	seq_timing(s, &t);
	ck_assert_uint_eq(k->timed, 4);
	for (int i = 4; i < 3001; i++)
		flip(s, x, y, 9, 4);
	ck_ok(seq_finish(s), &e);
	seq_timing(s, &t);
	seq_free(s);
	device_copies = false;
	ck_assert_int_eq(t.n_kernels, 1);
	ck_assert_uint_eq(k->calls, 3001);
	ck_assert_uint_gt(k->timed, 50);
	ck_assert_uint_lt(k->timed, 300);
	ck_assert_uint_ge(k->total_ns, 3001 * k->min_ns);
	ck_assert_uint_le(k->total_ns, 3001 * k->max_ns);
	ck_assert_int_gt(t.compute_ns, 0);
	matrix_fini(&a);
}
END_TEST

START_TEST(a_summary_has_the_stages_but_no_kernels)
{
	struct matrix a = random_matrix(FLOAT32, 5, 1, (size_t)90000);
	struct matrix b = random_matrix(FLOAT32, 6, 1, (size_t)90000);
	struct err e = { 0 };
	struct seq *s = open_seq(TIMING_SUMMARY, &e);
	struct timing one, many;

	flip(s, seq_input(s, &a), seq_output(s, &b), 300, 300);
	ck_ok(seq_finish(s), &e);
	seq_timing(s, &one);
	for (int i = 0; i < 20; i++)
		flip(s, seq_input(s, &a), seq_output(s, &b), 300, 300);
	ck_ok(seq_finish(s), &e);
	seq_timing(s, &many);
	seq_free(s);
	ck_assert_int_eq(one.n_kernels, 0);
	ck_assert_int_gt(one.compute_ns, 0);
	ck_assert_int_gt(many.compute_ns, one.compute_ns);
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

START_TEST(one_matrix_is_one_buffer)
{
	struct err e = { 0 };
	struct seq *s = open_seq(TIMING_NONE, &e);
	struct matrix a = random_matrix(FLOAT32, 1, 1, (size_t)5);
	struct matrix empty = random_matrix(FLOAT32, 1, 1, (size_t)0);
	struct matrix none = { .ndim = MATRIX_ABSENT };

	ck_assert_int_eq(seq_input(s, &a).id, seq_output(s, &a).id);
	ck_assert_int_ne(seq_input(s, &empty).id, 0);
	ck_assert_int_eq(seq_input(s, &none).id, 0);
	ck_assert_int_eq(seq_output(s, &none).id, 0);
	ck_ok(seq_finish(s), &e);
	seq_free(s);
	matrix_fini(&a);
	matrix_fini(&empty);
}
END_TEST

START_TEST(bytes_are_filled_copied_written_and_read)
{
	const int seven = 7;
	const int wrote[3] = { 1, 2, 3 };
	int got[8] = { 0 };
	struct err e = { 0 };
	struct seq *s = open_seq(TIMING_FULL, &e);
	struct buf a = seq_scratch(s, sizeof got), b = seq_scratch(s, 64);
	struct buf c = seq_constant(s, wrote, sizeof wrote);

	seq_fill(s, a, 0, sizeof got, &seven, sizeof seven);
	seq_write(s, b, 4, wrote, sizeof wrote);
	seq_copy(s, b, 8, a, 12, 8);
	seq_read(s, c, 8, &got[0], 4);
	seq_read(s, a, 4, &got[1], 28);
	ck_ok(seq_finish(s), &e);
	ck_assert_mem_eq(got, ((int[]){ 3, 7, 7, 2, 3, 7, 7, 7 }), sizeof got);
	seq_free(s);
}
END_TEST

static bool after_ten(void *arg)
{
	return ++*(int *)arg > 10;
}

/* On a device with memory of its own. */
START_TEST(an_output_comes_once_each_time_it_is_asked_for)
{
	struct matrix a = random_matrix(FLOAT32, 5, 2, (size_t)9, (size_t)4);
	struct matrix b = random_matrix(FLOAT32, 6, 2, (size_t)4, (size_t)9);
	struct matrix zero = random_matrix(FLOAT32, 6, 2, (size_t)4,
	                                   (size_t)9);
	struct err e = { 0 };
	struct seq *s;

	memset(matrix_data(&zero), 0, matrix_size(&zero));
	device_copies = true;
	s = open_seq(TIMING_SUMMARY, &e);
	memset(matrix_data(&b), 0, matrix_size(&b));
	for (int i = 0; i < 2; i++) {
		flip(s, seq_input(s, &a), seq_output(s, &b), 9, 4);
		seq_hold(s, true);
		ck_ok(seq_finish(s), &e);
		ck_assert_mem_eq(matrix_data(&b), matrix_data(&zero),
		                 matrix_size(&b));
		seq_hold(s, false);
		ck_ok(seq_finish(s), &e);
		for (size_t k = 0; k < 36; k++)
			ck_assert_double_eq(matrix_get(&b, k),
			                    matrix_get(&a, k % 9 * 4 + k / 9));
		memset(matrix_data(&b), 0, matrix_size(&b));
		seq_input(s, &b);
		ck_ok(seq_finish(s), &e);
		ck_assert_mem_eq(matrix_data(&b), matrix_data(&zero),
		                 matrix_size(&b));
	}
	seq_free(s);
	device_copies = false;
	matrix_fini(&a);
	matrix_fini(&b);
	matrix_fini(&zero);
}
END_TEST

START_TEST(a_call_given_up_ends_between_launches)
{
	int asked = 0, launched = 0;
	struct err e = { 0 };
	struct seq *s = open_seq(TIMING_FULL, &e);
	struct buf a = seq_scratch(s, 4096), b = seq_scratch(s, 4096);

	seq_on_cancel(s, after_ten, &asked);
	while (flip(s, a, b, 32, 32), !seq_failed(s))
		launched++;
	ck_assert_int_gt(launched, 0);
	ck_assert_int_le(launched, 10);	/* a launch may look more than once */
	ck_refused(seq_finish(s), &e, ERR_DISMISSED);
	seq_free(s);
}
END_TEST

START_TEST(a_kernel_that_is_not_there_is_our_error)
{
	struct err e = { 0 };
	struct seq *s = open_seq(TIMING_FULL, &e);

	seq_launch(s, "no_such_kernel", GRID1(1, 1), ARG_INT(1));
	ck_refused(seq_finish(s), &e, ERR_INTERNAL);
	seq_free(s);
}
END_TEST

static int probed;

static bool takes_memory(struct seq *s, const char *kernel)
{
	probed++;
	(void)kernel;
	return seq_scratch(s, 1000).id && seq_constant(s, "abc", 4).id;
}

START_TEST(a_probe_leaves_no_memory_behind)
{
	struct err e = { 0 };
	struct seq *s = open_seq(TIMING_NONE, &e);
	struct buf mine = seq_scratch(s, 64), next;
	size_t all, largest;

	probed = 0;
	for (int i = 0; i < 2; i++)
		ck_assert(!seq_trusts(s, "no_such_kernel", takes_memory));
	ck_assert_int_eq(probed, 0);
	for (int i = 0; i < 2; i++)
		ck_assert(seq_trusts(s, "transpose_tile", takes_memory));
	ck_assert_int_eq(probed, 1);
	seq_memory(s, &all, &largest);
	ck_assert_uint_eq(all, 64);
	next = seq_scratch(s, 32);
	ck_assert_int_eq(next.id, mine.id + 1);
	ck_ok(seq_finish(s), &e);
	seq_free(s);
}
END_TEST

START_TEST(wrong_arguments_are_refused_and_the_device_goes_on)
{
	struct err e = { 0 };
	struct seq *s = open_seq(TIMING_FULL, &e);
	struct buf a = seq_scratch(s, 64);

	seq_launch(s, "transpose_tile", GRID2(16, 16, 16, 16), ARG_BUF(a),
	           ARG_BUF(a), ARG_LONG(1), ARG_INT(1));
	ck_refused(seq_finish(s), &e, ERR_DEVICE);
	seq_free(s);
	e = (struct err){ 0 };
	s = open_seq(TIMING_FULL, &e);
	a = seq_scratch(s, 64);
	flip(s, a, a, 1, 1);
	ck_ok(seq_finish(s), &e);
	seq_free(s);
}
END_TEST

/* Alternates between the lanes: each reads what the other wrote, and overwrites
 * what the other has read. */
static void flip_in_lanes(struct seq *s, struct buf x[3], size_t m, size_t n,
                          int rounds)
{
	for (int i = 0; i < rounds; i++) {
		seq_lane(s, 1);
		seq_follow(s, 0);
		flip(s, x[i % 2], x[2], m, n);
		seq_lane(s, 0);
		seq_follow(s, 1);
		flip(s, x[2], x[(i + 1) % 2], n, m);
	}
}

START_TEST(lanes_follow_each_other)
{
	const size_t m = 301, n = 407;
	struct matrix a = random_matrix(FLOAT32, 5, 2, m, n);
	struct matrix b = random_matrix(FLOAT32, 6, 2, m, n);

	for (int i = 0; i < 2; i++) {
		struct err e = { 0 };
		struct seq *s = open_seq(TIMING_FULL, &e);
		struct buf x[3] = { seq_output(s, &b),
		                    seq_scratch(s, matrix_size(&a)),
		                    seq_scratch(s, matrix_size(&a)) };
		struct timing t;

		device_lanes = i == 1;
		memset(matrix_data(&b), 0xff, matrix_size(&b));
		seq_copy(s, seq_input(s, &a), 0, x[0], 0, matrix_size(&a));
		flip_in_lanes(s, x, m, n, 50);
		ck_ok(seq_finish(s), &e);
		seq_timing(s, &t);
		seq_free(s);
		device_lanes = false;
		ck_assert_mem_eq(matrix_data(&a), matrix_data(&b),
		                 matrix_size(&a));
		ck_assert_uint_eq(t.kernel[0].calls, 100);
		ck_assert_int_ge(t.compute_ns,
		                 (int64_t)t.kernel[0].total_ns);
	}
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

/* A lane that no other lane follows is waited for as well. */
START_TEST(all_lanes_have_ended_when_a_sequence_has)
{
	struct err e = { 0 };
	struct seq *s = open_seq(TIMING_FULL, &e);
	struct buf a = seq_scratch(s, 4096), b = seq_scratch(s, 4096);
	struct timing t;

	device_lanes = true;
	seq_lane(s, 1);
	for (int i = 0; i < 200; i++)
		flip(s, a, b, 32, 32);
	seq_lane(s, 0);
	ck_ok(seq_finish(s), &e);
	device_lanes = false;
	seq_timing(s, &t);
	seq_free(s);
	/* a total over the launches, only some of which have events */
	ck_assert_int_ge(t.compute_ns, (int64_t)t.kernel[0].total_ns / 2);
}
END_TEST

START_TEST(failing_calls_are_survived)
{
	int calls = 0, rc = -1;

	device_lanes = true;
	for (; rc != 0; calls++) {
		struct err e = { 0 };
		struct seq *s = open_seq(TIMING_FULL, &e);
		struct buf a, b;

		device_calls_left = calls;
		a = seq_scratch(s, 4096);
		b = seq_constant(s, "abcd", 4);
		seq_copy(s, b, 0, a, 0, 4);
		for (int i = 0; i < 5; i++)
			flip(s, a, a, 1, 1);
		flip_in_lanes(s, (struct buf[]){ a, a, a }, 1, 1, 2);
		rc = seq_finish(s);
		seq_free(s);
		device_calls_left = -1;
		ck_assert(rc == 0 || e.code == ERR_MEMORY);
		ck_assert_int_lt(calls, 500);
	}
	device_lanes = false;
	ck_assert_int_gt(calls, 20);
}
END_TEST

void transpose_sequence(TCase *t)
{
	tcase_add_test(t, thousands_of_launches_are_timed_one_by_one);
	tcase_add_test(t, of_many_launches_some_are_timed);
	tcase_add_test(t, a_summary_has_the_stages_but_no_kernels);
	tcase_add_test(t, one_matrix_is_one_buffer);
	tcase_add_test(t, bytes_are_filled_copied_written_and_read);
	tcase_add_test(t, an_output_comes_once_each_time_it_is_asked_for);
	tcase_add_test(t, a_call_given_up_ends_between_launches);
	tcase_add_test(t, a_kernel_that_is_not_there_is_our_error);
	tcase_add_test(t, a_probe_leaves_no_memory_behind);
	tcase_add_test(t, wrong_arguments_are_refused_and_the_device_goes_on);
	tcase_add_test(t, lanes_follow_each_other);
	tcase_add_test(t, all_lanes_have_ended_when_a_sequence_has);
	tcase_add_test(t, failing_calls_are_survived);
}

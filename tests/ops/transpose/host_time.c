/* host_time.c - tests a sequence's times when the host computes a part of
 * it. */
#include <inttypes.h>

#include "base/clock.h"
#include "tests/ops/op.h"

void transpose_host_time(TCase *t);

static const int64_t host_ns = 5000000;

/* Runs the steps in order: k is a kernel that is waited for, h is host_ns of
 * work on the host. */
static void take_steps(struct seq *s, const char *steps)
{
	struct buf a = seq_scratch(s, 4096), b = seq_scratch(s, 4096);

	for (; *steps; steps++) {
		if (*steps == 'k') {
			seq_launch(s, "transpose_tile",
			           GRID2(32, 32, 16, 16), ARG_BUF(a),
			           ARG_BUF(b), ARG_INT(32), ARG_INT(32));
			seq_finish(s);
			continue;
		}
		seq_host_begin(s);
		for (const int64_t at = clock_ns(); clock_ns() - at < host_ns;)
			continue;
		seq_host_end(s);
	}
}

/* The span from the first kernel to the last includes the host's work between
 * them; its work before and after them is added. So each is counted once. */
START_TEST(computing_on_the_host_counts_once)
{
	static const char *const steps[] = {
		"k", "h", "khk", "hk", "kh", "hkhkh", "khkhh",
	};

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		struct err e = { 0 };
		struct seq *s = seq_new(test_device, FLOAT32, TIMING_FULL, &e);
		const int64_t begun = clock_ns();
		int64_t busy_ns, all_ns;
		struct timing t;

		ck_assert_ptr_nonnull(s);
		take_steps(s, steps[i]);
		ck_ok(seq_finish(s), &e);
		all_ns = clock_ns() - begun;
		seq_timing(s, &t);
		seq_free(s);
		busy_ns = t.host_ns + (t.n_kernels == 0 ? 0 :
		                       (int64_t)t.kernel[0].total_ns);
		ck_assert_msg(t.compute_ns >= busy_ns && t.compute_ns <= all_ns,
		              "%s: %" PRId64 " ns, not from %" PRId64
		              " to %" PRId64, steps[i], t.compute_ns, busy_ns,
		              all_ns);
	}
}
END_TEST

void transpose_host_time(TCase *t)
{
	tcase_add_test(t, computing_on_the_host_counts_once);
}

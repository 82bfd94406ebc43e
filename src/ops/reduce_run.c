/* reduce_run.c - see reduce_run.h. */
#include "ops/reduce_run.h"

/* Could a square have overflowed, or too many have vanished? */
static bool is_doubtful(const struct matrix *norm)
{
	for (size_t i = 0, n = matrix_elements(norm); i < n; i++) {
		double r = matrix_get(norm, i);

		if (!(r >= REDUCE_SAFE && r < HUGE_VAL))
			return true;
	}
	return false;
}

/* Once more, with the elements scaled by the power of two next to the
 * line's norminf: exact, so only the range changes. */
static void run_scaled(struct seq *s, reduce_launch *launch, const void *way,
                       const struct reduction *r,
                       const struct reduction_bufs *b)
{
	struct reduction largest = *r;
	struct reduction_bufs to_peak = *b, with_peak = *b;

	to_peak.out = seq_scratch(s, r->outer * r->inner * sizeof(double));
	largest.op = REDUCE_NORMINF;
	launch(s, way, &largest, &to_peak);
	with_peak.peak = to_peak.out;
	with_peak.scaled = true;
	launch(s, way, r, &with_peak);
}

int reduce_run(struct seq *s, struct args *a, reduce_launch *launch,
               const void *way)
{
	struct reduction r = reduction_of(a);
	struct reduction_bufs b = { 0 };

	if (r.out->ndim == MATRIX_ABSENT || r.outer * r.inner == 0)
		return seq_finish(s);
	b.x = seq_input(s, &a->in[0]);
	b.out = b.peak = seq_output(s, r.out);
	launch(s, way, &r, &b);
	if (r.op != REDUCE_NORM2 || a->dtype != FLOAT64)
		return seq_finish(s);
	if (seq_finish(s) < 0)
		return -1;
	if (is_doubtful(r.out))
		run_scaled(s, launch, way, &r, &b);
	return seq_finish(s);
}

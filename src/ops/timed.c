/* timed.c - see timed.h. */
#include "base/clock.h"
#include "device/seq.h"
#include "ops/execute.h"
#include "ops/timed.h"

/* One timed run. cold: it compiled a kernel. */
struct try { int64_t ns; bool cold; };

static int try_kernels(struct device *d, struct args *a, struct try *t,
                       struct err *e)
{
	const enum quality wanted = a->quality;
	struct seq *s = seq_new(d, a->dtype, TIMING_SUMMARY, e);
	struct timing times;
	int rc;

	if (!s)
		return -1;
	a->quality = QUALITY_NONE;
	a->failures = 0;
	rc = a->variant->run(s, a);
	a->quality = wanted;
	seq_timing(s, &times);
	seq_free(s);
	*t = (struct try){ times.compute_ns, times.compile_ns > 0 };
	return rc;
}

static int try_request(struct device *d, struct args *a, struct try *t,
                       struct err *e)
{
	const int64_t begun = clock_ns();
	struct seq *s = seq_new(d, a->dtype, TIMING_FULL, e);
	struct timing times;
	int rc;

	if (!s)
		return -1;
	a->failures = 0;
	rc = op_execute(s, a);
	seq_timing(s, &times);
	seq_free(s);
	*t = (struct try){ clock_ns() - begun, times.compile_ns > 0 };
	return rc;
}

typedef int try_fn(struct device *d, struct args *a, struct try *t,
                   struct err *e);

/* Runs until a run compiles nothing, and returns that run's time in ns; -1 on
 * failure. */
static int64_t warm(struct device *d, struct args *a, try_fn *once,
                    struct err *e)
{
	enum { MOST = 8 };
	struct try t = { .cold = true };

	for (int i = 0; i < MOST && t.cold; i++)
		if (once(d, a, &t, e) < 0)
			return -1;
	return t.ns;
}

/* Returns the time of the shortest of so many runs, in ns, or -1 on failure. A
 * run longer than TIMED_LONG_NS is the last one. */
static int64_t shortest(struct device *d, struct args *a, int times,
                        try_fn *once, struct err *e)
{
	int64_t best = warm(d, a, once, e);

	if (best < 0 || best > TIMED_LONG_NS)
		return best;
	for (int i = 0; i < times || i < 1; i++) {
		struct try t;

		if (once(d, a, &t, e) < 0)
			return -1;
		if (i == 0 || t.ns < best)
			best = t.ns;
		if (t.ns > TIMED_LONG_NS)
			break;
	}
	return best;
}

int timed_kernels_once(struct device *d, struct args *a, int64_t *ns,
                    struct err *e)
{
	struct try t;
	const int rc = try_kernels(d, a, &t, e);

	*ns = rc == 0 ? t.ns : -1;
	return rc;
}

int64_t timed_kernels(struct device *d, struct args *a, int times,
                   struct err *e)
{
	return shortest(d, a, times, try_kernels, e);
}

int64_t timed_request(struct device *d, struct args *a, int times,
                      struct err *e)
{
	return shortest(d, a, times, try_request, e);
}

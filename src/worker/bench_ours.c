/* bench_ours.c - see bench_ours.h. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/host.h"
#include "base/size.h"
#include "device/seq.h"
#include "ops/execute.h"
#include "worker/bench_ours.h"
#include "worker/bench_wire.h"
#include "worker/tune.h"

static int set_params(struct args *a, const struct bench_row *row,
                      struct err *e)
{
	for (const char *const *p = row->params; *p; p += 2)
		if (args_set(a, op_param(a->op, p[0]), p[1], e) < 0)
			return -1;
	return 0;
}

const struct variant *bench_choose(const struct args *a,
                                   const struct sheet *s, struct err *e)
{
	static struct tuning t;
	static bool recalled;
	const char *cache = getenv("LINALGD_CACHE");
	char path[HOST_PATH];

	if (!recalled)
		tune_recall(&t, s, cache ? cache : host_default_cache(path));
	recalled = true;
	return tuning_choose(&t, a, s, e);
}

/* Marks the operands as stored matrices, whose copies a device with memory of
 * its own keeps between calls. */
static void store_operands(struct args *a)
{
	static uint64_t names;

	for (int i = 0; i < OP_INPUTS; i++)
		if (a->in[i].memory)
			a->in[i].memory->stored = ++names;
}

int bench_prepare(struct args *a, const struct bench_row *row,
                  const size_t dim[3], enum dtype dtype,
                  const struct sheet *s, struct memory_pool *pool,
                  struct err *e)
{
	args_init(a, op_find(row->op));
	if ((row->make ? row->make(a, dim, dtype, pool, e) :
	                 bench_make_random(a, row, dim, dtype, pool, e)) < 0)
		return -1;
	if (set_params(a, row, e) < 0 || args_settle_dtype(a, -1, e) < 0 ||
	    args_check(a, e) < 0 || args_alloc(a, pool, e) < 0)
		return -1;
	store_operands(a);
	a->variant = bench_choose(a, s, e);
	return a->variant ? 0 : -1;
}

/* One run: how long it took, and whether it compiled a kernel. */
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

/* Tries until nothing was compiled: the first that counts; -1 on failure. */
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
 * run longer than PEER_LONG_NS is the last: start-up costs hardly change it. */
static int64_t shortest(struct device *d, struct args *a, int times,
                        try_fn *once, struct err *e)
{
	int64_t best = warm(d, a, once, e);

	if (best < 0 || best > PEER_LONG_NS)
		return best;
	for (int i = 0; i < times || i < 1; i++) {
		struct try t;

		if (once(d, a, &t, e) < 0)
			return -1;
		if (i == 0 || t.ns < best)
			best = t.ns;
		if (t.ns > PEER_LONG_NS)
			break;
	}
	return best;
}

int bench_call_once(struct device *d, struct args *a, int64_t *ns,
                    struct err *e)
{
	struct try t;
	const int rc = try_kernels(d, a, &t, e);

	*ns = rc == 0 ? t.ns : -1;
	return rc;
}

int64_t bench_call(struct device *d, struct args *a, int times,
                   struct err *e)
{
	return shortest(d, a, times, try_kernels, e);
}

int64_t bench_request(struct device *d, struct args *a, int times,
                      struct err *e)
{
	return shortest(d, a, times, try_request, e);
}

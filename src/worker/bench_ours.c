/* bench_ours.c - see bench_ours.h. */
#include <stdlib.h>

#include "base/host.h"
#include "base/size.h"
#include "device/seq.h"
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

int bench_prepare(struct args *a, const struct bench_row *row,
                  const size_t dim[3], enum dtype dtype,
                  const struct sheet *s, struct memory_pool *pool,
                  struct err *e)
{
	args_init(a, op_find(row->op));
	a->quality = QUALITY_NONE;
	if ((row->make ? row->make(a, dim, dtype, pool, e) :
	                 bench_make_random(a, row, dim, dtype, pool, e)) < 0)
		return -1;
	if (set_params(a, row, e) < 0 || args_settle_dtype(a, -1, e) < 0 ||
	    args_check(a, e) < 0 || args_alloc(a, pool, e) < 0)
		return -1;
	a->variant = bench_choose(a, s, e);
	return a->variant ? 0 : -1;
}

int bench_call_once(struct device *d, struct args *a, int64_t *ns,
                    struct err *e)
{
	struct seq *s = seq_new(d, a->dtype, TIMING_SUMMARY, e);
	struct timing t;
	int rc;

	if (!s)
		return -1;
	rc = a->variant->run(s, a);
	if (rc == 0)
		seq_timing(s, &t);
	seq_free(s);
	*ns = rc == 0 ? t.compute_ns : -1;
	return rc;
}

/* A call that takes long is not repeated: nothing of it is a start. */
int64_t bench_call(struct device *d, struct args *a, int times,
                   struct err *e)
{
	int64_t best = INT64_MAX;

	for (int i = 0; i <= times || i < 2; i++) {
		int64_t ns;

		if (bench_call_once(d, a, &ns, e) < 0)
			return -1;
		if ((i > 0 || ns > PEER_LONG_NS) && ns < best)
			best = ns;
		if (ns > PEER_LONG_NS)
			break;
	}
	return best;
}

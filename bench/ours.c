/* ours.c - see ours.h. */
#include <stdlib.h>

#include "base/host.h"
#include "base/size.h"
#include "bench/ours.h"
#include "ops/tuning.h"
#include "ops/variant.h"

static int set_params(struct args *a, const struct bench_row *row,
                      struct err *e)
{
	for (const char *const *p = row->params; *p; p += 2)
		if (args_set(a, op_param(a->op, p[0]), p[1], e) < 0)
			return -1;
	return 0;
}

static void name_outputs(struct args *a, const struct bench_row *row)
{
	a->want = 0;
	for (int i = 0; row->results[i]; i++)
		a->want |= 1u << op_output(a->op, row->results[i]);
}

const struct variant *bench_choose(const struct args *a,
                                   const struct sheet *s, struct err *e)
{
	static struct tuning t;
	static bool recalled;
	const char *cache = getenv("LINALGD_CACHE");
	char path[HOST_PATH];

	if (!recalled)
		tuning_recall(&t, s, cache ? cache : host_default_cache(path));
	recalled = true;
	return variant_for(a, &t, s, e);
}

/* Marks the operands as stored matrices, of which a device with memory of its
 * own keeps copies between calls. */
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
	if (row->named)
		name_outputs(a, row);
	if ((row->make ? row->make : bench_make_dense)(a, row, dim, dtype,
	                                                pool, e) < 0)
		return -1;
	if (set_params(a, row, e) < 0 || args_settle_dtype(a, -1, e) < 0 ||
	    args_prepare(a, pool, e) < 0)
		return -1;
	store_operands(a);
	a->variant = bench_choose(a, s, e);
	return a->variant ? 0 : -1;
}

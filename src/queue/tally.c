/* tally.c - see tally.h. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "queue/tally.h"

/* The names of all kernels that are built in, in the order of strcmp(). */
static const char *const kernels[] = {
#include "kernel_names.inc"
};

enum { OTHERS = COUNT(kernels) };

/* A worker's numbers are ignored unless they are less than this, which is 13
 * days in nanoseconds: a broken worker must not make a counter overflow. */
static const uint64_t most = UINT64_C(1) << 50;

#define US UINT64_C(1000)
#define MS (1000 * US)
#define S (1000 * MS)

/* The bounds' texts are what Prometheus makes of them, whatever the format. */
const struct histogram_bound tally_stage_bounds[] = {
	{ 10 * US, "1e-05" }, { 50 * US, "5e-05" }, { 100 * US, "0.0001" },
	{ 500 * US, "0.0005" }, { MS, "0.001" }, { 5 * MS, "0.005" },
	{ 10 * MS, "0.01" }, { 25 * MS, "0.025" }, { 50 * MS, "0.05" },
	{ 100 * MS, "0.1" }, { 250 * MS, "0.25" }, { 500 * MS, "0.5" },
	{ S, "1.0" }, { 2500 * MS, "2.5" }, { 5 * S, "5.0" },
	{ 10 * S, "10.0" }, { 60 * S, "60.0" }, { 600 * S, "600.0" },
	{ UINT64_MAX, "+Inf" },
};

const struct histogram_bound tally_kernel_bounds[] = {
	{ US, "1e-06" }, { 5 * US, "5e-06" }, { 25 * US, "2.5e-05" },
	{ 100 * US, "0.0001" }, { 500 * US, "0.0005" },
	{ 2500 * US, "0.0025" }, { 10 * MS, "0.01" }, { 50 * MS, "0.05" },
	{ 250 * MS, "0.25" }, { S, "1.0" }, { 5 * S, "5.0" },
	{ 25 * S, "25.0" }, { UINT64_MAX, "+Inf" },
};

_Static_assert(COUNT(tally_stage_bounds) <= HISTOGRAM_BUCKETS &&
               COUNT(tally_kernel_bounds) <= HISTOGRAM_BUCKETS,
               "a histogram has too few buckets");

int tally_init(struct tally *t, struct err *e)
{
	t->kernel = calloc((size_t)tally_kernel_count() * SHEETS,
	                   sizeof *t->kernel);
	return t->kernel ? 0 : err_set(e, ERR_MEMORY, "no memory to count "
	                               "what kernels do");
}

void tally_fini(struct tally *t)
{
	free(t->kernel);
	t->kernel = NULL;
}

static enum err_code outcome(const struct job *j)
{
	return j->state == JOB_DISMISSED ? ERR_DISMISSED : j->err.code;
}

void tally_job(struct tally *t, const struct job *j)
{
	const int place = j->device >= 0 ? j->device : TALLY_NOWHERE;
	int op = 0;

	while (op < OPS && ops[op] != j->args.op)
		op++;
	t->jobs[op][place][outcome(j)]++;
	for (enum stage s = 0; s < STAGE_COUNT; s++) {
		const int64_t ns = stage_ns(s, j);

		if (ns > 0 && (uint64_t)ns < most)
			histogram_add(&t->stage[op][s], tally_stage_bounds,
			              (uint64_t)ns, 1);
	}
}

static int by_name(const void *name, const void *row)
{
	return strcmp(name, *(const char *const *)row);
}

static int kernel_find(const char *name)
{
	const char *const *row = bsearch(name, kernels, OTHERS,
	                                 sizeof kernels[0], by_name);

	return row ? (int)(row - kernels) : OTHERS;
}

/* Adds the launches of one kernel in one call. The sum grows by their exact
 * total, although their mean is rounded. */
static void add_launches(struct histogram *h, const struct kernel_time *k)
{
	const uint64_t apart = k->calls < 2 ? 0 : k->min_ns + k->max_ns;
	const uint64_t left = k->calls < 2 ? k->calls : k->calls - 2;
	const uint64_t sum_ns = h->sum_ns + k->total_ns;

	if (k->calls >= 2) {
		histogram_add(h, tally_kernel_bounds, k->min_ns, 1);
		histogram_add(h, tally_kernel_bounds, k->max_ns, 1);
	}
	if (left)
		histogram_add(h, tally_kernel_bounds, k->total_ns > apart ?
		              (k->total_ns - apart) / left : 0, left);
	h->sum_ns = sum_ns;
}

void tally_kernels(struct tally *t, int device, const struct timing *times)
{
	for (int i = 0; i < times->n_kernels; i++) {
		const struct kernel_time *k = &times->kernel[i];
		const int row = kernel_find(k->name);

		if (k->calls < most && k->total_ns < most &&
		    k->min_ns < most && k->max_ns < most)
			add_launches(&t->kernel[row * SHEETS + device], k);
	}
}

const char *tally_op_name(int i)
{
	return i < OPS ? ops[i]->name : "pipeline";
}

int tally_kernel_count(void)
{
	return OTHERS + 1;
}

const char *tally_kernel_name(int k)
{
	return k < OTHERS ? kernels[k] : "others";
}

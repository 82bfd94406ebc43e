/* warm.c - loads the programs that are in the cache; then every operation once
 * at sizes on both sides of where `auto` changes its way, so that a client's
 * first call finds its kernels compiled. Small sizes of all operations come
 * before the large ones. */
#include "base/size.h"
#include "worker/serve.h"

static const size_t sizes[] = { 1, 40, 41, 200, 600, 1100 };

/* The last is of operands that go through pinned memory (device/staging.c),
 * which is made then: not where they are not copied at all. */
static int count_sizes(const struct worker *w)
{
	return COUNT(sizes) - (w->sheet.unified_memory ? 1 : 0);
}

/* What is tiny once may be one of a long stack the next time. */
static void warm_threads(struct worker *w, struct args *a)
{
	struct done d = { 0 };

	a->variant = NULL;
	worker_run(w, w->device, a, TIMING_SUMMARY, &d);
}

static int prepare(struct worker *w, struct args *a, const struct op *o,
                   enum dtype t, size_t n)
{
	struct err e = { 0 };

	args_init(a, o);
	a->dtype = t;
	if (o->sample(a, n, w->pool, &e) || args_check(a, &e))
		return -1;
	return args_alloc(a, w->pool, &e);
}

/* Several at once. */
static void warm_batch(struct worker *w, const struct op *o, enum dtype t,
                       size_t n)
{
	struct call c[2] = { 0 };
	struct timing times;
	int rc = 0;

	for (int i = 0; i < 2; i++)
		rc |= prepare(w, &c[i].args, o, t, n);
	if (rc == 0)
		worker_launch(w, c, 2, &times);
	for (int i = 0; i < 2; i++)
		args_fini(&c[i].args);
}

static void warm(struct worker *w, const struct op *o, enum dtype t, size_t n)
{
	struct done d = { 0 };
	struct args a;
	bool tiny;

	if (prepare(w, &a, o, t, n) == 0) {
		tiny = args_is_tiny(&a);
		worker_run(w, worker_device(w, &a), &a, TIMING_SUMMARY, &d);
		if (tiny && w->direct)
			warm_threads(w, &a);
		if (tiny && o->run_batch)
			warm_batch(w, o, t, n);
	}
	args_fini(&a);
}

static bool possible(const struct worker *w, const struct op *o, int t)
{
	if (t == FLOAT64 && !device_sheet(w->device)->float64)
		return false;
	return o->dtypes & DTYPE_BIT(t);
}

bool warm_next(struct worker *w, struct warmth *at)
{
	if (device_load_next(w->device))
		return true;
	for (; at->size < count_sizes(w); at->size++, at->op = 0)
		for (; ops[at->op]; at->op++, at->dtype = 0)
			while (at->dtype < DTYPE_COUNT) {
				const struct op *o = ops[at->op];
				int t = at->dtype++;

				if (!possible(w, o, t))
					continue;
				warm(w, o, (enum dtype)t, sizes[at->size]);
				return true;
			}
	return false;
}

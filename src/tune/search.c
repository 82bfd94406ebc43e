/* search.c - see tune.h. */
#include <stdio.h>

#include "base/clock.h"
#include "base/size.h"
#include "check/run.h"
#include "ops/timed.h"
#include "ops/variant.h"
#include "tune/tune.h"

enum { MOST = 16, TIMES = 5, FAR_BEHIND = 4, FIRST_SIZE = 4 };

/* A variant replaces the usual choice only if it is faster by this ratio, and
 * by more than the clock's jitter. */
#define GAIN 1.03
static const int64_t unrest_ns = 2000;

/* A variant that competes for an operation and type. */
struct rival {
	const struct variant *variant;
	int64_t ns;			/* at this size; -1: not run */
	bool out;			/* far behind, or gives wrong results */
	bool checked;
};

struct contest {
	struct tuner *tuner;
	const struct op *op;
	enum dtype dtype;
	struct rival rival[MOST];
	int n;
};

static void enter(struct contest *c)
{
	const struct sheet *s = device_sheet(c->tuner->device);

	for (const struct variant *v = c->op->variants; v->name; v++)
		if (variant_contends(v, c->dtype, s) && c->n < MOST)
			c->rival[c->n++] = (struct rival){ .variant = v };
}

/* Does the variant pass `linalgd check --quick`? */
static bool is_right(struct contest *c, struct rival *r)
{
	struct checker k = {
		.device = c->tuner->device, .pool = c->tuner->pool,
		.op = c->op->name, .variant = r->variant->name,
		.dtypes = DTYPE_BIT(c->dtype), .quick = true, .quiet = true,
	};

	if (r->checked)
		return true;
	check_run(&k);
	r->checked = k.failed == 0 && k.passed > 0;
	return r->checked;
}

static int64_t time_of(struct contest *c, struct args *a,
                       const struct rival *r)
{
	struct err e = { 0 };

	a->variant = r->variant;
	return timed_kernels(c->tuner->device, a, TIMES, &e);
}

/* Returns the fastest variant that passes its checks, or NULL if no variant was
 * run. */
static struct rival *winner(struct contest *c)
{
	struct rival *best = NULL;

	for (int i = 0; i < c->n; i++) {
		struct rival *r = &c->rival[i];

		if (!r->out && r->ns >= 0 && (!best || r->ns < best->ns))
			best = r;
	}
	if (!best || is_right(c, best))
		return best;
	best->out = true;
	return winner(c);
}

static bool is_over(const struct tuner *t)
{
	return clock_ns() - device_compile_ns(t->device) > t->until_ns ||
	       device_lost(t->device);
}

/* Runs all variants that still compete. Returns false if the time ran out
 * before all had run. */
static bool run_all(struct contest *c, struct args *a)
{
	for (int i = 0; i < c->n; i++) {
		struct rival *r = &c->rival[i];

		if (is_over(c->tuner))
			return false;
		r->ns = r->out ? -1 : time_of(c, a, r);
	}
	return true;
}

static void settle(struct contest *c, struct args *a, size_t size)
{
	const struct sheet *s = device_sheet(c->tuner->device);
	struct tuning *t = &c->tuner->found;
	struct rival *best = winner(c), *usual = NULL;
	const struct variant *v;
	struct err e = { 0 };

	if (!best)
		return;
	a->variant = NULL;
	v = variant_for(a, t, s, &e);
	printf("%-10s %-8s %6zu ", c->op->name, dtype_name(c->dtype), size);
	for (int i = 0; i < c->n; i++) {
		struct rival *r = &c->rival[i];

		usual = r->variant == v ? r : usual;
		if (r->ns < 0)
			continue;
		printf(" %s%s %.4f", r->variant->name, r == best ? "*" : "",
		       (double)r->ns / 1e6);
		r->out |= r->ns > FAR_BEHIND * best->ns;
	}
	puts("");
	if (usual && usual->ns >= 0 && (usual->ns - best->ns < unrest_ns ||
	    (double)usual->ns <= GAIN * (double)best->ns))
		return;
	tuning_set(t, a, best->variant);
}

static int left(const struct contest *c)
{
	int n = 0;

	for (int i = 0; i < c->n; i++)
		n += !c->rival[i].out;
	return n;
}

static void hold(struct tuner *t, const struct op *o, enum dtype d)
{
	struct contest c = { .tuner = t, .op = o, .dtype = d };

	enter(&c);
	for (size_t n = (size_t)1 << FIRST_SIZE; n <= t->largest && left(&c) >
	     1 && !is_over(t); n *= 2) {
		struct err e = { 0 };
		struct args a;

		args_init(&a, o);
		a.dtype = d;
		a.quality = QUALITY_NONE;
		if (o->sample(&a, n, t->pool, &e) == 0 &&
		    args_prepare(&a, t->pool, &e) == 0 && run_all(&c, &a))
			settle(&c, &a, n);
		args_fini(&a);
	}
}

void tune_search(struct tuner *t)
{
	printf("%-10s %-8s %6s  variants, ms\n", "operation", "dtype", "size");
	for (int i = 0; ops[i]; i++)
		for (int d = 0; d < DTYPE_COUNT; d++)
			if ((op_usual_dtypes(ops[i]) & DTYPE_BIT(d)) &&
			    op_runs(ops[i], (enum dtype)d,
			            device_sheet(t->device)))
				hold(t, ops[i], (enum dtype)d);
}

/* warm.c - warms kernels: runs every operation at sizes on both sides of those
 * where `auto` changes its variant, one step each, so that a client's first
 * call finds its kernels compiled. Small sizes of all operations come before
 * large ones.
 *
 * Where machine code is made at launch, another process does each step first
 * and notes it (compiler.c); the worker then needs only milliseconds for it. */
#include <stdio.h>

#include "base/size.h"
#include "ops/variant.h"
#include "worker/serve.h"

static const size_t sizes[] = { 1, 40, 41, 200, 600, 1100 };

_Static_assert(WARM_STEPS == COUNT(sizes) * OPS * DTYPE_COUNT,
               "every operation, type and size is a step");

/* The last size is for operands that go through pinned memory
 * (device/staging.c), which this allocates; a device that shares the host's
 * memory leaves it out. */
static int count_sizes(const struct worker *w)
{
	return COUNT(sizes) - (w->sheet.unified_memory ? 1 : 0);
}

static int size_of(int step)
{
	return step / (OPS * DTYPE_COUNT);
}

static const struct op *op_of(int step)
{
	return ops[step / DTYPE_COUNT % OPS];
}

static enum dtype dtype_of(int step)
{
	return (enum dtype)(step % DTYPE_COUNT);
}

/* Warms the device with threads as well, where long stacks of such matrices
 * run. */
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
	return o->sample(a, n, w->pool, &e) < 0 ? -1 :
	       args_prepare(a, w->pool, &e);
}

/* Warms the kernels for several calls in one launch. */
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
		if (tiny && op_has_batches(o))
			warm_batch(w, o, t, n);
	}
	args_fini(&a);
}

bool warm_is_step(const struct worker *w, int step)
{
	return size_of(step) < count_sizes(w) &&
	       op_usual_dtypes(op_of(step)) & DTYPE_BIT(dtype_of(step)) &&
	       !dtype_is_complex(dtype_of(step)) &&
	       op_runs(op_of(step), dtype_of(step), &w->sheet);
}

uint64_t warm_key(const struct worker *w, int step)
{
	char name[64];

	snprintf(name, sizeof name, "warm %s %s %zu", op_of(step)->name,
	         dtype_name(dtype_of(step)), sizes[size_of(step)]);
	return device_key(w->device, name);
}

void warm_step(struct worker *w, int step)
{
	warm(w, op_of(step), dtype_of(step), sizes[size_of(step)]);
}

/* Returns whether the step needs no compilation. */
static bool is_compiled(const struct worker *w, int step)
{
	if (w->compilers.cache && device_compiles_at_launch(w->device))
		return device_noted(w->device, warm_key(w, step));
	return !compilers_foresee(&w->compilers);
}

bool warm_next(struct worker *w, struct warmth *at)
{
	if (!w->ahead)
		return false;
	if (device_load_next(w->device))
		return true;
	for (int i = 0; i < WARM_STEPS; i++) {
		if (at->done[i] || !warm_is_step(w, i) || !is_compiled(w, i))
			continue;
		at->done[i] = true;
		warm_step(w, i);
		return true;
	}
	return false;
}

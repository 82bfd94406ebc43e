/* small_main.c - runs every operation, variant and dtype once at a few small
 * sizes, for a checker of kernels (Oclgrind), which is a thousand times slower
 * than a device. Other tests judge the results; this one only requires that
 * each call succeeds. Arguments, if there are any, name the operations to
 * run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "device/device.h"
#include "device/seq.h"
#include "ops/execute.h"
#include "ops/variant.h"

static const size_t sizes[] = { 1, 5, 18, 37, 70 };

static int run(struct device *d, struct args *a, struct err *e)
{
	struct seq *s = seq_new(d, a->dtype, TIMING_FULL, e);
	int rc;

	if (!s)
		return -1;
	rc = op_execute(s, a);
	seq_free(s);
	return rc;
}

static int call(struct device *d, struct memory_pool *p,
                const struct variant *v, const struct op *o, enum dtype t,
                size_t n, struct err *e)
{
	struct args a;
	int rc;

	args_init(&a, o);
	a.dtype = t;
	a.variant = v;
	a.want = ~0u;
	rc = o->sample(&a, n, p, e);
	for (int i = 0; rc == 0 && o->inputs[i].name; i++)
		if (a.in[i].ndim != MATRIX_ABSENT)
			rc = matrix_convert(&a.in[i],
			                    args_operand_dtype(&a, i), p, e);
	if (rc == 0)
		rc = args_check(&a, e);
	if (rc == 0)
		rc = args_alloc(&a, p, e);
	if (rc == 0)
		rc = run(d, &a, e);
	args_fini(&a);
	return rc;
}

/* Runs a variant for one dtype at all sizes. Returns 0, or 1 after it has
 * printed the first failure. */
static int try_variant(struct device *d, struct memory_pool *p,
                       const struct op *o, const struct variant *v,
                       enum dtype t)
{
	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct err e = { 0 };

		if (call(d, p, v, o, t, sizes[i], &e) == 0)
			continue;
		printf("%s %s %s, n = %zu: %s\n", o->name, v->name,
		       dtype_name(t), sizes[i], e.text);
		return 1;
	}
	return 0;
}

/* Variants whose work-groups pass results to later work-groups by atomic
 * counters, which Oclgrind reports as data races. */
static const struct { const char *op, *variant; } handing_on[] = {
	{ "cholesky", "dataflow" },
};

static bool hands_on(const struct op *o, const struct variant *v)
{
	bool found = false;

	for (size_t i = 0; i < COUNT(handing_on); i++)
		found |= strcmp(handing_on[i].op, o->name) == 0 &&
		         strcmp(handing_on[i].variant, v->name) == 0;
	return found;
}

static bool is_named(const struct op *o, int count, char *const *names)
{
	bool found = count == 0;

	for (int i = 0; i < count; i++)
		found |= strcmp(names[i], o->name) == 0;
	return found;
}

int main(int argc, char **argv)
{
	struct err e = { 0 };
	struct memory_pool *p = memory_pool_new((size_t)1 << 30, &e);
	struct device *d = p ? device_open(0, NULL, &e) : NULL;
	int passed = 0, failed = 0;

	if (!d) {
		fprintf(stderr, "%s\n", e.text);
		return 1;
	}
	printf("device: %s\n", device_sheet(d)->name);
	for (const struct op *const *o = ops; *o; o++)
		for (const struct variant *v = (*o)->variants; v->name; v++)
			for (int t = 0; t < DTYPE_COUNT; t++) {
				if (!is_named(*o, argc - 1, argv + 1) ||
				    hands_on(*o, v) ||
				    !variant_runs(v, (enum dtype)t,
				                  device_sheet(d)))
					continue;
				if (try_variant(d, p, *o, v, (enum dtype)t))
					failed++;
				else
					passed++;
			}
	device_close(d);
	memory_pool_free(p);
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}

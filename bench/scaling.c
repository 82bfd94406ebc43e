/* scaling.c - see scaling.h. Measures an operation on its sample operands, n x
 * n for most, with n doubling. The exponent between neighbouring sizes is
 * log2(t(2n) / t(n)), which is 2 or 3 where the time grows as n^2 or n^3. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/ours.h"
#include "bench/outcome.h"
#include "bench/print.h"
#include "bench/scaling.h"
#include "ops/timed.h"

enum { LEAST = 64, MOST = 8192, CALLS = 5, MOST_GROWTH = 8 };

static const struct service_row connection_rows[] = {
	{ "matmul", OCTETS, 64, MEASURE_LOAD, 1, 1, 0 },
	{ "matmul", OCTETS, 64, MEASURE_LOAD, 4, 1, 0 },
	{ "matmul", OCTETS, 64, MEASURE_LOAD, 16, 1, 0 },
	{ "matmul", OCTETS, 64, MEASURE_LOAD, 64, 1, 0 },
	{ "matmul", OCTETS, 64, MEASURE_LOAD, 250, 1, 0 },
	{ "matmul", OCTETS, 64, MEASURE_LOAD, 1000, 1, 0 },
	{ 0 }
};

static const size_t queued_sizes[] = { 4, 64, 0 };
static const size_t pipeline_sizes[] = { 64, 256, 1024, 0 };

/* One operation at one size. */
struct point {
	const struct op *op;
	enum dtype dtype;
	size_t n;
	double ms, kernels_ms, gflops, gbytes_per_s, exponent, floor_ms;
};

static int prepare(struct args *a, const struct point *p,
                   const struct bench_service *b, const struct sheet *s,
                   struct err *e)
{
	args_init(a, p->op);
	a->dtype = p->dtype;
	if (p->op->sample(a, p->n, b->pool, e) < 0 ||
	    args_prepare(a, b->pool, e) < 0)
		return -1;
	a->variant = bench_choose(a, s, e);
	return a->variant ? 0 : -1;
}

static int measure(struct point *p, const struct bench_service *b,
                   struct device *d, struct err *e)
{
	struct args a;
	int rc = prepare(&a, p, b, device_sheet(d), e);
	const int64_t ns = rc == 0 ? timed_request(d, &a, CALLS, e) : -1;
	const int64_t kernels = ns > 0 ? timed_kernels(d, &a, CALLS, e) : -1;

	if (kernels > 0) {
		const double flops = a.op->flops(&a), bytes = a.op->bytes(&a);

		p->ms = (double)ns * 1e-6;
		p->kernels_ms = (double)kernels * 1e-6;
		p->gflops = flops / (double)ns;
		p->gbytes_per_s = bytes / (double)ns;
		p->floor_ms = (double)bench_floor(d, a.dtype, flops, bytes,
		                                  e) * 1e-6;
	}
	args_fini(&a);
	return kernels > 0 ? 0 : -1;
}

static void print_json(const struct point *p, const struct bench_service *b)
{
	bench_print_text("{\"suite\":", b->suite);
	bench_print_text(",\"work\":", p->op->name);
	bench_print_text(",\"dtype\":", dtype_name(p->dtype));
	printf(",\"shape\":\"%zux%zu\"", p->n, p->n);
	bench_print_text(",\"device\":", b->device);
	bench_print_number("ours_ms", p->ms);
	bench_print_number("kernels_ms", p->kernels_ms);
	bench_print_number("gflops", p->gflops);
	bench_print_number("gbytes_per_s", p->gbytes_per_s);
	bench_print_number("exponent", p->exponent);
	bench_print_number("floor_ms", p->floor_ms);
	printf("}\n");
}

static void print_line(const struct point *p)
{
	printf("%-10s %-8s %6zu %12.4f %12.4f %9.2f %9.2f", p->op->name,
	       dtype_name(p->dtype), p->n, p->ms, p->kernels_ms, p->gflops,
	       p->gbytes_per_s);
	bench_print_cell(p->exponent, 2, 8);
	bench_print_cell(p->floor_ms, 4, 12);
	putchar('\n');
}

static void print(const struct point *p, const struct bench_service *b)
{
	if (b->json)
		print_json(p, b);
	else
		print_line(p);
	fflush(stdout);
}

static void run_operation(const struct op *op, enum dtype dtype,
                          const struct bench_service *b, struct device *d,
                          double cell_ms)
{
	double before = NAN;
	char what[80];

	for (size_t n = LEAST; n <= MOST && !outcome_unread(); n *= 2) {
		struct point p = { .op = op, .dtype = dtype, .n = n };
		struct err e = { 0 };

		if (before * MOST_GROWTH > cell_ms)
			return;
		if (measure(&p, b, d, &e) < 0) {
			snprintf(what, sizeof what, "%s %s %zu", op->name,
			         dtype_name(dtype), n);
			outcome_failed(what, &e);
			return;
		}
		p.exponent = log2(p.ms / before);
		print(&p, b);
		before = p.ms;
	}
}

static bool is_wanted(const struct bench_service *b, const char *name)
{
	return !b->work || strcmp(b->work, name) == 0;
}

static bool run_operations(const struct bench_service *b, struct device *d,
                           int64_t cell_ns)
{
	static const enum dtype dtypes[] = { FLOAT32, FLOAT64 };
	bool any = false;

	for (const struct op *const *op = ops; *op; op++) {
		if (!is_wanted(b, (*op)->name))
			continue;
		if (!any && !b->json)
			printf("device: %s\n\n%-10s %-8s %6s %12s %12s %9s %9s "
			       "%8s %12s\n", b->device, "work", "dtype", "n",
			       "ms", "kernels ms", "GFLOP/s", "GB/s",
			       "exponent", "floor ms");
		any = true;
		for (size_t t = 0; t < sizeof dtypes / sizeof *dtypes; t++)
			run_operation(*op, dtypes[t], b, d,
			              (double)cell_ns * 1e-6);
	}
	return any;
}

static void run_queue(const struct bench_service *b)
{
	for (const size_t *n = queued_sizes; *n && !outcome_unread(); n++) {
		struct err e = { 0 };

		if (bench_scaling_queue(b, *n, &e) < 0)
			outcome_failed("", &e);
	}
}

static void run_pipelines(const struct bench_service *b)
{
	for (const size_t *n = pipeline_sizes; *n && !outcome_unread(); n++) {
		struct err e = { 0 };

		if (bench_scaling_pipeline(b, *n, &e) < 0)
			outcome_failed("", &e);
	}
}

int bench_scaling_run(const struct bench_service *b, struct device *d,
                      int64_t cell_ns, struct err *e)
{
	struct bench_service load = *b;
	bool any = run_operations(b, d, cell_ns);

	if (is_wanted(b, "queue")) {
		run_queue(b);
		any = true;
	}
	if (is_wanted(b, "pipeline")) {
		run_pipelines(b);
		any = true;
	}
	load.work = NULL;
	if (is_wanted(b, "connections"))
		return bench_service_run(&load, connection_rows, e);
	return any ? 0 : err_set(e, ERR_PARAMETER, "bench: no work of this "
	                         "suite is %.60s", b->work);
}

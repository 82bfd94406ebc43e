/* bench.c - linalgd-bench, which `linalgd bench` runs: parses the options and
 * runs the suites that they name. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "base/size.h"
#include "base/usage.h"
#include "bench/devices.h"
#include "bench/outcome.h"
#include "bench/pairs.h"
#include "bench/scaling.h"
#include "bench/seeds.h"
#include "bench/service.h"
#include "command/pick.h"

#define SECOND INT64_C(1000000000)

enum { QUICK_PAIRS = 3, ROUNDS = 3 };

enum suite { SUITE_PEERS, SUITE_SEEDS, SUITE_SERVICE, SUITE_SCALING,
             SUITE_DEVICES };

static const char *const suites[] = {
	[SUITE_PEERS] = "peers", [SUITE_SEEDS] = "seeds",
	[SUITE_SERVICE] = "service", [SUITE_SCALING] = "scaling",
	[SUITE_DEVICES] = "devices", NULL
};

struct options {
	int suite;
	const char *device, *peers, *work, *plot;
	uint64_t pairs, size;
	int64_t cell_ns, window_ns;
	bool quick, json;
};

static const struct option_row option_rows[] = {
	{ .flag = "suite", .type = OPTION_CHOICE, .choices = suites,
	  .offset = offsetof(struct options, suite), .fallback = "peers",
	  .value = "NAME", .help = "what to compare with: peers on this "
	  "machine; seeds, the published figures of the articles that the "
	  "kernels come from; service, a Python service asked the same over "
	  "HTTP; scaling, ours at growing sizes and loads; or devices, the "
	  "service with one, two, four ... of them" },
	{ .flag = "device", .type = OPTION_TEXT, .value = "SEL",
	  .offset = offsetof(struct options, device), .fallback = "auto",
	  .help = "auto, cpu, gpu, an index or part of a name" },
	{ .flag = "work", .type = OPTION_TEXT, .value = "NAME",
	  .offset = offsetof(struct options, work),
	  .help = "only that work, as the first column names it, or that "
	  "table; service and scaling: what begins so; devices: jobs or "
	  "product" },
	{ .flag = "size", .type = OPTION_COUNT, .value = "N",
	  .offset = offsetof(struct options, size), .fallback = "0",
	  .min = 0, .max = 1 << 20, .help = "devices: of the one product; "
	  "0: 32768 on GPUs, else 2048" },
	{ .flag = "pairs", .type = OPTION_COUNT, .value = "N",
	  .offset = offsetof(struct options, pairs), .fallback = "11",
	  .min = 1, .max = MOST_PAIRS, .help = "turns each, at most 101" },
	{ .flag = "peers", .type = OPTION_TEXT, .value = "DIR",
	  .env = "LINALGD_PEERS", .offset = offsetof(struct options, peers),
	  .help = "where the peers are; default: bench/ beside this program" },
	{ .flag = "cell-seconds", .type = OPTION_SECONDS, .value = "S",
	  .offset = offsetof(struct options, cell_ns), .fallback = "2",
	  .min = 0.001, .max = 1e6,
	  .help = "seeds, scaling: for a figure; what takes longer is left "
	  "out at larger sizes" },
	{ .flag = "window", .type = OPTION_SECONDS, .value = "S",
	  .offset = offsetof(struct options, window_ns), .fallback = "2",
	  .min = 1, .max = 3600, .help = "service, scaling, devices: a turn "
	  "under load, in whole seconds; there are three each" },
	{ .flag = "quick", .type = OPTION_FLAG,
	  .offset = offsetof(struct options, quick),
	  .help = "service, scaling, devices: one turn of a second each "
	  "under load, three pairs" },
	{ .flag = "plot", .type = OPTION_TEXT, .value = "DIR",
	  .offset = offsetof(struct options, plot),
	  .help = "seeds: draw each table as an SVG into that directory" },
	{ .flag = "json", .type = OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "an object a line instead of a table" },
	{ 0 }
};

struct bench {
	struct options options;
	char directory[SERVICE_PATH];	/* of the peers */
	struct device *device;
	const char *cache;		/* the device's, or NULL */
	struct memory_pool *pool;
};

static int run_peers(struct bench *b, struct err *e)
{
	const struct bench_pairs pairs = {
		.suite = suites[b->options.suite], .device = b->device,
		.cache = b->cache, .pool = b->pool, .directory = b->directory,
		.work = b->options.work, .pairs = b->options.pairs,
		.json = b->options.json,
	};

	return bench_pairs_run(&pairs, e);
}

static int run_seeds(struct bench *b, struct err *e)
{
	const struct bench_seeds seeds = {
		.device = b->device, .pool = b->pool,
		.work = b->options.work, .plots = b->options.plot,
		.cell_ns = b->options.cell_ns, .json = b->options.json,
	};

	return bench_seeds_run(&seeds, e);
}

static struct bench_service service_of(const struct bench *b)
{
	const struct options *o = &b->options;

	return (struct bench_service){
		.suite = suites[o->suite], .selector = o->device,
		.device = device_sheet(b->device)->name,
		.type = device_sheet(b->device)->type,
		.directory = b->directory, .work = o->work, .pool = b->pool,
		.rounds = o->quick ? 1 : ROUNDS,
		.pairs = o->quick ? QUICK_PAIRS : (int)o->pairs,
		.seconds = o->quick ? 1 : (int)(o->window_ns / SECOND),
		.json = o->json,
	};
}

static int run_service(struct bench *b, struct err *e)
{
	const struct bench_service service = service_of(b);

	return bench_service_run(&service, service.type == DEVICE_GPU ?
	                         service_gpu_rows : service_rows, e);
}

static int run_scaling(struct bench *b, struct err *e)
{
	const struct bench_service service = service_of(b);

	return bench_scaling_run(&service, b->device, b->options.cell_ns, e);
}

static int run_devices(struct bench *b, struct err *e)
{
	const struct bench_service service = service_of(b);
	struct sheet sheets[SHEETS];
	const int n = pick_sheets(b->options.device, sheets, e);

	return n < 0 ? -1 : bench_devices_run(&service, sheets, n,
	                                      b->options.size, e);
}

static int find_directory(struct bench *b, struct err *e)
{
	if (!b->options.peers)
		return host_beside(b->directory, "bench", e);
	snprintf(b->directory, sizeof b->directory, "%s", b->options.peers);
	return 0;
}

static int run_suite(struct bench *b, struct err *e)
{
	static int (*const runs[])(struct bench *b, struct err *e) = {
		[SUITE_PEERS] = run_peers, [SUITE_SEEDS] = run_seeds,
		[SUITE_SERVICE] = run_service, [SUITE_SCALING] = run_scaling,
		[SUITE_DEVICES] = run_devices,
	};

	static char path[HOST_PATH];

	setenv("POCL_AFFINITY", "1", 0);
	if (find_directory(b, e) < 0)
		return -1;
	b->pool = memory_pool_new((size_t)16 << 30, e);
	b->cache = pick_cache(path);
	if (b->pool)
		b->device = pick_device(b->options.device, b->cache, e);
	return b->device ? runs[b->options.suite](b, e) : -1;
}

int main(int argc, char **argv)
{
	struct bench b = { 0 };
	struct err e = { 0 };
	int status;

	/* Writing to a peer or a service that has ended returns an error
	 * instead of ending this program. */
	signal(SIGPIPE, SIG_IGN);
	host_limit_pocl();
	status = usage_read("bench", option_rows, &b.options, argc, argv, NULL);

	if (status != USAGE_GO_ON)
		return usage_end(status);
	status = run_suite(&b, &e) ? usage_fail(&e) : outcome_status();
	device_close(b.device);
	memory_pool_free(b.pool);
	return usage_end(status);
}

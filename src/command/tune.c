/* tune.c - `linalgd tune`: finds which variant is the fastest on a device. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/host.h"
#include "base/usage.h"
#include "command/command.h"
#include "command/pick.h"
#include "tune/tune.h"
#include "worker/compilers.h"

/* The limit for the operands and results of one call. */
static const size_t pool_bytes = (size_t)8 << 30;

struct options {
	const char *device, *cache;
	int64_t box_ns;
	uint64_t largest;
};

static const struct option_row option_rows[] = {
	{ .flag = "device", .type = OPTION_TEXT, .value = "SEL",
	  .offset = offsetof(struct options, device), .fallback = "auto",
	  .help = "the device to tune: auto, cpu, gpu, an index or part of "
	  "a name" },
	{ .flag = "seconds", .type = OPTION_SECONDS, .value = "S",
	  .offset = offsetof(struct options, box_ns), .fallback = "60",
	  .min = 1, .max = 86400, .help = "time limit; operations that are "
	  "not tuned by then keep their shipped variants" },
	{ .flag = "largest", .type = OPTION_COUNT, .value = "N",
	  .offset = offsetof(struct options, largest), .fallback = "4096",
	  .min = 1, .max = 32768, .help = "rows of the largest matrices "
	  "that are measured; larger ones get the same variants" },
	{ .flag = "cache", .env = "LINALGD_CACHE", .type = OPTION_TEXT,
	  .offset = offsetof(struct options, cache), .value = "DIR",
	  .help = "directory for the table; by default "
	  "$XDG_CACHE_HOME/linalgd" },
	{ 0 }
};

static int tune(const struct options *o, const char *cache, struct err *e)
{
	struct tuner t = { .largest = o->largest };
	struct compilers c = { .cache = cache };
	int rc = -1;

	t.pool = memory_pool_new(pool_bytes, e);
	t.device = t.pool ? pick_device(o->device, cache, e) : NULL;
	if (t.device) {
		const struct sheet *s = device_sheet(t.device);

		printf("device: %s, %s\n\n", s->name, s->driver);
		tuning_ship(&t.found, s);
		c.device = t.device;
		if (!device_compiles_at_launch(t.device))
			compilers_start(&c, "usual");
		compilers_finish(&c);
		t.until_ns = clock_ns() + o->box_ns -
		             device_compile_ns(t.device);
		tune_search(&t);
		rc = device_lost(t.device) ? err_set(e, ERR_DEVICE, "the "
		     "device was lost; nothing is kept") :
		     tuning_keep(&t.found, s, cache, e);
		if (rc == 0)
			printf("\nkept in %s for the next start\n", cache);
	}
	device_close(t.device);
	memory_pool_free(t.pool);
	return rc;
}

int command_tune(int argc, char **argv)
{
	struct options o = { 0 };
	struct err e = { 0 };
	char path[HOST_PATH];
	int status;

	status = usage_read("tune", option_rows, &o, argc, argv, NULL);
	if (status != USAGE_GO_ON)
		return status;
	setenv("POCL_AFFINITY", "1", 0);
	if (!o.cache)
		o.cache = host_default_cache(path);
	if (!o.cache)
		err_set(&e, ERR_PARAMETER, "there is no home for a cache "
		        "directory; --cache names one");
	else if (host_make_directory(o.cache, &e) == 0 &&
	         tune(&o, o.cache, &e) == 0)
		return 0;
	return usage_fail(&e);
}

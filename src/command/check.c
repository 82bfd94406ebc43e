/* check.c - `linalgd check`: checks that a device computes accurately. */
#include <stdio.h>
#include <stdlib.h>

#include "base/usage.h"
#include "check/run.h"
#include "check/tally.h"
#include "command/command.h"
#include "command/pick.h"
#include "worker/compilers.h"

/* The limit for the memory of a case's matrices, far above what the largest
 * case needs. */
static const size_t pool_bytes = (size_t)1 << 30;

struct options {
	const char *device, *op;
	bool quick;
};

static const struct option_row option_rows[] = {
	{ .flag = "device", .type = OPTION_TEXT, .value = "SEL",
	  .offset = offsetof(struct options, device), .fallback = "auto",
	  .help = "the device to test: auto, cpu, gpu, an index or part of "
	  "a name" },
	{ .flag = "op", .type = OPTION_TEXT, .value = "OPERATION",
	  .offset = offsetof(struct options, op),
	  .help = "test only this operation" },
	{ .flag = "quick", .type = OPTION_FLAG,
	  .offset = offsetof(struct options, quick),
	  .help = "test small sizes only" },
	{ 0 }
};

static int check(struct checker *c)
{
	tally_heading(device_sheet(c->device)->name);
	check_run(c);
	printf("\n%u passed, %u failed, %u skipped\n", c->passed, c->failed,
	       c->skipped);
	return c->failed > 0 || c->passed == 0;
}

int command_check(int argc, char **argv)
{
	struct options o = { 0 };
	struct checker c = { 0 };
	struct err e = { 0 };
	char path[HOST_PATH];
	const char *cache = pick_cache(path);
	struct compilers compilers = { .cache = cache };
	int status = usage_read("check", option_rows, &o, argc, argv, NULL);

	if (status != USAGE_GO_ON)
		return status;
	if (o.op && !op_find(o.op) && op_refuse(o.op, &e))
		return usage_fail(&e);
	setenv("POCL_AFFINITY", "1", 0);
	c.op = o.op;
	c.quick = o.quick;
	c.pool = memory_pool_new(pool_bytes, &e);
	c.device = c.pool ? pick_device(o.device, cache, &e) : NULL;
	if (c.device) {
		compilers.device = c.device;
		if (!device_compiles_at_launch(c.device))
			compilers_start(&compilers, o.op ? o.op : "all");
		status = check(&c);
	} else {
		status = usage_fail(&e);
	}
	device_close(c.device);
	memory_pool_free(c.pool);
	return status;
}

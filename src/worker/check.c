/* check.c - `linalgd check`: is what a device computes right? */
#include <stdio.h>
#include <stdlib.h>

#include "base/options.h"
#include "worker/check.h"
#include "worker/check_run.h"
#include "worker/check_tally.h"
#include "worker/compilers.h"
#include "worker/pick.h"

enum { STATUS_USAGE = 2 };

/* Of all matrices of a case; the largest are far below. */
static const size_t pool_bytes = (size_t)1 << 30;

struct options {
	const char *device, *op;
	bool quick, help;
};

static const struct option_row option_rows[] = {
	{ .flag = "device", .type = OPTION_TEXT, .value = "SEL",
	  .offset = offsetof(struct options, device), .fallback = "auto",
	  .help = "auto, cpu, gpu, an index or part of a name" },
	{ .flag = "op", .type = OPTION_TEXT, .value = "NAME",
	  .offset = offsetof(struct options, op),
	  .help = "only that operation" },
	{ .flag = "quick", .type = OPTION_FLAG,
	  .offset = offsetof(struct options, quick),
	  .help = "small sizes only" },
	{ .flag = "help", .type = OPTION_FLAG,
	  .offset = offsetof(struct options, help), .help = "this text" },
	{ 0 }
};

static int print_help(void)
{
	struct text t = { 0 };

	options_help(option_rows, &t);
	printf("usage: linalgd check [OPTION]...\n%s", t.data ? t.data : "");
	text_fini(&t);
	return 0;
}

static int check_op(const char *name, struct err *e)
{
	if (!name || op_find(name))
		return 0;
	return err_set(e, ERR_PARAMETER, "no operation is %.100s; linalgd ops "
	               "lists them", name);
}

static int check(struct checker *c)
{
	tally_heading(device_sheet(c->device)->name);
	check_run(c);
	printf("\n%u passed, %u failed, %u skipped\n", c->passed, c->failed,
	       c->skipped);
	return c->failed > 0 || c->passed == 0;
}

int check_main(int argc, char **argv)
{
	struct options o = { 0 };
	struct checker c = { 0 };
	struct compilers compilers = { { 0 } };
	struct err e = { 0 };
	char path[HOST_PATH];
	const char *cache = pick_cache(path);
	int status = 1;

	if (options_parse(option_rows, &o, argc, argv, &e) < 0 ||
	    check_op(o.op, &e) < 0) {
		fprintf(stderr, "linalgd check: %s\n", e.text);
		return STATUS_USAGE;
	}
	if (o.help)
		return print_help();
	setenv("POCL_AFFINITY", "1", 0);
	c.op = o.op;
	c.quick = o.quick;
	c.pool = memory_pool_new(pool_bytes, &e);
	c.device = c.pool ? pick_device(o.device, cache, &e) : NULL;
	if (c.device) {
		compilers_start(&compilers, c.device, o.op ? o.op : "all",
		                cache);
		status = check(&c);
	} else {
		fprintf(stderr, "linalgd check: %s\n", e.text);
	}
	device_close(c.device);
	memory_pool_free(c.pool);
	return status;
}

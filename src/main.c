/* main.c - linalgd's subcommands. */
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "command/command.h"
#include "worker/bench.h"
#include "worker/check.h"
#include "worker/tune.h"
#include "worker/worker.h"

static int command_version(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	puts("linalgd " VERSION);
	return STATUS_OK;
}

static const struct command {
	const char *name, *also;
	int (*fn)(int argc, char **argv);	/* NULL: help */
	const char *summary;		/* NULL: not for people */
} commands[] = {
	{ "serve", NULL, command_serve,
	  "serve linear algebra over HTTP; the default" },
	{ "devices", NULL, command_devices, "list the OpenCL devices" },
	{ "ops", NULL, command_ops, "list the operations, their parameters" },
	{ "kernels", NULL, command_kernels,
	  "list every variant and where it can run" },
	{ "bench", NULL, bench_main, "measure our kernels and their peers" },
	{ "tune", NULL, tune_main, "find the fastest variants of a device" },
	{ "check", NULL, check_main, "test what a device computes" },
	{ "version", "--version", command_version, "print the version" },
	{ "help", "--help", NULL, "print this" },
	{ "worker", NULL, worker_main, NULL },
};

static int help(void)
{
	puts("usage: linalgd [COMMAND] [--OPTION VALUE]...\n");
	for (size_t i = 0; i < COUNT(commands); i++)
		if (commands[i].summary)
			printf("  %-9s %s\n", commands[i].name,
			       commands[i].summary);
	puts("\nlinalgd COMMAND --help lists a command's options.");
	return STATUS_OK;
}

static const struct command *find(const char *name)
{
	for (size_t i = 0; i < COUNT(commands); i++) {
		const struct command *c = &commands[i];

		if (!strcmp(name, c->name) ||
		    (c->also && !strcmp(name, c->also)))
			return c;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const struct command *c;

	if (argc < 2)
		return command_serve(1, argv);
	c = find(argv[1]);
	if (c)
		return c->fn ? c->fn(argc - 1, argv + 1) : help();
	if (!strncmp(argv[1], "--", 2))
		return command_serve(argc, argv);
	fprintf(stderr, "linalgd: %s: no such command; try linalgd help\n",
	        argv[1]);
	return STATUS_USAGE;
}

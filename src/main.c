/* main.c - linalgd's subcommands. */
#include <stdio.h>
#include <string.h>

#include "base/host.h"
#include "base/nearest.h"
#include "base/size.h"
#include "base/usage.h"
#include "command/command.h"
#include "worker/worker.h"

static int help(void);

static int command_version(int argc, char **argv)
{
	if (argc > 1 && (strcmp(argv[1], "--help") == 0 ||
	                 strcmp(argv[1], "-h") == 0))
		return help();
	if (argc > 1) {
		usage_complain("version: %s: there are no options", argv[1]);
		return STATUS_USAGE;
	}
	puts("linalgd " VERSION);
	return STATUS_OK;
}

static int command_help(int argc, char **argv);

static const struct command {
	const char *name, *also[3];
	int (*fn)(int argc, char **argv);
	const char *summary;		/* NULL: not for people */
} commands[] = {
	{ "serve", { NULL }, command_serve,
	  "serve linear algebra over HTTP; the default" },
	{ "config", { NULL }, command_config,
	  "print the settings of serve that are in force" },
	{ "devices", { NULL }, command_devices,
	  "list the OpenCL devices, here or of a service" },
	{ "ops", { NULL }, command_ops,
	  "list the operations, their parameters" },
	{ "kernels", { NULL }, command_kernels,
	  "list every variant and where it can run" },
	{ "call", { NULL }, command_call,
	  "call an operation of a running service" },
	{ "bench", { NULL }, command_bench,
	  "measure our kernels and their peers" },
	{ "tune", { NULL }, command_tune,
	  "find the fastest variants of a device" },
	{ "check", { NULL }, command_check, "test what a device computes" },
	{ "version", { "--version", "-V" }, command_version,
	  "print the version" },
	{ "help", { "--help", "-h" }, command_help,
	  "print this, or with a COMMAND its options" },
	{ "worker", { NULL }, worker_main, NULL },
};

static const struct command *find(const char *name)
{
	for (size_t i = 0; i < COUNT(commands); i++) {
		const struct command *c = &commands[i];

		if (!strcmp(name, c->name))
			return c;
		for (const char *const *also = c->also; *also; also++)
			if (!strcmp(name, *also))
				return c;
	}
	return NULL;
}

static int no_such(const char *name)
{
	struct nearest near = nearest_to(name);

	for (size_t i = 0; i < COUNT(commands); i++)
		if (commands[i].summary)
			nearest_try(&near, commands[i].name);
	usage_complain("%s: no such command%s linalgd help lists them", name,
	               nearest_hint_and(&near));
	return STATUS_USAGE;
}

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

/* Prints a line for each command: its name, whether it has options, and its
 * summary, with a tab between them. */
static int describe(void)
{
	for (size_t i = 0; i < COUNT(commands); i++) {
		const struct command *c = &commands[i];
		const bool plain = c->fn == command_help ||
		                   c->fn == command_version;

		if (c->summary)
			printf("%s\t%s\t%s\n", c->name,
			       plain ? "" : "options", c->summary);
	}
	return STATUS_OK;
}

static int command_help(int argc, char **argv)
{
	const struct command *c = argc > 1 ? find(argv[1]) : NULL;
	char option[] = "--help", *const of[] = { argv[1], option, NULL };

	if (argc > 1 && strcmp(argv[1], "--describe") == 0)
		return describe();
	if (argc < 2 || (c && (c->fn == command_help ||
	                       c->fn == command_version)))
		return help();
	return c ? c->fn(2, (char **)of) : no_such(argv[1]);
}

static int run(int argc, char **argv)
{
	const struct command *c;

	if (argc < 2)
		return command_serve(1, argv);
	c = find(argv[1]);
	if (c)
		return c->fn(argc - 1, argv + 1);
	return argv[1][0] == '-' ? command_serve(argc, argv) :
	       no_such(argv[1]);
}

int main(int argc, char **argv)
{
	host_limit_pocl();
	return usage_end(run(argc, argv));
}

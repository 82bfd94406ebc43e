/* usage.c - see usage.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/usage.h"

void usage_complain(const char *fmt, ...)
{
	char line[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	fprintf(stderr, "linalgd: %s\n", line);
}

int usage_fail(const struct err *e)
{
	usage_complain("%s", e->text);
	return e->code == ERR_PARAMETER ? STATUS_USAGE : STATUS_FAILED;
}

int usage_end(int status)
{
	const int failed = fflush(stdout);
	const int fault = errno;

	if (status != STATUS_OK || (!failed && !ferror(stdout)))
		return status;
	usage_complain("standard output: %s", failed ? strerror(fault) :
	               "some of it could not be written");
	return STATUS_FAILED;
}

static int print_help(const char *command, const struct option_row *rows)
{
	struct text t = { 0 };

	options_help(rows, &t);
	printf("usage: linalgd %s [--OPTION VALUE]...\n\n%s", command,
	       t.data && !t.failed ? t.data : "");
	text_fini(&t);
	return STATUS_OK;
}

static int print_table(const struct option_row *rows)
{
	struct text t = { 0 };

	options_describe(rows, &t);
	fputs(t.data && !t.failed ? t.data : "", stdout);
	text_fini(&t);
	return STATUS_OK;
}

int usage_answer(enum options_question question, const struct option_row *rows)
{
	switch (question) {
	case OPTIONS_VERSION:
		puts("linalgd " VERSION);
		return STATUS_OK;
	case OPTIONS_DESCRIBE:
		return print_table(rows);
	default:
		return USAGE_GO_ON;
	}
}

int usage_read(const char *command, const struct option_row *rows,
               void *into, int argc, char *const *argv,
               enum option_source *sources)
{
	const enum options_question question = options_ask(rows, argc, argv);
	struct err e = { 0 };

	if (question == OPTIONS_HELP)
		return print_help(command, rows);
	if (question != OPTIONS_NONE)
		return usage_answer(question, rows);
	return options_parse(rows, into, argc, argv, sources, &e) ?
	       usage_fail(&e) : USAGE_GO_ON;
}

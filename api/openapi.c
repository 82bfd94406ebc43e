/* openapi.c - prints api/openapi.yaml, made of api/base.yaml and of the
 * operations' tables; a program of the build, for the repository's root. With
 * the name of an operation, or `index`, it prints a page of docs/operations.
 *
 * The lines of base.yaml between #@operations and #@end are printed once for
 * every operation, with its name in place of OPERATION. There a line #@MARK
 * stands for what marks.c prints of the operation's tables, indented as the
 * mark is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/marks.h"
#include "api/page.h"

_Noreturn void fail(const char *what, const char *name)
{
	fprintf(stderr, "openapi: %s %s\n", what, name);
	exit(1);
}

char *read_file(const char *name)
{
	char *bytes = NULL;
	size_t room = 0;
	FILE *f = fopen(name, "r");

	if (!f || getdelim(&bytes, &room, '\0', f) < 0)
		fail("cannot read", name);
	fclose(f);
	return bytes;
}

/* A line of base.yaml, for that operation. */
static void print_line(const char *s, const struct op *o)
{
	static const char name[] = "OPERATION";
	const size_t indent = strspn(s, " ");

	if (strncmp(s + indent, "#@", 2) == 0) {
		mark_print(s + indent, (int)indent, o);
		return;
	}
	for (const char *at; (at = strstr(s, name)); s = at + sizeof name - 1)
		printf("%.*s%s", (int)(at - s), s, o->name);
	puts(s);
}

static bool is_mark(const char *s, const char *mark)
{
	return strcmp(s + strspn(s, " "), mark) == 0;
}

/* Ends every line with a NUL; the lines, ended by NULL. */
static char **split(char *s)
{
	size_t n = 1;
	char **lines;

	for (const char *c = s; *c; c++)
		n += *c == '\n';
	lines = calloc(n, sizeof *lines);
	if (!lines)
		fail("no memory for", "the lines");
	for (char **l = lines, *end; (end = strchr(s, '\n')); s = end + 1) {
		*end = 0;
		*l++ = s;
	}
	return lines;
}

/* The lines up to #@end, for every operation; where they end. */
static char **print_block(char **from)
{
	char **to = from;

	while (*to && !is_mark(*to, "#@end"))
		to++;
	if (!*to)
		fail("there is no", "#@end");
	for (const struct op *const *o = ops; *o; o++)
		for (char **l = from; l < to; l++)
			print_line(*l, *o);
	return to;
}

static void print_yaml(void)
{
	char *bytes = read_file("api/base.yaml");
	char **lines = split(bytes);

	for (char **l = lines; *l; l++) {
		if (is_mark(*l, "#@operations"))
			l = print_block(l + 1);
		else
			puts(*l);
	}
	free(lines);
	free(bytes);
}

static void print_page(const char *name)
{
	const struct op *o = op_find(name);

	if (o)
		page_print(o);
	else if (strcmp(name, "index") == 0)
		page_print_index();
	else
		fail("there is no operation", name);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		print_page(argv[1]);
	else
		print_yaml();
	return fflush(stdout) || ferror(stdout);
}

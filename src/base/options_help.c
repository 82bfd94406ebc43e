/* options_help.c - the rows of a table for people (--help), and for programs
 * (--describe). */
#include "base/options_set.h"

void options_help(const struct option_row *rows, struct text *t)
{
	for (; rows->flag; rows++) {
		const char letter = options_letter(rows->flag);

		text_puts(t, "  ");
		if (letter)
			text_printf(t, "-%c, ", letter);
		text_printf(t, "--%s%s%s\n      %s", rows->flag,
		            rows->value ? " " : "",
		            rows->value ? rows->value : "", rows->help);
		if (rows->fallback)
			text_printf(t, " (default %s)", rows->fallback);
		if (rows->env)
			text_printf(t, "; also %s", rows->env);
		text_puts(t, "\n");
	}
	text_puts(t, "  -h, --help\n      print this\n"
	             "  -V, --version\n      print the version\n");
}

/* The words of enum option_type in --describe. */
static const char *const types[] = {
	[OPTION_TEXT] = "text", [OPTION_FILE] = "file",
	[OPTION_LIST] = "list", [OPTION_SIZE] = "size",
	[OPTION_COUNT] = "count", [OPTION_SECONDS] = "seconds",
	[OPTION_CHOICE] = "choice", [OPTION_FLAG] = "flag",
};

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static void describe(const struct option_row *r, struct text *t)
{
	const char letter[] = { options_letter(r->flag), 0 };

	text_printf(t, "%s\t%s\t%s\t%s\t", r->flag, letter,
	            or_empty(r->value), types[r->type]);
	for (int i = 0; r->choices && r->choices[i]; i++)
		text_printf(t, "%s%s", i ? "|" : "", r->choices[i]);
	text_printf(t, "\t%s\t%s\t%s\n", or_empty(r->fallback),
	            or_empty(r->env), r->help);
}

void options_describe(const struct option_row *rows, struct text *t)
{
	static const struct option_row every_table[] = {
		{ .flag = "help", .type = OPTION_FLAG,
		  .help = "print the options" },
		{ .flag = "version", .type = OPTION_FLAG,
		  .help = "print the version" },
		{ 0 }
	};

	for (; rows->flag; rows++)
		describe(rows, t);
	for (rows = every_table; rows->flag; rows++)
		describe(rows, t);
}

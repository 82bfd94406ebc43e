/* options_show.c - prints options as a configuration file. */
#include <inttypes.h>

#include "base/options.h"
#include "base/size.h"

/* A function for each type of option that prints the value at `at`; it returns
 * false if the option has no value. */

static bool show_text(const struct option_row *r, const void *at,
                      struct text *t)
{
	const char *const text = *(const char *const *)at;

	(void)r;
	if (text)
		text_puts(t, text);
	return text;
}

static bool show_list(const struct option_row *r, const void *at,
                      struct text *t)
{
	const struct option_list *list = at;

	(void)r;
	for (size_t i = 0; i < list->n; i++)
		text_printf(t, "%s%s", i ? "," : "", list->item[i]);
	return list->n;
}

/* Prints a number of bytes in the largest unit of which it is a multiple. */
static bool show_size(const struct option_row *r, const void *at,
                      struct text *t)
{
	static const char *const units[] = { "", "K", "M", "G", "T" };
	uint64_t bytes = *(const uint64_t *)at;
	size_t unit = 0;

	(void)r;
	for (; bytes && bytes % 1024 == 0 && unit + 1 < COUNT(units); unit++)
		bytes /= 1024;
	text_printf(t, "%" PRIu64 "%s", bytes, units[unit]);
	return bytes || r->fallback;
}

static bool show_count(const struct option_row *r, const void *at,
                       struct text *t)
{
	const uint64_t n = *(const uint64_t *)at;

	text_printf(t, "%" PRIu64, n);
	return (double)n <= r->max;
}

static bool show_seconds(const struct option_row *r, const void *at,
                         struct text *t)
{
	(void)r;
	text_printf(t, "%.9g", (double)*(const int64_t *)at / 1e9);
	return true;
}

static bool show_choice(const struct option_row *r, const void *at,
                        struct text *t)
{
	text_puts(t, r->choices[*(const int *)at]);
	return true;
}

static bool show_flag(const struct option_row *r, const void *at,
                      struct text *t)
{
	(void)r;
	text_puts(t, *(const bool *)at ? "true" : "false");
	return true;
}

static bool (*const shows[])(const struct option_row *r, const void *at,
                             struct text *t) = {
	[OPTION_TEXT] = show_text,
	[OPTION_FILE] = show_text,
	[OPTION_LIST] = show_list,
	[OPTION_SIZE] = show_size,
	[OPTION_COUNT] = show_count,
	[OPTION_SECONDS] = show_seconds,
	[OPTION_CHOICE] = show_choice,
	[OPTION_FLAG] = show_flag,
};

/* Prints the source of the value as a comment. */
static void show_source(const struct option_row *r, enum option_source source,
                        struct text *t)
{
	static const char *const from[] = {
		[OPTION_BY_DEFAULT] = "default",
		[OPTION_BY_FILE] = "configuration file",
		[OPTION_BY_ENVIRONMENT] = "environment",
		[OPTION_BY_COMMAND_LINE] = "command line",
	};

	text_printf(t, "  ; %s%s%s", from[source],
	            source == OPTION_BY_ENVIRONMENT ? ", " : "",
	            source == OPTION_BY_ENVIRONMENT ? r->env : "");
}

void options_show(const struct option_row *rows, const void *from,
                  const enum option_source *sources, struct text *t)
{
	for (const struct option_row *r = rows; r->flag; r++) {
		const void *at = (const char *)from + r->offset;
		struct text value = { 0 };
		const bool has = shows[r->type](r, at, &value);

		/* A configuration file cannot name another one. */
		text_printf(t, "%s%s =%s%s", has && r->type != OPTION_FILE ?
		            "" : "# ", r->flag, has ? " " : "",
		            has ? value.data : "");
		if (has)
			show_source(r, sources[r - rows], t);
		text_puts(t, "\n");
		text_fini(&value);
	}
}

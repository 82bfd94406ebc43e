/* options.c - see options.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/options.h"
#include "base/size.h"

/* A plain decimal number before `units`, one of which may follow. */
static int parse_number(const char *text, const char *units, double *x,
                        int *unit)
{
	char *end;
	const char *u;

	if (*text < '0' || *text > '9' || strpbrk(text, "xXpP"))
		return -1;
	*x = strtod(text, &end);
	*unit = 0;
	if (!*end)
		return 0;
	u = *end == ' ' ? NULL : strchr(units, *end & ~0x20);
	if (!u || end[1])
		return -1;
	*unit = (int)(u - units) + 1;
	return 0;
}

int options_size(const char *text, uint64_t *bytes)
{
	double x;
	int unit;

	if (parse_number(text, "KMGT", &x, &unit))
		return -1;
	x = ldexp(x, 10 * unit);
	if (x >= 0x1p63)
		return -1;
	*bytes = (uint64_t)x;
	return 0;
}

static int refuse(const struct option_row *r, const char *value,
                  const char *wanted, struct err *e)
{
	return err_set(e, ERR_PARAMETER, "--%s %s: %s", r->flag, value,
	               wanted);
}

static int refuse_range(const struct option_row *r, const char *value,
                        struct err *e)
{
	return err_set(e, ERR_PARAMETER, "--%s %s: must be from %.16g to %.16g",
	               r->flag, value, r->min, r->max);
}

static int set_text(const struct option_row *r, void *to, const char *value,
                    struct err *e)
{
	(void)r;
	(void)e;
	*(const char **)to = value;
	return 0;
}

static int set_list(const struct option_row *r, void *to, const char *value,
                    struct err *e)
{
	struct option_list *list = to;

	for (;;) {
		const size_t n = strcspn(value, ",");

		if (!n)
			return refuse(r, value, "an empty item", e);
		if (list->n == OPTION_ITEMS ||
		    list->used + n >= OPTION_LIST_TEXT)
			return refuse(r, value, "too many items", e);
		list->item[list->n++] = list->text + list->used;
		memcpy(list->text + list->used, value, n);
		list->used += n + 1;
		if (!value[n])
			return 0;
		value += n + 1;
	}
}

static int set_size(const struct option_row *r, void *to, const char *value,
                    struct err *e)
{
	uint64_t bytes;

	if (options_size(value, &bytes))
		return refuse(r, value, "must be bytes, as 65536, 64K, 1.5G",
		              e);
	if ((double)bytes < r->min || (double)bytes > r->max)
		return refuse_range(r, value, e);
	*(uint64_t *)to = bytes;
	return 0;
}

static int set_count(const struct option_row *r, void *to, const char *value,
                     struct err *e)
{
	double x;
	int unit;

	if (parse_number(value, "", &x, &unit) || x != floor(x))
		return refuse(r, value, "must be a whole number", e);
	if (x < r->min || x > r->max)
		return refuse_range(r, value, e);
	*(uint64_t *)to = (uint64_t)x;
	return 0;
}

static int set_seconds(const struct option_row *r, void *to,
                       const char *value, struct err *e)
{
	double x;
	int unit;

	if (parse_number(value, "S", &x, &unit))
		return refuse(r, value, "must be a number of seconds", e);
	if (x < r->min || x > r->max)
		return refuse_range(r, value, e);
	*(int64_t *)to = (int64_t)(x * 1e9);
	return 0;
}

static int set_choice(const struct option_row *r, void *to, const char *value,
                      struct err *e)
{
	struct text t = { 0 };

	for (int i = 0; r->choices[i]; i++)
		if (!strcmp(r->choices[i], value)) {
			*(int *)to = i;
			return 0;
		}
	for (int i = 0; r->choices[i]; i++)
		text_printf(&t, "%s%s", i ? ", " : "must be one of ",
		            r->choices[i]);
	refuse(r, value, t.failed ? "no such choice" : t.data, e);
	text_fini(&t);
	return -1;
}

static int set_flag(const struct option_row *r, void *to, const char *value,
                    struct err *e)
{
	static const char *const no[] = { "0", "false", "no", "off", "" };
	static const char *const yes[] = { "1", "true", "yes", "on" };

	for (size_t i = 0; i < COUNT(no); i++)
		if (!strcasecmp(value, no[i])) {
			*(bool *)to = false;
			return 0;
		}
	for (size_t i = 0; i < COUNT(yes); i++)
		if (!strcasecmp(value, yes[i])) {
			*(bool *)to = true;
			return 0;
		}
	return refuse(r, value, "must be true or false", e);
}

static int (*const setters[])(const struct option_row *r, void *to,
                              const char *value, struct err *e) = {
	[OPTION_TEXT] = set_text,
	[OPTION_LIST] = set_list,
	[OPTION_SIZE] = set_size,
	[OPTION_COUNT] = set_count,
	[OPTION_SECONDS] = set_seconds,
	[OPTION_CHOICE] = set_choice,
	[OPTION_FLAG] = set_flag,
};

static int set(const struct option_row *r, void *into, const char *value,
               struct err *e)
{
	return setters[r->type](r, (char *)into + r->offset, value, e);
}

/* The first mention on the command line replaces what a list had before. */
static int set_given(const struct option_row *r, void *into,
                     const char *value, bool *given, struct err *e)
{
	if (r->type == OPTION_LIST && !*given)
		memset((char *)into + r->offset, 0,
		       sizeof(struct option_list));
	*given = true;
	return set(r, into, value, e);
}

static int set_before(const struct option_row *rows, void *into,
                      struct err *e)
{
	for (const struct option_row *r = rows; r->flag; r++) {
		const char *value = r->env ? getenv(r->env) : NULL;

		if (!value || !*value)
			value = r->fallback;
		if (value && set(r, into, value, e))
			return -1;
	}
	return 0;
}

static const struct option_row *find(const struct option_row *rows,
                                     const char *name, size_t n)
{
	for (; rows->flag; rows++)
		if (strlen(rows->flag) == n && !memcmp(rows->flag, name, n))
			return rows;
	return NULL;
}

int options_parse(const struct option_row *rows, void *into, int argc,
                  char *const *argv, struct err *e)
{
	bool given[64] = { false };

	if (set_before(rows, into, e))
		return -1;
	for (int i = 1; i < argc; i++) {
		const char *const word = argv[i];
		const bool dashed = !strncmp(word, "--", 2);
		const size_t n = dashed ? strcspn(word + 2, "=") : 0;
		const struct option_row *r = find(rows, word + 2 * dashed, n);
		const char *value;

		if (!dashed || !r)
			return err_set(e, ERR_PARAMETER,
			               "%s: no such option", word);
		value = word[2 + n] ? word + 3 + n : NULL;
		if (!value)
			value = r->type == OPTION_FLAG ? "true" : argv[++i];
		if (!value)
			return err_set(e, ERR_PARAMETER,
			               "%s: needs a value", word);
		if (set_given(r, into, value, &given[r - rows], e))
			return -1;
	}
	return 0;
}

void options_help(const struct option_row *rows, struct text *t)
{
	for (; rows->flag; rows++) {
		text_printf(t, "  --%s%s%s\n      %s", rows->flag,
		            rows->value ? " " : "",
		            rows->value ? rows->value : "", rows->help);
		if (rows->fallback)
			text_printf(t, " (default %s)", rows->fallback);
		if (rows->env)
			text_printf(t, "; also %s", rows->env);
		text_puts(t, "\n");
	}
}

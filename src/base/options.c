/* options.c - see options.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"
#include "base/options.h"
#include "base/size.h"

/* Parses a plain decimal number, which one of the characters of `units` may
 * follow. */
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
	struct nearest near = nearest_to(value);

	for (int i = 0; r->choices[i]; i++)
		if (!strcmp(r->choices[i], value)) {
			*(int *)to = i;
			return 0;
		}
	nearest_add_all(&near, r->choices);
	err_set(e, ERR_PARAMETER, "--%s %s: must be one of %s%s", r->flag,
	        value, nearest_list(&near), nearest_hint(&near));
	nearest_fini(&near);
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

/* The first occurrence on the command line replaces a list's earlier items,
 * which are the environment's or the fallback's. */
static int set_given(const struct option_row *r, void *into,
                     const char *value, bool *given, struct err *e)
{
	if (r->type == OPTION_LIST && !*given)
		memset((char *)into + r->offset, 0,
		       sizeof(struct option_list));
	*given = true;
	return set(r, into, value, e);
}

/* Sets the row's member from the environment; 1: the variable is not set. */
static int set_from_environment(const struct option_row *r, void *into,
                                struct err *e)
{
	const char *value = r->env ? getenv(r->env) : NULL;
	size_t n;

	if (!value || !*value)
		return 1;
	if (set(r, into, value, e) == 0)
		return 0;
	n = strlen(e->text);
	snprintf(e->text + n, sizeof e->text - n, " (from the environment's "
	         "%s)", r->env);
	return -1;
}

static int set_before(const struct option_row *rows, void *into,
                      struct err *e)
{
	for (const struct option_row *r = rows; r->flag; r++) {
		const int rc = set_from_environment(r, into, e);

		if (rc < 0 || (rc > 0 && r->fallback &&
		               set(r, into, r->fallback, e)))
			return -1;
	}
	return 0;
}

/* Short names, the same in every table. */
static const struct {
	char letter;
	const char *flag;
} letters[] = {
	{ 'h', "help" }, { 'V', "version" }, { 'p', "port" },
};

/* A word of the command line where an option is expected. */
struct word {
	const char *name;		/* of the option; NULL: it is none */
	size_t length;			/* of the name */
	const char *value;		/* "--port=80", "-p80", or NULL */
};

static struct word take_word(const char *text)
{
	struct word w = { 0 };

	if (!strncmp(text, "--", 2)) {
		w.name = text + 2;
		w.length = strcspn(w.name, "=");
		w.value = w.name[w.length] ? w.name + w.length + 1 : NULL;
	} else if (text[0] == '-' && text[1]) {
		for (size_t i = 0; i < COUNT(letters); i++)
			if (letters[i].letter == text[1])
				w.name = letters[i].flag;
		w.length = w.name ? strlen(w.name) : 0;
		w.value = text[2] ? text + 2 : NULL;
	}
	return w;
}

static bool is_word(const struct word *w, const char *name)
{
	return w->name && strlen(name) == w->length &&
	       !memcmp(name, w->name, w->length);
}

static const struct option_row *find(const struct option_row *rows,
                                     const struct word *w)
{
	for (; rows->flag; rows++)
		if (is_word(w, rows->flag))
			return rows;
	return NULL;
}

static bool wants_next(const struct option_row *r, const struct word *w)
{
	return r && !w->value && r->type != OPTION_FLAG;
}

enum options_question options_ask(const struct option_row *rows, int argc,
                                  char *const *argv)
{
	for (int i = 1; i < argc; i++) {
		const struct word w = take_word(argv[i]);

		if (is_word(&w, "help"))
			return OPTIONS_HELP;
		if (is_word(&w, "version"))
			return OPTIONS_VERSION;
		i += wants_next(find(rows, &w), &w);
	}
	return OPTIONS_NONE;
}

static int no_such(const struct option_row *rows, const char *word,
                   struct err *e)
{
	char name[NEAREST_NAME];
	const size_t dashes = strspn(word, "-");
	struct nearest near = nearest_to(name);

	snprintf(name, sizeof name, "%.*s", (int)strcspn(word + dashes, "="),
	         word + dashes);
	for (; rows->flag; rows++)
		nearest_try(&near, rows->flag);
	nearest_try(&near, "help");
	nearest_try(&near, "version");
	if (near.name)
		return err_set(e, ERR_PARAMETER, "%s: no such option; did you "
		               "mean --%s?", word, near.name);
	return err_set(e, ERR_PARAMETER, "%s: no such option; --help lists "
	               "them", word);
}

int options_parse(const struct option_row *rows, void *into, int argc,
                  char *const *argv, struct err *e)
{
	bool given[64] = { false };

	if (set_before(rows, into, e))
		return -1;
	for (int i = 1; i < argc; i++) {
		const struct word w = take_word(argv[i]);
		const struct option_row *r = find(rows, &w);
		const char *value = w.value;

		if (!r)
			return no_such(rows, argv[i], e);
		if (!value)
			value = r->type == OPTION_FLAG ? "true" : argv[i + 1];
		if (!value)
			return err_set(e, ERR_PARAMETER,
			               "%s: needs a value", argv[i]);
		i += wants_next(r, &w);
		if (set_given(r, into, value, &given[r - rows], e))
			return -1;
	}
	return 0;
}

/* The short letter of a flag, as 'p' of "port", or 0. */
static char letter_of(const char *flag)
{
	for (size_t i = 0; i < COUNT(letters); i++)
		if (!strcmp(letters[i].flag, flag))
			return letters[i].letter;
	return 0;
}

void options_help(const struct option_row *rows, struct text *t)
{
	for (; rows->flag; rows++) {
		const char letter = letter_of(rows->flag);

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

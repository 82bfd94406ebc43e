/* options.c - see options.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/options_set.h"
#include "base/size.h"

int options_give(struct options_reading *g, const struct option_row *r,
                 const char *value, enum option_source source, struct err *e)
{
	enum option_source *known = &g->source[r - g->rows];

	if (r->type == OPTION_LIST && *known != source)
		memset((char *)g->into + r->offset, 0,
		       sizeof(struct option_list));
	*known = source;
	return options_set(r, g->into, value, e);
}

static const char *variable_of(const struct option_row *r)
{
	const char *value = r->env ? getenv(r->env) : NULL;

	return value && *value ? value : NULL;
}

static int give_variable(struct options_reading *g, const struct option_row *r,
                         struct err *e)
{
	const char *value = variable_of(r);
	size_t n;

	if (!value || !options_give(g, r, value, OPTION_BY_ENVIRONMENT, e))
		return 0;
	n = strlen(e->text);
	snprintf(e->text + n, sizeof e->text - n, " (from the environment's "
	         "%s)", r->env);
	return -1;
}

/* Stores the values that the command line may replace: each row's fallback,
 * then the values of the configuration file, unless `file` is NULL, then those
 * of the environment. */
static int give_before(struct options_reading *g, const char *file,
                       struct err *e)
{
	for (const struct option_row *r = g->rows; r->flag; r++)
		if (r->fallback && options_give(g, r, r->fallback,
		                                OPTION_BY_DEFAULT, e))
			return -1;
	if (file && options_read_file(g, file, e))
		return -1;
	for (const struct option_row *r = g->rows; r->flag; r++)
		if (give_variable(g, r, e))
			return -1;
	return 0;
}

/* Short names, the same in every table. */
static const struct {
	char letter;
	const char *flag;
} letters[] = {
	{ 'h', "help" }, { 'V', "version" }, { 'p', "port" },
	{ 'o', "output" },
};

char options_letter(const char *flag)
{
	for (size_t i = 0; i < COUNT(letters); i++)
		if (!strcmp(letters[i].flag, flag))
			return letters[i].letter;
	return 0;
}

/* A word of the command line where an option is expected. */
struct word {
	const char *name;		/* the option's; NULL: no option */
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

bool options_takes_next(const struct option_row *rows, const char *word)
{
	const struct word w = take_word(word);

	return wants_next(find(rows, &w), &w);
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
		if (is_word(&w, "describe"))
			return OPTIONS_DESCRIBE;
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

/* Calls give(arg, row, value, e) for each option of the command line. */
static int walk(const struct option_row *rows, int argc, char *const *argv,
                int (*give)(void *arg, const struct option_row *r,
                            const char *value, struct err *e),
                void *arg, struct err *e)
{
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
		if (give(arg, r, value, e))
			return -1;
	}
	return 0;
}

static int take_file(void *arg, const struct option_row *r, const char *value,
                     struct err *e)
{
	const char **file = arg;

	(void)e;
	if (r->type == OPTION_FILE)
		*file = value;
	return 0;
}

static int give_word(void *arg, const struct option_row *r, const char *value,
                     struct err *e)
{
	return options_give(arg, r, value, OPTION_BY_COMMAND_LINE, e);
}

int options_parse(const struct option_row *rows, void *into, int argc,
                  char *const *argv, enum option_source *sources,
                  struct err *e)
{
	struct options_reading g = { .rows = rows, .into = into };
	const char *file = NULL;

	for (const struct option_row *r = rows; r->flag; r++)
		if (r->type == OPTION_FILE)
			file = variable_of(r);
	if (walk(rows, argc, argv, take_file, &file, e) ||
	    give_before(&g, file, e) ||
	    walk(rows, argc, argv, give_word, &g, e))
		return -1;
	if (sources)
		memcpy(sources, g.source, sizeof g.source);
	return 0;
}

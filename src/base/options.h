/* options.h - a program's options from one table: command line, environment,
 * defaults and --help all read the same rows.
 *
 * A flag on the command line wins over its environment variable, that over
 * the fallback. "--flag value" and "--flag=value" are the same; -p is --port
 * where there is such a row. Every table also has -h, --help and -V, --version.
 */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"

enum { OPTION_ITEMS = 32, OPTION_LIST_TEXT = 1024 };

/* type, what it fills in */
enum option_type {
	OPTION_TEXT,		/* const char *, NULL when not given */
	OPTION_LIST,		/* struct option_list; an option may be given
				 * several times, and a value may hold several
				 * items, separated by commas */
	OPTION_SIZE,		/* uint64_t bytes; units of 1024: K, M, G, T */
	OPTION_COUNT,		/* uint64_t */
	OPTION_SECONDS,		/* int64_t nanoseconds; fractions are fine */
	OPTION_CHOICE,		/* int, the index in choices */
	OPTION_FLAG,		/* bool; takes no value */
};

struct option_list {
	const char *item[OPTION_ITEMS + 1];	/* NULL-terminated */
	size_t n, used;			/* items; bytes of text */
	char text[OPTION_LIST_TEXT];
};

struct option_row {
	const char *flag;		/* "listen": --listen */
	const char *env;		/* "LINALGD_LISTEN", or NULL */
	enum option_type type;
	size_t offset;			/* of the member it fills in */
	const char *fallback;		/* as on the command line, or NULL */
	double min, max;		/* of sizes, counts and seconds */
	const char *const *choices;	/* NULL-terminated */
	const char *value;		/* "ADDRESS:PORT", for --help */
	const char *help;
};

/* Fills in the struct at `into` (zeroed by the caller) from rows, which end
 * with a NULL flag; argv[0] is skipped. ERR_PARAMETER names the wrong option.
 * Texts point into argv, the environment or the rows. */
int options_parse(const struct option_row *rows, void *into, int argc,
                  char *const *argv, struct err *e);

/* Does the command line ask for help or the version instead of a run? */
enum options_question { OPTIONS_NONE, OPTIONS_HELP, OPTIONS_VERSION };
enum options_question options_ask(const struct option_row *rows, int argc,
                                  char *const *argv);

/* Appends the text of --help, a paragraph for each row. */
void options_help(const struct option_row *rows, struct text *t);

/* Calls fn(arg, name, nearest) for each environment variable whose name begins
 * with prefix, but belongs to no row and begins with none of `others`
 * (NULL-terminated). nearest is the row's variable that was probably meant, or
 * NULL. */
void options_unknown(const struct option_row *rows, const char *prefix,
                     const char *const *others,
                     void (*fn)(void *arg, const char *name,
                                const char *nearest), void *arg);

/* Parses "64K", "1.5G", "1048576" as bytes: 0, or -1. */
int options_size(const char *text, uint64_t *bytes);

#endif

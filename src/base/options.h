/* options.h - a program's options from one table: command line, environment,
 * configuration file, defaults and --help all read the same rows.
 *
 * A flag on the command line wins over its environment variable, that over the
 * configuration file, that over the fallback. "--flag value" and "--flag=value"
 * are the same; -p is --port and -o --output where there is such a row. Every
 * table also has -h, --help and -V, --version.
 */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"

enum { OPTION_ITEMS = 32, OPTION_LIST_TEXT = 1024, OPTION_ROWS = 64 };

/* type, what it fills in */
enum option_type {
	OPTION_TEXT,		/* const char *, NULL when not given */
	OPTION_FILE,		/* const char *, NULL when not given: the path
				 * of the configuration file; at most one row
				 * has this type */
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

/* Where a row's value comes from, in the order of precedence: a value from a
 * later source replaces one from an earlier source. */
enum option_source {
	OPTION_BY_DEFAULT, OPTION_BY_FILE, OPTION_BY_ENVIRONMENT,
	OPTION_BY_COMMAND_LINE
};

/* Fills in the struct at `into` (zeroed by the caller) from rows, which end
 * with a NULL flag; argv[0] is skipped. `sources`, if not NULL, has OPTION_ROWS
 * elements, and receives the source of each row's value. ERR_PARAMETER names
 * the wrong option. Texts point into argv, the environment or the rows, or, if
 * they are from the configuration file, live as long as the process.
 *
 * A configuration file has a line "flag = value" for each option that it sets.
 * Lines that begin with # or ; are comments, and so is the text after " ;" in a
 * line. The items of a list may be on lines of their own that begin with a
 * space. */
int options_parse(const struct option_row *rows, void *into, int argc,
                  char *const *argv, enum option_source *sources,
                  struct err *e);

/* Returns whether the command line asks for help, the version or the table of
 * options instead of a run. --describe, which --help does not tell, is for the
 * program that makes the manual and the shells' completion. */
enum options_question {
	OPTIONS_NONE, OPTIONS_HELP, OPTIONS_VERSION, OPTIONS_DESCRIBE
};
enum options_question options_ask(const struct option_row *rows, int argc,
                                  char *const *argv);

/* Does the word of a command line take the next one as its value, if it is one
 * of the options? */
bool options_takes_next(const struct option_row *rows, const char *word);

/* Appends a line for each row, and for --help and --version: flag, letter,
 * value, type, choices (separated by |), fallback, environment variable and
 * help, with a tab between them; what a row does not have is empty. */
void options_describe(const struct option_row *rows, struct text *t);

/* Appends the text of --help, a paragraph for each row. */
void options_help(const struct option_row *rows, struct text *t);

/* Appends a configuration file that sets every option to its value in the
 * struct at `from`, with the value's source in a comment. An option without a
 * value is a line that is commented out. */
void options_show(const struct option_row *rows, const void *from,
                  const enum option_source *sources, struct text *t);

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

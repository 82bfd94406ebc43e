/* options_set.h - functions of options.c, options_file.c and options_set.c that
 * store the values of options. */
#ifndef BASE_OPTIONS_SET_H
#define BASE_OPTIONS_SET_H

#include "base/options.h"

/* Checks a row's value and stores it in the struct at `into`. The items of a
 * list are appended to those that the list has already. */
int options_set(const struct option_row *r, void *into, const char *value,
                struct err *e);

/* Returns the letter that is short for a flag, as 'p' for "port", or 0. */
char options_letter(const char *flag);

/* The state of options_parse(). */
struct options_reading {
	const struct option_row *rows;
	void *into;
	enum option_source source[OPTION_ROWS];	/* of each row's value */
};

/* Stores a row's value, which replaces an earlier one. To be called in
 * ascending order of sources. The items of a list are added to a list of the
 * same source, but replace one of another source. */
int options_give(struct options_reading *g, const struct option_row *r,
                 const char *value, enum option_source source, struct err *e);

/* Reads the rows' values from a configuration file; see options.h. */
int options_read_file(struct options_reading *g, const char *path,
                      struct err *e);

#endif

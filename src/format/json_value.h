/* json_value.h - the values in JSON that a parameter may have, as the API's
 * description documents them: a number is no text, and a list of one element
 * is no element. Queries and forms hold texts alone, and are not concerned. */
#ifndef FORMAT_JSON_VALUE_H
#define FORMAT_JSON_VALUE_H

#include <jansson.h>

#include "base/text.h"
#include "format/reader.h"

/* A set of kinds of values. */
enum {
	VALUE_STRING = 1,
	VALUE_NUMBER = 2,
	VALUE_BOOLEAN = 4,
	VALUE_STRINGS = 8,		/* a list of strings */
	VALUE_NUMBERS = 16,		/* a list of numbers */
	VALUE_PLAIN = 31,		/* any of these */
	VALUE_JSON = 32,		/* any, which is passed on as JSON */
};

/* Returns the kinds of values that the sink's parameter may have. */
static inline unsigned json_value_kinds(const struct sink *k, const char *name)
{
	return k->kinds ? k->kinds(k->arg, name) : VALUE_PLAIN;
}

/* Appends a parameter's value as a query has it: a string's text, a number, or
 * true or false, and the elements of a list with commas between them.
 * ERR_PARAMETER, which calls the parameter `name`, if the value is of none of
 * the kinds. */
int json_value_print(const json_t *value, unsigned kinds, const char *name,
                     struct text *to, struct err *e);

#endif

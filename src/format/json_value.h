/* json_value.h - the kinds of values that a parameter may have in JSON, as
 * openapi.yaml documents them. A string is not taken where a number is meant,
 * nor a list of one element where the element is meant. In queries and forms
 * every parameter is a text, to which this does not apply. */
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
 * true or false, and the elements of a list with commas between them. Fails
 * with ERR_PARAMETER if the value is of none of the kinds; the error's text
 * names the parameter. */
int json_value_print(const json_t *value, unsigned kinds, const char *name,
                     struct text *to, struct err *e);

#endif

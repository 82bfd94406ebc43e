/* json_value.c - see json_value.h. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/size.h"
#include "format/json_value.h"

static const struct {
	unsigned kind;
	const char *name;
} kinds_of_values[] = {
	{ VALUE_STRING, "a string" }, { VALUE_NUMBER, "a number" },
	{ VALUE_BOOLEAN, "true or false" },
	{ VALUE_STRINGS, "a list of strings" },
	{ VALUE_NUMBERS, "a list of numbers" },
};

static unsigned kind_of_scalar(const json_t *value)
{
	return json_is_string(value) ? VALUE_STRING :
	       json_is_number(value) ? VALUE_NUMBER :
	       json_is_boolean(value) ? VALUE_BOOLEAN : 0;
}

/* Returns the kinds that the value is of: an empty list is of two. */
static unsigned kinds_of(const json_t *value)
{
	unsigned kinds = VALUE_STRINGS | VALUE_NUMBERS;
	const json_t *one;
	size_t i;

	if (!json_is_array(value))
		return kind_of_scalar(value);
	json_array_foreach(value, i, one)
		kinds &= json_is_string(one) ? VALUE_STRINGS :
		         json_is_number(one) ? VALUE_NUMBERS : 0;
	return kinds;
}

static int refuse(unsigned kinds, const char *name, struct err *e)
{
	char all[120] = "";

	for (size_t i = 0; i < COUNT(kinds_of_values); i++)
		if (kinds & kinds_of_values[i].kind)
			snprintf(all + strlen(all), sizeof all - strlen(all),
			         "%s%s", *all ? " or " : "",
			         kinds_of_values[i].name);
	return err_set(e, ERR_PARAMETER, "%.60s: must be %s", name, all);
}

static void print_one(const json_t *x, struct text *to)
{
	char number[NUMBER_TEXT];

	if (json_is_string(x))
		text_puts(to, json_string_value(x));
	else if (json_is_integer(x))
		text_printf(to, "%" JSON_INTEGER_FORMAT,
		            json_integer_value(x));
	else if (json_is_real(x))
		text_add(to, number, number_print_double(number,
		                                         json_real_value(x)));
	else
		text_puts(to, json_is_true(x) ? "true" : "false");
}

int json_value_print(const json_t *value, unsigned kinds, const char *name,
                     struct text *to, struct err *e)
{
	const json_t *one;
	size_t i;

	if (!(kinds_of(value) & kinds))
		return refuse(kinds, name, e);
	text_puts(to, "");		/* of an empty list, too */
	if (!json_is_array(value))
		print_one(value, to);
	json_array_foreach(value, i, one) {
		text_puts(to, i ? "," : "");
		print_one(one, to);
	}
	return to->failed ? err_set(e, ERR_MEMORY, "no memory for a parameter")
	                  : 0;
}

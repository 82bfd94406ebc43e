/* query.c - see query.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/query.h"

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' :
	       c >= 'a' && c <= 'f' ? c - 'a' + 10 :
	       c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool query_decode(char *s, size_t n, bool plus_is_space)
{
	char *to = s;

	for (size_t i = 0; i < n; i++) {
		int c = (unsigned char)s[i];

		if (c == '+' && plus_is_space) {
			c = ' ';
		} else if (c == '%') {
			if (n - i < 3 || hex(s[i + 1]) < 0 ||
			    hex(s[i + 2]) < 0)
				return false;
			c = hex(s[i + 1]) << 4 | hex(s[i + 2]);
			i += 2;
		}
		if (c == 0)
			return false;
		*to++ = (char)c;
	}
	*to = 0;
	return true;
}

/* Sets the error's pointer to the argument of that name; to none if the name is
 * longer than there is room. */
static int point_at(const char *name, struct err *e)
{
	if (strlen(name) < sizeof e->pointer - 1)
		snprintf(e->pointer, sizeof e->pointer, "?%s", name);
	else
		e->pointer[0] = 0;
	return -1;
}

/* Decodes one argument in place and passes it on. */
static int each(char *text,
                int (*fn)(void *arg, const char *name, const char *value,
                          struct err *e), void *arg, struct err *e)
{
	char *value = strchr(text, '=');
	const size_t name_length = value ? (size_t)(value - text) :
	                           strlen(text);
	char given[64], name[ERR_POINTER];

	snprintf(given, sizeof given, "%s", text);
	snprintf(name, sizeof name, "%.*s", (int)name_length, text);
	if ((value && !query_decode(value + 1, strlen(value + 1), true)) ||
	    !query_decode(text, name_length, true)) {
		err_set(e, ERR_PARAMETER, "query argument %s: %s", given,
		        strstr(given, "%00") ?
		        "%00 stands for no character of a text" :
		        "a percent sign needs two hexadecimal digits after it");
		return point_at(name, e);
	}
	return fn(arg, text, value ? value + 1 : "", e) ? point_at(text, e) : 0;
}

int query_each(const char *query,
               int (*fn)(void *arg, const char *name, const char *value,
                         struct err *e), void *arg, struct err *e)
{
	char *copy, *rest, *one;
	int rc = 0;

	if (!query || !*query)
		return 0;
	rest = copy = strdup(query);
	if (!copy)
		return err_set(e, ERR_MEMORY, "no memory for the query");
	while (!rc && (one = strsep(&rest, "&")))
		if (*one)
			rc = each(one, fn, arg, e);
	free(copy);
	return rc;
}

/* headers.c - see exchange.h: the headers of a request. */
#include <string.h>
#include <strings.h>

#include "base/size.h"
#include "http/exchange.h"

/* The headers that the service reads and that are lists: several lines are one
 * list (RFC 9110, 5.3). */
enum { ACCEPT, PREFER };
#define NAME(text) text, sizeof text - 1
static const struct {
	const char *name;
	size_t length;
} lists[] = {
	[ACCEPT] = { NAME("Accept") }, [PREFER] = { NAME("Prefer") },
	{ NAME("Accept-Encoding") }, { NAME("Content-Digest") },
	{ NAME("If-Match") }, { NAME("If-None-Match") },
	{ NAME("Want-Content-Digest") },
};
_Static_assert(COUNT(lists) == EXCHANGE_LISTS, "each list has its text");

/* Returns the number of the list of that name of n bytes; -1: no list. */
static int find_list(const char *name, size_t n)
{
	for (size_t i = 0; i < COUNT(lists); i++)
		if (lists[i].length == n &&
		    strncasecmp(lists[i].name, name, n) == 0)
			return (int)i;
	return -1;
}

size_t exchange_cut_blanks(char *value, size_t n)
{
	const size_t all = n;

	while (n && (value[n - 1] == ' ' || value[n - 1] == '\t'))
		n--;
	if (n < all)
		value[n] = 0;
	return n;
}

static void add_line(struct text *list, const char *value, size_t n)
{
	text_puts(list, list->length ? ", " : "");
	text_add(list, value, n);
}

int exchange_take_header(struct exchange *x, const char *name,
                         size_t name_length, const char *value,
                         size_t value_length, struct err *e)
{
	const int list = find_list(name, name_length);

	if (list >= 0)
		add_line(&x->list[list], value, value_length);
	else if (name_length == 6 && strncasecmp(name, "Origin", 6) == 0)
		x->origin = value;
	else if (name_length == 4 && strncasecmp(name, "Host", 4) == 0)
		x->host = value;
	else if (name_length == 11 && strncasecmp(name, "traceparent", 11) == 0)
		traceparent_take(&x->traceparent, value, value_length);
	return hygiene_header(&x->framing, name, name_length, value,
	                      value_length, e);
}

const char *exchange_header(const struct exchange *x, const char *name)
{
	const int list = find_list(name, strlen(name));

	return list < 0 ? server_header(x, name) : x->list[list].data;
}

const char *exchange_accept(const struct exchange *x)
{
	return x->list[ACCEPT].data;
}

const char *exchange_prefer(const struct exchange *x)
{
	return x->list[PREFER].data;
}

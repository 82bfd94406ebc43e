/* exposition.c - see exposition.h. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "http/exposition.h"

/* Appends s with backslashes and newlines escaped and, if `quoted` (in a
 * label's value, but not in a HELP line), double quotes, too. Each byte that is
 * not UTF-8 becomes a question mark. */
static void put_escaped(struct text *t, const char *s, bool quoted)
{
	while (*s) {
		const size_t n = utf8_sequence(s);

		if (*s == '\\')
			text_puts(t, "\\\\");
		else if (*s == '\n')
			text_puts(t, "\\n");
		else if (*s == '"' && quoted)
			text_puts(t, "\\\"");
		else
			text_add(t, n ? s : "?", n ? n : 1);
		s += n ? n : 1;
	}
}

void exposition_family(struct text *t, const char *name, const char *type,
                       const char *help)
{
	text_puts(t, "# HELP ");
	text_puts(t, name);
	text_puts(t, " ");
	put_escaped(t, help, false);
	text_puts(t, "\n# TYPE ");
	text_puts(t, name);
	text_puts(t, " ");
	text_puts(t, type);
	text_puts(t, "\n");
}

void exposition_label(struct text *labels, const char *name, const char *value)
{
	if (labels->length)
		text_puts(labels, ",");
	text_puts(labels, name);
	text_puts(labels, "=\"");
	put_escaped(labels, value, true);
	text_puts(labels, "\"");
}

/* Appends a sample's name and labels, without its value. le is the upper bound
 * of a histogram's bucket, or NULL. */
static void put_series(struct text *t, const char *name, const char *suffix,
                       const struct text *labels, const char *le)
{
	const bool any = labels->length || le;

	text_puts(t, name);
	text_puts(t, suffix);
	text_puts(t, any ? "{" : "");
	text_add(t, labels->data, labels->length);
	if (le) {
		text_puts(t, labels->length ? ",le=\"" : "le=\"");
		text_puts(t, le);
		text_puts(t, "\"");
	}
	text_puts(t, any ? "} " : " ");
	t->failed |= labels->failed;
}

/* Appends n / 10^digits with `digits` digits after the point. */
static void put_decimal(struct text *t, uint64_t n, int digits)
{
	char text[32], *const end = text + sizeof text, *at = end;

	for (int i = 0; i <= digits || n; i++, n /= 10) {
		if (i == digits && digits)
			*--at = '.';
		*--at = (char)('0' + n % 10);
	}
	text_add(t, at, (size_t)(end - at));
}

static void put_count(struct text *t, uint64_t n)
{
	put_decimal(t, n, 0);
	text_puts(t, "\n");
}

void exposition_count(struct text *t, const char *name,
                      const struct text *labels, uint64_t n)
{
	put_series(t, name, "", labels, NULL);
	put_count(t, n);
}

void exposition_number(struct text *t, const char *name,
                       const struct text *labels, double x)
{
	char *to;

	if (isnan(x))
		return;
	put_series(t, name, "", labels, NULL);
	to = text_reserve(t, NUMBER_TEXT);
	if (to)
		text_grew(t, number_print_double(to, x));
	text_puts(t, "\n");
}

void exposition_histogram(struct text *t, const char *name,
                          const struct text *labels,
                          const struct histogram_bound *bounds,
                          const struct histogram *h)
{
	uint64_t sum = 0;
	int i = -1;

	do {
		sum += h->count[++i];
		put_series(t, name, "_bucket", labels, bounds[i].seconds);
		put_count(t, sum);
	} while (bounds[i].ns != UINT64_MAX);
	put_series(t, name, "_sum", labels, NULL);
	put_decimal(t, h->sum_ns, 9);
	text_puts(t, "\n");
	put_series(t, name, "_count", labels, NULL);
	put_count(t, sum);
}

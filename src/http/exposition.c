/* exposition.c - Prometheus' text formats; see exposition.h. */
#include <string.h>

#include "base/number.h"
#include "base/size.h"
#include "base/utf8.h"
#include "http/accept.h"
#include "http/exposition.h"

/* Appends s with backslashes and newlines escaped and, if `quoted` (in a
 * label's value, but not in every HELP line), double quotes, too. Each byte
 * that is not UTF-8 becomes a question mark. */
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

/* Appends the HELP and TYPE lines of a family, whose name is without its last
 * `less` bytes. */
static void put_family(struct text *t, const struct metric *m, size_t less,
                       const char *type, bool quoted)
{
	const size_t n = strlen(m->name) - less;

	text_puts(t, "# HELP ");
	text_add(t, m->name, n);
	text_puts(t, " ");
	put_escaped(t, m->help, quoted);
	text_puts(t, "\n# TYPE ");
	text_add(t, m->name, n);
	text_puts(t, " ");
	text_puts(t, type);
	text_puts(t, "\n");
}

static size_t begin(struct text *t, const struct metric *m)
{
	static const char *const types[] = {
		[METRIC_COUNTER] = "counter", [METRIC_GAUGE] = "gauge",
		[METRIC_INFO] = "gauge", [METRIC_HISTOGRAM] = "histogram",
	};

	put_family(t, m, 0, types[m->kind], false);
	return 0;
}

/* In OpenMetrics the suffixes belong to the samples alone, and quotes are
 * escaped in HELP lines, too. */
static size_t begin_open(struct text *t, const struct metric *m)
{
	static const struct {
		const char *type, *suffix;
	} types[] = {
		[METRIC_COUNTER] = { "counter", "_total" },
		[METRIC_GAUGE] = { "gauge", "" },
		[METRIC_INFO] = { "info", "_info" },
		[METRIC_HISTOGRAM] = { "histogram", "" },
	};

	put_family(t, m, strlen(types[m->kind].suffix), types[m->kind].type,
	           true);
	return 0;
}

static void end(struct text *t, size_t begun)
{
	(void)t;
	(void)begun;
}

static void put_label(struct text *labels, const char *name, const char *value)
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

static void put_sample(struct text *t, const struct metric *m,
                       const struct text *labels, uint64_t n)
{
	put_series(t, m->name, "", labels, NULL);
	put_count(t, n);
}

static void put_number(struct text *t, const struct metric *m,
                       const struct text *labels, double x)
{
	char *to;

	put_series(t, m->name, "", labels, NULL);
	to = text_reserve(t, NUMBER_TEXT);
	if (to)
		text_grew(t, number_print_double(to, x));
	text_puts(t, "\n");
}

static void put_histogram(struct text *t, const struct metric *m,
                          const struct text *labels,
                          const struct histogram_bound *bounds,
                          const struct histogram *h)
{
	uint64_t sum = 0;
	int i = -1;

	do {
		sum += h->count[++i];
		put_series(t, m->name, "_bucket", labels, bounds[i].seconds);
		put_count(t, sum);
	} while (bounds[i].ns != UINT64_MAX);
	put_series(t, m->name, "_sum", labels, NULL);
	put_decimal(t, h->sum_ns, 9);
	text_puts(t, "\n");
	put_series(t, m->name, "_count", labels, NULL);
	put_count(t, sum);
}

const struct exposition exposition_text = {
	"text/plain; version=0.0.4; charset=utf-8", true, begin, put_label,
	put_sample, put_number, put_histogram, end, "",
};

const struct exposition exposition_open = {
	"application/openmetrics-text; version=1.0.0; charset=utf-8", true,
	begin_open, put_label, put_sample, put_number, put_histogram, end,
	"# EOF\n",
};

const struct exposition *exposition_choose(const char *accept)
{
	static const struct exposition *const formats[] = {
		&exposition_text, &exposition_open, &exposition_protobuf,
	};
	const char *types[COUNT(formats) + 1] = { NULL };
	int chosen;

	for (size_t i = 0; i < COUNT(formats); i++)
		types[i] = formats[i]->media_type;
	chosen = accept_choose(accept, types);
	return formats[chosen < 0 ? 0 : chosen];
}

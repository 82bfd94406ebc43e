/* exposition_protobuf.c - metrics as Protocol Buffers; see exposition.h.
 *
 * The text is a sequence of messages io.prometheus.client.MetricFamily, each
 * after its length. The numbers of their fields are those of metrics.proto in
 * https://github.com/prometheus/client_model.
 */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "http/exposition.h"
#include "http/protobuf.h"

enum { FAMILY_NAME = 1, FAMILY_HELP = 2, FAMILY_TYPE = 3, FAMILY_METRIC = 4 };
enum { METRIC_LABEL = 1, METRIC_GAUGE_VALUE = 2, METRIC_COUNTER_VALUE = 3,
       METRIC_HISTOGRAM_VALUE = 7 };
enum { LABEL_NAME = 1, LABEL_VALUE = 2 };
enum { NUMBER_VALUE = 1 };		/* of a counter or a gauge */
enum {
	HISTOGRAM_COUNT = 1, HISTOGRAM_SUM = 2, HISTOGRAM_BUCKET = 3,
	HISTOGRAM_OF_SCHEMA = 5, HISTOGRAM_ZERO_THRESHOLD = 6,
	HISTOGRAM_ZERO_COUNT = 7, HISTOGRAM_SPAN = 12, HISTOGRAM_DELTA = 13,
};
enum { BUCKET_COUNT = 1, BUCKET_BOUND = 2 };
enum { SPAN_OFFSET = 1, SPAN_LENGTH = 2 };

/* The upper bound of the bucket of 0 s, 2^-30 s: less than 1 ns, and a bound of
 * fine buckets. */
static const double zero_threshold = 0x1p-30;

static size_t begin(struct text *t, const struct metric *m)
{
	static const unsigned types[] = {
		[METRIC_COUNTER] = 0, [METRIC_GAUGE] = 1, [METRIC_INFO] = 1,
		[METRIC_HISTOGRAM] = 4,
	};
	const size_t begun = protobuf_begin(t, 0);

	protobuf_string(t, FAMILY_NAME, m->name, strlen(m->name));
	protobuf_string(t, FAMILY_HELP, m->help, strlen(m->help));
	protobuf_uint(t, FAMILY_TYPE, types[m->kind]);
	return begun;
}

static void put_label(struct text *labels, const char *name, const char *value)
{
	const size_t pair = protobuf_begin(labels, METRIC_LABEL);
	size_t text;

	protobuf_string(labels, LABEL_NAME, name, strlen(name));
	text = protobuf_begin(labels, LABEL_VALUE);
	while (*value) {
		const size_t n = utf8_sequence(value);

		text_add(labels, n ? value : "?", n ? n : 1);
		value += n ? n : 1;
	}
	protobuf_end(labels, text);
	protobuf_end(labels, pair);
}

/* Begins a sample with its labels, which is ended by protobuf_end(). */
static size_t begin_sample(struct text *t, const struct text *labels)
{
	const size_t sample = protobuf_begin(t, FAMILY_METRIC);

	text_add(t, labels->data, labels->length);
	t->failed |= labels->failed;
	return sample;
}

static void put_number(struct text *t, const struct metric *m,
                       const struct text *labels, double x)
{
	const size_t sample = begin_sample(t, labels);
	const size_t value = protobuf_begin(t, m->kind == METRIC_COUNTER ?
	                                    METRIC_COUNTER_VALUE :
	                                    METRIC_GAUGE_VALUE);

	protobuf_double(t, NUMBER_VALUE, x);
	protobuf_end(t, value);
	protobuf_end(t, sample);
}

static void put_count(struct text *t, const struct metric *m,
                      const struct text *labels, uint64_t n)
{
	put_number(t, m, labels, (double)n);
}

/* Appends the classic buckets; returns the number of durations in all. */
static uint64_t put_buckets(struct text *t,
                            const struct histogram_bound *bounds,
                            const struct histogram *h)
{
	uint64_t sum = 0;

	for (int i = 0;; i++) {
		const bool last = bounds[i].ns == UINT64_MAX;
		const size_t bucket = protobuf_begin(t, HISTOGRAM_BUCKET);

		sum += h->count[i];
		protobuf_uint(t, BUCKET_COUNT, sum);
		protobuf_double(t, BUCKET_BOUND, last ? HUGE_VAL :
		                (double)bounds[i].ns / 1e9);
		protobuf_end(t, bucket);
		if (last)
			return sum;
	}
}

/* Appends where the fine buckets are that are not empty: spans of them, each
 * with its distance from the span before it, the first with its number. */
static void put_spans(struct text *t, const struct histogram *h)
{
	int end = -HISTOGRAM_FIRST;	/* index of bucket 0 */

	for (int i = 0; i < HISTOGRAM_FINE; i++) {
		const int begin = i;
		size_t span;

		while (i < HISTOGRAM_FINE && h->fine[i])
			i++;
		if (i == begin)
			continue;
		span = protobuf_begin(t, HISTOGRAM_SPAN);
		protobuf_sint(t, SPAN_OFFSET, begin - end);
		protobuf_uint(t, SPAN_LENGTH, (uint64_t)(i - begin));
		protobuf_end(t, span);
		end = i;
	}
}

/* Appends the counts of the buckets in the spans, each as the difference from
 * the one before. */
static void put_deltas(struct text *t, const struct histogram *h)
{
	const size_t packed = protobuf_begin(t, HISTOGRAM_DELTA);
	uint64_t previous = 0;

	for (int i = 0; i < HISTOGRAM_FINE; i++) {
		if (!h->fine[i])
			continue;
		protobuf_varint(t, protobuf_zigzag((int64_t)(h->fine[i] -
		                                             previous)));
		previous = h->fine[i];
	}
	protobuf_end(t, packed);
}

static void put_histogram(struct text *t, const struct metric *m,
                          const struct text *labels,
                          const struct histogram_bound *bounds,
                          const struct histogram *h)
{
	const size_t sample = begin_sample(t, labels);
	const size_t value = protobuf_begin(t, METRIC_HISTOGRAM_VALUE);

	(void)m;
	protobuf_uint(t, HISTOGRAM_COUNT, put_buckets(t, bounds, h));
	protobuf_double(t, HISTOGRAM_SUM, (double)h->sum_ns / 1e9);
	protobuf_sint(t, HISTOGRAM_OF_SCHEMA, HISTOGRAM_SCHEMA);
	protobuf_double(t, HISTOGRAM_ZERO_THRESHOLD, zero_threshold);
	protobuf_uint(t, HISTOGRAM_ZERO_COUNT, h->zeros);
	put_spans(t, h);
	put_deltas(t, h);
	protobuf_end(t, value);
	protobuf_end(t, sample);
}

const struct exposition exposition_protobuf = {
	"application/vnd.google.protobuf; "
	"proto=io.prometheus.client.MetricFamily; encoding=delimited",
	false, begin, put_label, put_count, put_number, put_histogram,
	protobuf_end, "",
};

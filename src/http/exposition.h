/* exposition.h - prints metrics in the formats that Prometheus reads
 * (https://prometheus.io/docs/instrumenting/exposition_formats/):
 *
 *     # HELP linalgd_jobs_total Jobs that ended, by ...
 *     # TYPE linalgd_jobs_total counter
 *     linalgd_jobs_total{op="lu",device="0",outcome="successful"} 12
 *
 * as its text, version 0.0.4; OpenMetrics' text, version 1.0.0, is the same but
 * for the names of families; and Protocol Buffers alone hold native histograms
 * beside the classic ones.
 */
#ifndef HTTP_EXPOSITION_H
#define HTTP_EXPOSITION_H

#include <stdint.h>

#include "base/histogram.h"
#include "base/text.h"

/* An info metric always is 1: its labels tell something. */
enum metric_kind { METRIC_COUNTER, METRIC_GAUGE, METRIC_INFO,
                   METRIC_HISTOGRAM };

/* What the samples of one family have in common. */
struct metric {
	const char *name;	/* a counter's ends with _total, an info's
				 * with _info */
	enum metric_kind kind;
	const char *help;
};

/* A format. In this order, for each family: begin(), its samples, end(). */
struct exposition {
	const char *media_type;
	bool in_pieces;		/* text may be sent before its family ends */
	/* Begins a family; what it returns is for end(). */
	size_t (*begin)(struct text *t, const struct metric *m);
	/* Appends a label to those of the next sample. The value is escaped;
	 * bytes that are not UTF-8 become question marks. */
	void (*label)(struct text *labels, const char *name,
	              const char *value);
	/* Append a sample. `labels` was filled by label(), or is { 0 }. */
	void (*count)(struct text *t, const struct metric *m,
	              const struct text *labels, uint64_t n);
	void (*number)(struct text *t, const struct metric *m,
	               const struct text *labels, double x);
	/* Appends a histogram's samples: the cumulative buckets, the sum in
	 * seconds, and the count. */
	void (*histogram)(struct text *t, const struct metric *m,
	                  const struct text *labels,
	                  const struct histogram_bound *bounds,
	                  const struct histogram *h);
	void (*end)(struct text *t, size_t begun);
	const char *last;		/* ends the text */
};

extern const struct exposition exposition_text, exposition_open,
                               exposition_protobuf;

/* Returns the format with the highest quality in an Accept header, which may be
 * NULL; the text of version 0.0.4 if there is none. */
const struct exposition *exposition_choose(const char *accept);

#endif

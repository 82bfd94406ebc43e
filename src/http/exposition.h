/* exposition.h - prints metrics in Prometheus' text format, version 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/).
 *
 *     # HELP linalgd_jobs_total Jobs that ended, by ...
 *     # TYPE linalgd_jobs_total counter
 *     linalgd_jobs_total{op="lu",device="0",outcome="successful"} 12
 */
#ifndef HTTP_EXPOSITION_H
#define HTTP_EXPOSITION_H

#include <stdint.h>

#include "base/histogram.h"
#include "base/text.h"

#define EXPOSITION_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* Appends the HELP and TYPE lines of a family. The caller appends the family's
 * samples next. */
void exposition_family(struct text *t, const char *name, const char *type,
                       const char *help);

/* Appends a label to a list of them. The value is escaped; bytes that are not
 * UTF-8 become question marks. */
void exposition_label(struct text *labels, const char *name,
                      const char *value);

/* Append a sample. `labels` was filled by exposition_label(), or is { 0 }. NAN
 * stands for an unknown number: then nothing is appended. */
void exposition_count(struct text *t, const char *name,
                      const struct text *labels, uint64_t n);
void exposition_number(struct text *t, const char *name,
                       const struct text *labels, double x);

/* Appends a histogram's samples: the cumulative buckets, the sum in seconds,
 * and the count. */
void exposition_histogram(struct text *t, const char *name,
                          const struct text *labels,
                          const struct histogram_bound *bounds,
                          const struct histogram *h);

#endif

/* histogram.h - counts durations by how long they were. */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BUCKETS = 20 };

/* The upper, inclusive bounds of a histogram's buckets ascend and end with
 * { UINT64_MAX, "+Inf" }; at most HISTOGRAM_BUCKETS in all. */
struct histogram_bound {
	uint64_t ns;
	const char *seconds;		/* ns in seconds, as text */
};

/* { 0 } is empty. count[i] does not include the buckets before it. */
struct histogram {
	uint64_t count[HISTOGRAM_BUCKETS];
	uint64_t sum_ns;
};

/* Adds `times` durations of ns nanoseconds each to the bucket that they fall
 * into and to the sum. */
void histogram_add(struct histogram *h, const struct histogram_bound *bounds,
                   uint64_t ns, uint64_t times);

#endif

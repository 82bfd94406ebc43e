/* histogram.h - counts durations by how long they were. */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BUCKETS = 20 };

/* Fine buckets ascend by powers of 2^(1/8): bucket k holds the durations of
 * more than 2^((k - 1) / 8) s, up to and including 2^(k / 8) s. These are the
 * buckets of a native histogram of Prometheus with schema 3. The first that
 * there is holds 1 ns, the last UINT64_MAX ns; 0 ns is counted apart. */
enum {
	HISTOGRAM_SCHEMA = 3,
	HISTOGRAM_FIRST = -239,
	HISTOGRAM_LAST = 273,
	HISTOGRAM_FINE = HISTOGRAM_LAST - HISTOGRAM_FIRST + 1,
};

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
	uint64_t zeros;			/* durations of 0 ns */
	uint64_t fine[HISTOGRAM_FINE];	/* [k - HISTOGRAM_FIRST] */
};

/* The fine bucket that ns nanoseconds, 1 or more, fall into: k. */
int histogram_fine(uint64_t ns);

/* Adds `times` durations of ns nanoseconds each to the buckets that they fall
 * into and to the sum. */
void histogram_add(struct histogram *h, const struct histogram_bound *bounds,
                   uint64_t ns, uint64_t times);

#endif

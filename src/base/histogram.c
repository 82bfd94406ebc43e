/* histogram.c - see histogram.h. */
#include <math.h>

#include "base/histogram.h"

/* 2^(i / 8 - 1): the upper bounds of the fine buckets from 1/2 to 1 but for the
 * last. */
static const double eighths[1 << HISTOGRAM_SCHEMA] = {
	0.5, 0.5452538663326288, 0.5946035575013605, 0.6484197773255048,
	0.7071067811865476, 0.7711054127039704, 0.8408964152537145,
	0.9170040432046712,
};

/* With seconds = fraction * 2^exponent, 1/2 <= fraction < 1, the bucket is
 * found among those of its power of two. */
int histogram_fine(uint64_t ns)
{
	int exponent, i = 0;
	const double fraction = frexp((double)ns / 1e9, &exponent);

	while (i < 1 << HISTOGRAM_SCHEMA && fraction > eighths[i])
		i++;
	return i + (exponent - 1) * (1 << HISTOGRAM_SCHEMA);
}

void histogram_add(struct histogram *h, const struct histogram_bound *bounds,
                   uint64_t ns, uint64_t times)
{
	int i = 0;

	while (ns > bounds[i].ns)
		i++;
	h->count[i] += times;
	h->sum_ns += ns * times;
	if (ns)
		h->fine[histogram_fine(ns) - HISTOGRAM_FIRST] += times;
	else
		h->zeros += times;
}

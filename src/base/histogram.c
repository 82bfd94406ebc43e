/* histogram.c - see histogram.h. */
#include "base/histogram.h"

void histogram_add(struct histogram *h, const struct histogram_bound *bounds,
                   uint64_t ns, uint64_t times)
{
	int i = 0;

	while (ns > bounds[i].ns)
		i++;
	h->count[i] += times;
	h->sum_ns += ns * times;
}

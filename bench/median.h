/* median.h - the median of measurements. */
#ifndef BENCH_MEDIAN_H
#define BENCH_MEDIAN_H

#include <stddef.h>

/* Of an even number the larger of the middle two; NAN if an element is. Sorts
 * x. */
double bench_median(double *x, size_t n);

#endif

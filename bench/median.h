/* median.h - the median of measurements. */
#ifndef BENCH_MEDIAN_H
#define BENCH_MEDIAN_H

#include <stddef.h>

/* The median of n numbers; of an even number of them, the larger of the middle
 * two. It is NAN if an element is NAN. Sorts x. */
double bench_median(double *x, size_t n);

#endif

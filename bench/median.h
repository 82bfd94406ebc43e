/* median.h - the middle of what was measured. */
#ifndef BENCH_MEDIAN_H
#define BENCH_MEDIAN_H

#include <stddef.h>

/* The upper one of two; NAN when any is. Leaves x sorted. */
double bench_median(double *x, size_t n);

#endif

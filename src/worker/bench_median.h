/* bench_median.h - the middle of what was measured. */
#ifndef WORKER_BENCH_MEDIAN_H
#define WORKER_BENCH_MEDIAN_H

#include <stddef.h>

/* The upper one of two; NAN when any is. Leaves x sorted. */
double bench_median(double *x, size_t n);

#endif

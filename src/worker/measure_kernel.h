/* measure_kernel.h - what measuring a device's peaks shares. */
#ifndef WORKER_MEASURE_KERNEL_H
#define WORKER_MEASURE_KERNEL_H

#include "device/seq.h"
#include "worker/measure.h"

/* Launches it a few times; nanoseconds of the shortest, -1 on failure. It is
 * the sequence's only kernel. */
int64_t measure_best(struct seq *s, struct grid g, const char *kernel,
                     const struct arg *args, size_t n);

/* As measure_flop(), by tensor cores; 0 without them. */
double measure_tensor(struct device *d, enum dtype dtype, struct err *e);

#endif

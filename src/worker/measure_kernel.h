/* measure_kernel.h - what the files that measure a device's peaks share. */
#ifndef WORKER_MEASURE_KERNEL_H
#define WORKER_MEASURE_KERNEL_H

#include "device/seq.h"
#include "worker/measure.h"

/* Launches a kernel, the only one of its sequence, a few times; returns the
 * shortest time in ns, or -1 on failure. */
int64_t measure_best(struct seq *s, struct grid g, const char *kernel,
                     const struct arg *args, size_t n);

/* As measure_flop(), by tensor cores; 0 on a device without them. */
double measure_tensor(struct device *d, enum dtype dtype, struct err *e);

#endif

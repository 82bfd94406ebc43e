/* measure.h - measures how fast a device reads its memory and how fast it
 * multiplies and adds: the lower bound of every kernel's time, and the peaks of
 * its sheet. */
#ifndef WORKER_MEASURE_H
#define WORKER_MEASURE_H

#include "device/device.h"

/* The time in ns of a kernel that only reads that many bytes; -1 on failure. */
int64_t measure_read(struct device *d, enum dtype dtype, double bytes,
                     struct err *e);

/* The time in ns of one floating-point operation with all compute units at
 * work; negative on failure. A multiply-add counts as two operations. Uses
 * tensor cores where they are faster and as accurate: for float32, three
 * products in TF32. */
double measure_flop(struct device *d, enum dtype dtype, struct err *e);

/* Measures the peaks, each the best of several tries; that of float64 stays 0
 * on a device without it. */
int measure_peaks(struct device *d, struct peaks *p, struct err *e);

/* measure_keep() writes a device's peaks to a text file below the cache
 * directory. They are read back only for the same name and driver; otherwise
 * the peaks stay 0. */
int measure_keep(const struct sheet *s, const char *cache, struct err *e);
void measure_recall(struct sheet *s, const char *cache);

#endif

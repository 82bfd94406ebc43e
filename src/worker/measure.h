/* measure.h - how fast a device reads its memory, and how fast it multiplies
 * and adds: the floor of every kernel, and the peaks of its sheet. */
#ifndef WORKER_MEASURE_H
#define WORKER_MEASURE_H

#include "device/device.h"

/* Nanoseconds of a kernel that only reads so many bytes; -1 on failure. */
int64_t measure_read(struct device *d, enum dtype dtype, double bytes,
                     struct err *e);

/* Nanoseconds of one floating-point operation, all units of the device
 * together; negative on failure. A multiply-add counts as two. By tensor cores
 * where they are faster and as accurate: float32 by three products in TF32. */
double measure_flop(struct device *d, enum dtype dtype, struct err *e);

/* The best of several tries; float64 stays 0 on a device without it. */
int measure_peaks(struct device *d, struct peaks *p, struct err *e);

/* Peaks are kept in a text file a device, below the cache directory. They
 * are recalled only for the same name and driver; else they stay 0. */
int measure_keep(const struct sheet *s, const char *cache, struct err *e);
void measure_recall(struct sheet *s, const char *cache);

#endif

/* ours.h - linalgd's side of a benchmark: calls of an operation on a device,
 * and the lower bound of their times. */
#ifndef BENCH_OURS_H
#define BENCH_OURS_H

#include "bench/rows.h"
#include "device/device.h"

/* Makes the row's operands, marked as stored matrices, and memory for the
 * outputs. The caller calls args_fini(a) after a failure as well. */
int bench_prepare(struct args *a, const struct bench_row *row,
                  const size_t dim[3], enum dtype dtype,
                  const struct sheet *s, struct memory_pool *pool,
                  struct err *e);

/* The variant that a worker on that device chooses, by the shipped table and
 * the one that `linalgd tune` kept; NULL with *e. */
const struct variant *bench_choose(const struct args *a,
                                   const struct sheet *s, struct err *e);

/* The least time in ns for that many bytes and operations on the device: that
 * of a kernel that only reads, or only multiplies and adds. */
int64_t bench_floor(struct device *d, enum dtype dtype, double flops,
                    double bytes, struct err *e);

#endif

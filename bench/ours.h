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
 * the one that `linalgd tune` kept. Returns NULL with *e on failure. */
const struct variant *bench_choose(const struct args *a,
                                   const struct sheet *s, struct err *e);

/* A lower bound in ns for a call that moves that many bytes and executes that
 * many operations on the device: the time of a kernel that only reads the
 * bytes, or of one that only executes the operations, whichever is longer.
 * Returns -1 with *e if a measurement fails. */
int64_t bench_floor(struct device *d, enum dtype dtype, double flops,
                    double bytes, struct err *e);

#endif

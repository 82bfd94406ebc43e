/* bench_ours.h - our side of a benchmark: calls of an operation on a device,
 * and how fast they could be at best. */
#ifndef WORKER_BENCH_OURS_H
#define WORKER_BENCH_OURS_H

#include "device/device.h"
#include "worker/bench_rows.h"

/* Dense operands of the row's shape, uniform in (-1, 1). */
int bench_make_random(struct args *a, const struct bench_row *row,
                      const size_t dim[3], enum dtype dtype,
                      struct memory_pool *pool, struct err *e);

/* Makes the row's operands, marked as stored matrices, and memory for the
 * outputs. The caller calls args_fini(a) also after a failure. */
int bench_prepare(struct args *a, const struct bench_row *row,
                  const size_t dim[3], enum dtype dtype,
                  const struct sheet *s, struct memory_pool *pool,
                  struct err *e);

/* The variant that a worker on that device takes by itself, by the shipped
 * table and by what `linalgd tune` kept; NULL with *e. */
const struct variant *bench_choose(const struct args *a,
                                   const struct sheet *s, struct err *e);

/* One call of a prepared operation: its compute_ns. */
int bench_call_once(struct device *d, struct args *a, int64_t *ns,
                    struct err *e);

/* Returns compute_ns of the shortest of so many calls, made without computing
 * their quality, or -1 on failure. Calls that compile something, and the first
 * call that does not, are not counted, except that a call longer than
 * PEER_LONG_NS ends the measurement and counts. */
int64_t bench_call(struct device *d, struct args *a, int times,
                   struct err *e);

/* Measures whole requests in the same way, by the host's clock: with the times
 * of all kernels, the quality that a->quality asks for, and the results
 * downloaded to the host's memory. */
int64_t bench_request(struct device *d, struct args *a, int times,
                      struct err *e);

/* The least time that so many bytes and operations take on the device: as
 * long as a kernel that only reads, or only multiplies and adds. */
int64_t bench_floor(struct device *d, enum dtype dtype, double flops,
                    double bytes, struct err *e);

#endif

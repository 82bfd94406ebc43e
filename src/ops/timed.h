/* timed.h - measures how long a call takes on a device, for the benchmark and
 * `linalgd tune`. */
#ifndef OPS_TIMED_H
#define OPS_TIMED_H

#include "device/device.h"
#include "ops/op.h"

/* A call at least this long is measured once: start-up costs hardly matter. */
#define TIMED_LONG_NS INT64_C(100000000)

/* Sets *ns to the compute_ns of one run of a prepared call. */
int timed_kernels_once(struct device *d, struct args *a, int64_t *ns,
                    struct err *e);

/* Returns compute_ns of the shortest of so many calls, made without computing
 * their quality, or -1 on failure. Calls that compile something, and the first
 * call that does not, are not counted, except that a call longer than
 * TIMED_LONG_NS ends the measurement and counts. */
int64_t timed_kernels(struct device *d, struct args *a, int times,
                   struct err *e);

/* Measures whole requests in the same way, by the host's clock: with the times
 * of all kernels, the quality that a->quality asks for, and the results
 * downloaded to the host's memory. */
int64_t timed_request(struct device *d, struct args *a, int times,
                      struct err *e);

#endif

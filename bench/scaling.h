/* scaling.h - `linalgd bench --suite scaling`: how time and memory grow
 * with sizes, queued jobs and connections.
 *
 *     scaling.c         every operation, n doubling
 *     scaling_queue.c   memory of the front for each job that waits
 *     scaling_pipeline.c  ten products as a pipeline, and as ten requests
 *     service.c         64 x 64 products on 1 to 1000 connections
 */
#ifndef BENCH_SCALING_H
#define BENCH_SCALING_H

#include "bench/service.h"
#include "device/device.h"

/* Prints each line as soon as it is measured, and reports failures on standard
 * error. b->work may be an operation, "queue", "pipeline" or "connections". The
 * sizes of an operation end before one that would take more than cell_ns. */
int bench_scaling_run(const struct bench_service *b, struct device *d,
                      int64_t cell_ns, struct err *e);

/* Measures the growth of the front's resident memory when many jobs, products
 * of n x n matrices, wait behind a long one. */
int bench_scaling_queue(const struct bench_service *b, size_t n,
                        struct err *e);

/* Measures ten products of n x n matrices as one pipeline, and as ten
 * requests. */
int bench_scaling_pipeline(const struct bench_service *b, size_t n,
                           struct err *e);

#endif

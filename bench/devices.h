/* devices.h - `linalgd bench --suite devices`: how much faster two, four
 * and eight devices are than one.
 *
 *     many jobs      LU factorizations of a stored matrix, four requests per
 *                    device open at all times; the figure is jobs per second,
 *                    and the ratio divides it by one device's figure
 *     one product    the product of two stored n x n matrices; the figure is
 *                    its time, and the ratio is one device's time over it
 *
 * For every line the benchmark starts a service with that many devices. */
#ifndef BENCH_DEVICES_H
#define BENCH_DEVICES_H

#include "bench/service.h"
#include "wire/sheet.h"

/* Prints each line as soon as it is measured. b->work may be "jobs" or
 * "product", and is NULL for both. size is the product's n, or 0 for one that
 * suits the kind of device. */
int bench_devices_run(const struct bench_service *b,
                      const struct sheet *sheets, int n, size_t size,
                      struct err *e);

#endif

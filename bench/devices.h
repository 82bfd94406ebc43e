/* devices.h - `linalgd bench --suite devices`: what is gained by two, four and
 * eight devices.
 *
 *     many jobs      factorizations of a stored matrix, four per device under
 *                    way at all times; per second, and relative to one device
 *     one product    of two stored n x n matrices; its time on one device
 *                    relative to that on several
 *
 * Each line is measured with a service of its own, which has that many
 * devices. */
#ifndef BENCH_DEVICES_H
#define BENCH_DEVICES_H

#include "bench/service.h"
#include "wire/sheet.h"

/* Prints lines as they are measured. b->work: "jobs" or "product". size: the
 * product's n; 0: one that suits the kind of device. */
int bench_devices_run(const struct bench_service *b,
                      const struct sheet *sheets, int n, size_t size,
                      struct err *e);

#endif

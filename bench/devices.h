/* devices.h - `linalgd bench --suite devices`: what a second device is
 * good for, and a fourth, and an eighth.
 *
 *     many jobs      factorizations of a stored matrix, always four a device on
 *                    their way; per second, and that over one device's
 *     one product    of two stored n x n matrices; its time on one device
 *                    over that on several
 *
 * Each line is of a service of its own, which is given so many devices.
 */
#ifndef BENCH_DEVICES_H
#define BENCH_DEVICES_H

#include "bench/service.h"
#include "wire/sheet.h"

/* Prints as it goes. b->work: "jobs" or "product". size: the product's n; 0:
 * what suits the kind of device. */
int bench_devices_run(const struct bench_service *b,
                      const struct sheet *sheets, int n, size_t size,
                      struct err *e);

#endif

/* foresee.h - tells a device which kernels operations may launch, so that
 * their programs are compiled into the cache before.
 */
#ifndef WORKER_FORESEE_H
#define WORKER_FORESEE_H

#include "device/device.h"

/* By the variants that `auto` may take, in every type that the device has. */
void foresee_usual(struct device *d);

#endif

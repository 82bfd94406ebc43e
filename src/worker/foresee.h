/* foresee.h - tells a device which kernels operations may launch, so that
 * their programs are compiled into the cache before.
 */
#ifndef WORKER_FORESEE_H
#define WORKER_FORESEE_H

#include "device/device.h"

/* In every type that the device has: by the variants that `auto` may take of
 * all operations ("usual"), or by all variants, of one of that name or of all
 * ("all"). */
void foresee(struct device *d, const char *what);

#endif

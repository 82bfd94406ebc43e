/* foresee.h - notes for a device which kernels operations may launch, so that
 * their programs are compiled into the cache beforehand. */
#ifndef WORKER_FORESEE_H
#define WORKER_FORESEE_H

#include "device/device.h"

/* Notes kernels for every element type that the device has. what: "usual", the
 * variants that `auto` may take, of all operations; "all", all variants of all
 * operations; or an operation's name, all variants of it. */
void foresee(struct device *d, const char *what);

#endif

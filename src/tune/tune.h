/* tune.h - finds which variant of an operation is the fastest on a device. */
#ifndef TUNE_TUNE_H
#define TUNE_TUNE_H

#include "device/device.h"
#include "ops/tuning.h"

struct tuner {
	struct device *device;
	struct memory_pool *pool;
	int64_t until_ns;		/* clock_ns() at which to stop, if
					 * nothing had to be compiled */
	size_t largest;			/* size to measure */
	struct tuning found;
};

/* Measures every variant that `auto` may take on some kind of device, size by
 * size from the smallest, and prints a line each. A variant is chosen where it
 * is the fastest and passes `linalgd check`; one that was far behind at a size
 * is not tried at larger ones. */
void tune_search(struct tuner *t);

#endif

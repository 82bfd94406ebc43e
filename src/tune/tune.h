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

/* Measures every variant that `auto` may choose on some kind of device, from
 * the smallest size to the largest, and prints a line for each size. A variant
 * is chosen for the sizes at which it is the fastest, if it passes `linalgd
 * check`. A variant that is far behind at one size is not tried at larger
 * ones. */
void tune_search(struct tuner *t);

#endif

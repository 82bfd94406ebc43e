/* tune.h - finds which variant of an operation is the fastest on a device. */
#ifndef TUNE_TUNE_H
#define TUNE_TUNE_H

#include "device/device.h"
#include "ops/tuning.h"

struct tuner {
	struct device *device;
	struct memory_pool *pool;
	int64_t until_ns;		/* clock_ns(): the time box's end,
					 * if nothing had to be compiled */
	size_t largest;			/* size */
	struct tuning found;
};

/* Measures every variant that some kind of device takes by itself, size by
 * size from the smallest, and prints a line each. A variant counts where it
 * is the fastest and `linalgd check` passes it; one that was far behind at
 * a size is not tried at larger ones. */
void tune_search(struct tuner *t);

#endif

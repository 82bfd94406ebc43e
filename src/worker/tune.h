/* tune.h - `linalgd tune`: finds which variant is the fastest on a device. */
#ifndef WORKER_TUNE_H
#define WORKER_TUNE_H

#include "device/device.h"
#include "ops/tuning.h"

/* The subcommand, argv[0] being "tune"; its exit status. */
int tune_main(int argc, char **argv);

/* The shipped table, and over it what tune kept in that cache directory
 * (NULL: none) for this device and driver. */
void tune_recall(struct tuning *t, const struct sheet *s, const char *cache);
int tune_keep(const struct tuning *t, const struct sheet *s,
              const char *cache, struct err *e);

/* tune_search.c */
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

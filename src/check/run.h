/* run.h - runs rows of `linalgd check` on a device. */
#ifndef CHECK_RUN_H
#define CHECK_RUN_H

#include <stdbool.h>

#include "check/rows.h"
#include "device/device.h"

struct checker {
	struct device *device;
	struct memory_pool *pool;
	const char *op;			/* only rows of this one, or NULL */
	const char *variant;		/* only that variant, or NULL */
	unsigned dtypes;		/* only these types; 0: all */
	bool quick;			/* small sizes only */
	bool quiet;			/* count, but do not print */
	unsigned passed, failed, skipped;	/* lines */
};

/* Runs every row of every table, and prints each line as soon as it is known.
 * Ends early when the device is lost, which counts as a failure. */
void check_run(struct checker *c);

#endif

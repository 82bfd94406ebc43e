/* run.h - runs rows of `linalgd check` on a device. */
#ifndef CHECK_RUN_H
#define CHECK_RUN_H

#include <stdbool.h>

#include "check/rows.h"
#include "device/device.h"

struct checker {
	struct device *device;
	struct memory_pool *pool;
	const char *op;			/* only its rows, or NULL: all */
	const char *variant;		/* only that one, or NULL: all, */
	unsigned dtypes;		/* and only these; 0: all */
	bool quick;			/* small sizes only */
	bool quiet;			/* count, but do not print */
	unsigned passed, failed, skipped;	/* lines */
};

/* Every row of every table; prints a line as soon as it is settled. Ends
 * early when the device is lost, which counts as a failure. */
void check_run(struct checker *c);

#endif

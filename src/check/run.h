/* run.h - runs rows of `linalgd check` on a device. */
#ifndef CHECK_RUN_H
#define CHECK_RUN_H

#include <stdbool.h>

#include "check/rows.h"
#include "device/device.h"

struct checker {
	struct device *device;
	struct memory_pool *pool;
	const char *op;			/* run its rows only; NULL: all */
	const char *variant;		/* run that one only; NULL: all */
	unsigned dtypes;		/* DTYPE_BIT()s to run; 0: all */
	bool quick;			/* run small sizes only */
	bool quiet;			/* count the lines, print none */
	unsigned passed, failed, skipped;	/* lines so far */
};

/* Runs the wanted rows of all tables, and prints each line as soon as its cases
 * have run. If the device is lost, this counts as a failure and ends the
 * run. */
void check_run(struct checker *c);

#endif

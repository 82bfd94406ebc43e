/* seeds.h - `linalgd bench --suite seeds`: the tables of the articles
 * that linalgd grew from, with the figures they published and this device's
 * beside each other.
 *
 *     seeds_tables.c   what the articles measured, their figures
 *     seeds_cell.c     one figure of this device
 *     seeds_error.c    how wrong a result is
 *     seeds_print.c    a table as text
 *     seeds_json.c     a table as JSON lines and as a plot
 *     seeds_sheet.c    the device, beside the articles' V100
 */
#ifndef BENCH_SEEDS_H
#define BENCH_SEEDS_H

#include "device/device.h"
#include "matrix/memory.h"

struct bench_seeds {
	struct device *device;
	struct memory_pool *pool;
	const char *work;		/* that table, or sheet; NULL: all */
	const char *plots;		/* directory of SVGs; NULL: none */
	int64_t cell_ns;		/* slower ones: no larger sizes */
	bool json;
};

/* Prints as it goes. A figure that fails is told in its place; -1 only when
 * there is nothing to go on with. */
int bench_seeds_run(const struct bench_seeds *b, struct err *e);

#endif

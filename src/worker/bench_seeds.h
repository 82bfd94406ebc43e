/* bench_seeds.h - `linalgd bench --suite seeds`: the tables of the articles
 * that linalgd grew from, with the figures they published and this device's
 * beside each other.
 *
 *     bench_seeds_tables.c   what the articles measured, their figures
 *     bench_seeds_cell.c     one figure of this device
 *     bench_seeds_kernels.c  the articles' single kernels
 *     bench_seeds_error.c    how wrong a result is
 *     bench_seeds_print.c    a table as text
 *     bench_seeds_json.c     a table as JSON lines and as a plot
 *     bench_seeds_sheet.c    the device, beside the articles' V100
 */
#ifndef WORKER_BENCH_SEEDS_H
#define WORKER_BENCH_SEEDS_H

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

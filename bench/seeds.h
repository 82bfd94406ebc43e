/* seeds.h - `linalgd bench --suite seeds`: the tables of the articles that
 * linalgd grew from, each with the published figures beside this device's.
 *
 *     seeds_tables.c   what the articles measured, their figures
 *     seeds_cell.c     one figure of this device
 *     seeds_error.c    the error of a result
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
	const char *work;		/* only that table; NULL: all */
	const char *plots;		/* directory of SVGs; NULL: none */
	int64_t cell_ns;		/* versions slower than this are left
					 * out at larger sizes */
	bool json;
};

/* Prints lines as they are measured. A figure that fails is reported in its
 * place; returns -1 only when nothing more can be measured. */
int bench_seeds_run(const struct bench_seeds *b, struct err *e);

#endif

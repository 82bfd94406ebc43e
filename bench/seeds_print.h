/* seeds_print.h - a table of figures, as text for people, as JSON lines
 * for programs, and as a plot. Text comes in three parts, so that a line is
 * out as soon as it was measured. */
#ifndef BENCH_SEEDS_PRINT_H
#define BENCH_SEEDS_PRINT_H

#include "base/text.h"
#include "bench/seeds_cell.h"

/* What was measured of one table; cell[i][v]: size i, version v. */
struct seed_figures {
	const struct seed_table *table;
	const char *device;
	double cell_ms;			/* what a figure may take */
	double floor_ms[SEED_SIZES];	/* NAN: none */
	struct seed_cell cell[SEED_SIZES][SEED_VERSIONS];
};

int seed_count_versions(const struct seed_table *t);
int seed_count_sizes(const struct seed_table *t);

void seed_print_heading(struct text *t, const struct seed_figures *f);
void seed_print_row(struct text *t, const struct seed_figures *f, int size);
void seed_print_ending(struct text *t, const struct seed_figures *f);

/* To standard output: a line a version and machine. */
void seed_print_json(const struct seed_figures *f, int size);

/* Measures the device's peaks. */
int seed_print_sheet(struct text *t, struct device *d, struct err *e);

void seed_plot(struct text *t, const struct seed_figures *f);

#endif

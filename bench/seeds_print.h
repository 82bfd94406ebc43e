/* seeds_print.h - prints a table of figures as text, as JSON lines and as a
 * plot. Text is made in three parts, so that a line is printed as soon as it
 * has been measured. */
#ifndef BENCH_SEEDS_PRINT_H
#define BENCH_SEEDS_PRINT_H

#include "base/text.h"
#include "bench/seeds_cell.h"

/* The figures of one table; cell[i][v]: size i, version v. */
struct seed_figures {
	const struct seed_table *table;
	const char *device;
	double cell_ms;			/* time limit of a figure */
	double floor_ms[SEED_SIZES];	/* NAN: none */
	struct seed_cell cell[SEED_SIZES][SEED_VERSIONS];
};

int seed_count_versions(const struct seed_table *t);
int seed_count_sizes(const struct seed_table *t);

void seed_print_heading(struct text *t, const struct seed_figures *f);
void seed_print_row(struct text *t, const struct seed_figures *f, int size);
void seed_print_ending(struct text *t, const struct seed_figures *f);

/* Prints to standard output a line per version and machine. */
void seed_print_json(const struct seed_figures *f, int size);

/* Appends the device's sheet; measures its peaks. */
int seed_print_sheet(struct text *t, struct device *d, struct err *e);

void seed_plot(struct text *t, const struct seed_figures *f);

#endif

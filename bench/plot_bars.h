/* plot_bars.h - the bars of a plot with one x. */
#ifndef BENCH_PLOT_BARS_H
#define BENCH_PLOT_BARS_H

#include "bench/plot.h"

/* Draws a bar for each line that has a value, from the top in their order. */
void plot_draw_bars(struct text *t, const struct plot *p);

#endif

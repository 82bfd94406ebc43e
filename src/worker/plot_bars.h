/* plot_bars.h - the bars of a plot with one x. */
#ifndef WORKER_PLOT_BARS_H
#define WORKER_PLOT_BARS_H

#include "worker/plot.h"

/* A bar a line that has a value, from above in their order. */
void plot_draw_bars(struct text *t, const struct plot *p);

#endif

/* plot.h - draws figures as an SVG: lines over logarithmic axes or, for a
 * single x, bars along a logarithmic axis. */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include "base/text.h"

struct plot_line {
	const char *name;
	int colour;			/* lines of one colour are related */
	int dash;			/* a pattern's number; 0: solid */
	const double *y;		/* one per x; NAN or 0: a gap */
};

struct plot {
	const char *title, *subtitle, *x_name, *y_name;
	const double *x;		/* ascending, positive */
	size_t n;
	const struct plot_line *line;
	size_t n_lines;
};

/* Appends the document. Lines are drawn in their order, the last on top. */
void plot_svg(struct text *t, const struct plot *p);

#endif

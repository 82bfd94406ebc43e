/* plot_frame.h - what a plot's two forms share: where a value stands, how it
 * is written, and the page around them. */
#ifndef BENCH_PLOT_FRAME_H
#define BENCH_PLOT_FRAME_H

#include "bench/plot.h"

/* Pixels. The lines' names stand to the right of the frame, the bars' to its
 * left. */
enum {
	PLOT_WIDTH = 960, PLOT_HEIGHT = 560, PLOT_TOP = 70, PLOT_BOTTOM = 500,
	PLOT_NAMES = 200,		/* beside the frame */
	PLOT_MARGIN = 70,		/* on its other side */
	PLOT_LINE = 16,			/* from one name to the next */
};

/* From low at pixel `from` to high at pixel `to`, logarithmic. */
struct plot_scale {
	double low, high, from, to;
};

double plot_place(const struct plot_scale *s, double value);

/* Is it a value that a logarithmic axis has? */
bool plot_has(double value);

/* The decades that hold every line's values. */
struct plot_scale plot_decades(const struct plot *p, double from, double to);

/* "0.01", "100", "128K", "32M" */
enum { PLOT_NUMBER = 24 };
const char *plot_number(double x, char text[PLOT_NUMBER]);

const char *plot_colour(int colour);	/* 0 alone is black */
const char *plot_dash(int dash);	/* "" for solid */

/* With what XML gives a meaning replaced. */
void plot_escape(struct text *t, const char *s);

/* A line of text; anchor start, middle or end. */
void plot_text(struct text *t, double x, double y, const char *anchor,
               const char *class, const char *s);

void plot_begin(struct text *t, const struct plot *p);

#endif

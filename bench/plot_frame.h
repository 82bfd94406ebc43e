/* plot_frame.h - functions that line plots and bar plots share: the positions
 * of values, their texts, and the page around them. */
#ifndef BENCH_PLOT_FRAME_H
#define BENCH_PLOT_FRAME_H

#include "bench/plot.h"

/* Sizes in pixels. The names of lines stand to the right of the frame, those of
 * bars to its left. */
enum {
	PLOT_WIDTH = 960, PLOT_HEIGHT = 560, PLOT_TOP = 70, PLOT_BOTTOM = 500,
	PLOT_NAMES = 200,		/* beside the frame */
	PLOT_MARGIN = 70,		/* on its other side */
	PLOT_LINE = 16,			/* from one name to the next */
};

/* A logarithmic scale from `low` at pixel `from` to `high` at pixel `to`. */
struct plot_scale {
	double low, high, from, to;
};

double plot_place(const struct plot_scale *s, double value);

/* Can a logarithmic axis show the value? */
bool plot_has(double value);

/* A scale of whole decades that holds every line's values. */
struct plot_scale plot_decades(const struct plot *p, double from, double to);

/* A number as text: "0.01", "100", "128K", "32M". */
enum { PLOT_NUMBER = 24 };
const char *plot_number(double x, char text[PLOT_NUMBER]);

const char *plot_colour(int colour);	/* 0 alone is black */
const char *plot_dash(int dash);	/* "" for solid */

/* Appends s with XML's special characters escaped. */
void plot_escape(struct text *t, const char *s);

/* Appends a text; anchor: "start", "middle" or "end". */
void plot_text(struct text *t, double x, double y, const char *anchor,
               const char *class, const char *s);

void plot_begin(struct text *t, const struct plot *p);

#endif

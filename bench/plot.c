/* plot.c - see plot.h: draws lines, and chooses between lines and bars. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "bench/plot_bars.h"
#include "bench/plot_frame.h"

enum {
	LEFT = PLOT_MARGIN,
	RIGHT = PLOT_WIDTH - PLOT_NAMES,
	MOST_NAMES = (PLOT_BOTTOM - PLOT_TOP) / PLOT_LINE,
};

static struct plot_scale scale_of_x(const struct plot *p)
{
	return (struct plot_scale){ p->x[0], p->x[p->n - 1], LEFT, RIGHT };
}

static void grid_line(struct text *t, double x1, double y1, double x2,
                      double y2)
{
	text_printf(t, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
	            "y2=\"%.1f\" class=\"grid\"/>\n", x1, y1, x2, y2);
}

static void axes(struct text *t, const struct plot *p,
                 const struct plot_scale *sx, const struct plot_scale *sy)
{
	char number[PLOT_NUMBER];

	for (size_t i = 0; i < p->n; i++) {
		const double x = plot_place(sx, p->x[i]);

		grid_line(t, x, PLOT_TOP, x, PLOT_BOTTOM);
		plot_text(t, x, PLOT_BOTTOM + 18, "middle", "",
		          plot_number(p->x[i], number));
	}
	for (double v = sy->low; v < sy->high * 1.5; v *= 10) {
		const double y = plot_place(sy, v);

		grid_line(t, LEFT, y, RIGHT, y);
		plot_text(t, LEFT - 8, y + 4, "end", "",
		          plot_number(v, number));
	}
	plot_text(t, (LEFT + RIGHT) / 2.0, PLOT_BOTTOM + 42, "middle", "",
	          p->x_name);
	text_printf(t, "<g transform=\"rotate(-90 18 %d)\">",
	            (PLOT_TOP + PLOT_BOTTOM) / 2);
	plot_text(t, 18, (PLOT_TOP + PLOT_BOTTOM) / 2.0, "middle", "",
	          p->y_name);
	text_puts(t, "</g>\n");
}

static void begin_stroke(struct text *t, const struct plot_line *l)
{
	text_printf(t, "<polyline fill=\"none\" stroke=\"%s\" "
	            "stroke-width=\"%s\" stroke-dasharray=\"%s\" points=\"",
	            plot_colour(l->colour), l->dash ? "1.5" : "2.5",
	            plot_dash(l->dash));
}

/* Draws the line from gap to gap, with a dot at every point of a solid one. */
static void draw_line(struct text *t, const struct plot *p,
                      const struct plot_line *l,
                      const struct plot_scale *sx,
                      const struct plot_scale *sy)
{
	bool open = false;

	for (size_t i = 0; i < p->n; i++) {
		const bool has = plot_has(l->y[i]);

		if (has && !open)
			begin_stroke(t, l);
		if (!has && open)
			text_puts(t, "\"/>\n");
		if (has)
			text_printf(t, "%.1f,%.1f ", plot_place(sx, p->x[i]),
			            plot_place(sy, l->y[i]));
		open = has;
	}
	if (open)
		text_puts(t, "\"/>\n");
	for (size_t i = 0; i < p->n && !l->dash; i++)
		if (plot_has(l->y[i]))
			text_printf(t, "<circle cx=\"%.1f\" cy=\"%.1f\" "
			            "r=\"3\" fill=\"%s\"/>\n",
			            plot_place(sx, p->x[i]),
			            plot_place(sy, l->y[i]),
			            plot_colour(l->colour));
}

/* A line's name, and its height. */
struct name {
	const struct plot_line *line;
	double y;
};

static int by_height(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	return (x->y > y->y) - (x->y < y->y);
}

/* The names of the lines with points, at the heights of their last points. */
static size_t names_of(const struct plot *p, const struct plot_scale *sy,
                       struct name names[MOST_NAMES])
{
	size_t n = 0;

	for (size_t l = 0; l < p->n_lines && n < MOST_NAMES; l++)
		for (size_t i = p->n; i-- > 0; )
			if (plot_has(p->line[l].y[i])) {
				names[n++] = (struct name){ &p->line[l],
				    plot_place(sy, p->line[l].y[i]) };
				break;
			}
	qsort(names, n, sizeof *names, by_height);
	return n;
}

/* Moves names apart from each other, keeping all above the frame's bottom. */
static void spread(struct name *names, size_t n)
{
	for (size_t i = 1; i < n; i++)
		names[i].y = fmax(names[i].y, names[i - 1].y + PLOT_LINE);
	for (size_t i = n; i-- > 0; )
		names[i].y = fmin(names[i].y, i + 1 < n ?
		    names[i + 1].y - PLOT_LINE : PLOT_BOTTOM);
}

static void draw_names(struct text *t, const struct plot *p,
                       const struct plot_scale *sy)
{
	struct name names[MOST_NAMES];
	const size_t n = names_of(p, sy, names);

	spread(names, n);
	for (size_t i = 0; i < n; i++) {
		const struct plot_line *l = names[i].line;

		begin_stroke(t, l);
		text_printf(t, "%d,%.1f %d,%.1f\"/>\n", RIGHT + 8, names[i].y,
		            RIGHT + 34, names[i].y);
		plot_text(t, RIGHT + 40, names[i].y + 4, "start",
		          l->dash ? "" : "ours", l->name);
	}
}

static void draw_lines(struct text *t, const struct plot *p)
{
	const struct plot_scale sx = scale_of_x(p);
	const struct plot_scale sy = plot_decades(p, PLOT_BOTTOM, PLOT_TOP);

	axes(t, p, &sx, &sy);
	for (size_t l = 0; l < p->n_lines; l++)
		draw_line(t, p, &p->line[l], &sx, &sy);
	draw_names(t, p, &sy);
}

void plot_svg(struct text *t, const struct plot *p)
{
	plot_begin(t, p);
	(p->n > 1 ? draw_lines : plot_draw_bars)(t, p);
	text_puts(t, "</svg>\n");
}

/* plot_bars.c - see plot_bars.h. The bar of a dashed line is hollow. */
#include "bench/plot_bars.h"
#include "bench/plot_frame.h"

enum {
	LEFT = PLOT_NAMES + PLOT_MARGIN / 2,
	RIGHT = PLOT_WIDTH - PLOT_MARGIN,
	MOST_THICK = 30,
};

static void axis(struct text *t, const struct plot *p,
                 const struct plot_scale *s)
{
	char number[PLOT_NUMBER];

	for (double v = s->low; v < s->high * 1.5; v *= 10) {
		const double x = plot_place(s, v);

		text_printf(t, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" "
		            "y2=\"%d\" class=\"grid\"/>\n", x, PLOT_TOP, x,
		            PLOT_BOTTOM);
		plot_text(t, x, PLOT_BOTTOM + 18, "middle", "",
		          plot_number(v, number));
	}
	plot_text(t, (LEFT + RIGHT) / 2.0, PLOT_BOTTOM + 42, "middle", "",
	          p->y_name);
}

static void draw_bar(struct text *t, const struct plot_line *l,
                     const struct plot_scale *s, double y, double thick)
{
	const double end = plot_place(s, l->y[0]);
	struct text value = { 0 };

	text_printf(t, "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" "
	            "height=\"%.1f\" stroke=\"%s\" stroke-dasharray=\"%s\" "
	            "fill=\"%s\"/>\n", LEFT, y, end - LEFT, thick,
	            plot_colour(l->colour), plot_dash(l->dash),
	            l->dash ? "white" : plot_colour(l->colour));
	plot_text(t, LEFT - 8, y + thick / 2 + 4, "end",
	          l->dash ? "" : "ours", l->name);
	text_printf(&value, l->y[0] < 1000 ? "%.3g" : "%.0f", l->y[0]);
	plot_text(t, end + 6, y + thick / 2 + 4, "start", "",
	          value.data ? value.data : "");
	text_fini(&value);
}

void plot_draw_bars(struct text *t, const struct plot *p)
{
	const struct plot_scale s = plot_decades(p, LEFT, RIGHT);
	size_t n = 0, at = 0;
	double room;

	for (size_t l = 0; l < p->n_lines; l++)
		n += plot_has(p->line[l].y[0]);
	axis(t, p, &s);
	if (n == 0)
		return;
	room = (double)(PLOT_BOTTOM - PLOT_TOP) / (double)n;
	if (room > MOST_THICK / 0.7)
		room = MOST_THICK / 0.7;
	for (size_t l = 0; l < p->n_lines; l++)
		if (plot_has(p->line[l].y[0]))
			draw_bar(t, &p->line[l], &s, PLOT_TOP + room *
			         (0.15 + (double)at++), 0.7 * room);
}

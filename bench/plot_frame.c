/* plot_frame.c - see plot_frame.h. */
#include <math.h>
#include <stdio.h>

#include "base/size.h"
#include "bench/plot_frame.h"

/* Colours that remain distinct without telling red from green (M. Okabe, K.
 * Ito, 2008); the first is black. */
static const char *const colours[] = {
	"#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00",
	"#56b4e9",
};

static const char *const dashes[] = { "", "7 4", "2 3" };

const char *plot_colour(int colour)
{
	const size_t others = COUNT(colours) - 1;

	return colours[colour ? 1 + ((size_t)colour - 1) % others : 0];
}

const char *plot_dash(int dash)
{
	return dashes[(size_t)dash % COUNT(dashes)];
}

bool plot_has(double value)
{
	return isfinite(value) && value > 0;
}

double plot_place(const struct plot_scale *s, double value)
{
	return s->from + (s->to - s->from) * log(value / s->low) /
	                 log(s->high / s->low);
}

struct plot_scale plot_decades(const struct plot *p, double from, double to)
{
	struct plot_scale s = { INFINITY, 0, from, to };

	for (size_t l = 0; l < p->n_lines; l++)
		for (size_t i = 0; i < p->n; i++) {
			const double y = p->line[l].y[i];

			if (!plot_has(y))
				continue;
			s.low = fmin(s.low, y);
			s.high = fmax(s.high, y);
		}
	if (s.high == 0)
		s.low = s.high = 1;
	s.low = pow(10, floor(log10(s.low)));
	s.high = pow(10, ceil(log10(s.high)));
	if (s.high <= s.low)
		s.high = 10 * s.low;
	return s;
}

const char *plot_number(double x, char text[PLOT_NUMBER])
{
	const double kilo = 1024, mega = kilo * kilo;

	if (x >= mega && fmod(x, mega) == 0)
		snprintf(text, PLOT_NUMBER, "%.0fM", x / mega);
	else if (x >= 64 * kilo && fmod(x, kilo) == 0)
		snprintf(text, PLOT_NUMBER, "%.0fK", x / kilo);
	else
		snprintf(text, PLOT_NUMBER, x < 1 ? "%g" : "%.0f", x);
	return text;
}

void plot_escape(struct text *t, const char *s)
{
	for (; *s; s++)
		if (*s == '&')
			text_puts(t, "&amp;");
		else if (*s == '<')
			text_puts(t, "&lt;");
		else if (*s == '>')
			text_puts(t, "&gt;");
		else if ((unsigned char)*s >= ' ')
			text_add(t, s, 1);
}

void plot_text(struct text *t, double x, double y, const char *anchor,
               const char *class, const char *s)
{
	text_printf(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" "
	            "class=\"%s\">", x, y, anchor, class);
	plot_escape(t, s);
	text_puts(t, "</text>\n");
}

void plot_begin(struct text *t, const struct plot *p)
{
	text_printf(t, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
	            "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
	            "<style>text{font-family:sans-serif;font-size:12px;"
	            "fill:#222}.title{font-size:17px;font-weight:bold}"
	            ".ours{font-weight:bold}"
	            ".grid{stroke:#ddd;stroke-width:1}</style>\n"
	            "<rect width=\"100%%\" height=\"100%%\" "
	            "fill=\"white\"/>\n",
	            PLOT_WIDTH, PLOT_HEIGHT, PLOT_WIDTH, PLOT_HEIGHT);
	plot_text(t, PLOT_MARGIN, 28, "start", "title", p->title);
	plot_text(t, PLOT_MARGIN, 48, "start", "", p->subtitle);
}

/* samples.h - writes samples of metrics, and their labels, to the page of a
 * scrape (families.h). The metric's name is that of s->family. */
#ifndef HTTP_SAMPLES_H
#define HTTP_SAMPLES_H

#include <math.h>
#include <stdio.h>

#include "http/families.h"

static inline void label(struct scrape *s, const char *name, const char *value)
{
	s->format->label(&s->labels, name, value);
}

static inline void label_number(struct scrape *s, const char *name, int value)
{
	char text[12];

	snprintf(text, sizeof text, "%d", value);
	label(s, name, text);
}

/* Each put_... function writes one sample, with the labels that were added
 * since the previous sample. */
static inline void put_count(struct scrape *s, uint64_t n)
{
	s->format->count(&s->page, &s->family->metric, &s->labels, n);
	text_clear(&s->labels);
}

/* Writes no sample if x is NAN, which stands for an unknown number. */
static inline void put_number(struct scrape *s, double x)
{
	if (!isnan(x))
		s->format->number(&s->page, &s->family->metric, &s->labels, x);
	text_clear(&s->labels);
}

static inline void put_histogram(struct scrape *s,
                          const struct histogram_bound *bounds,
                          const struct histogram *h)
{
	s->format->histogram(&s->page, &s->family->metric, &s->labels, bounds,
	                     h);
	text_clear(&s->labels);
}

static inline void put_state(struct scrape *s, const char *state, uint64_t n)
{
	label(s, "state", state);
	put_count(s, n);
}

#endif

/* metrics.c - GET /metrics: what the service counted, for Prometheus.
 *
 * families.c has a table of the families of metrics. A family consists of
 * parts: one for each operation, kernel, device, ... The text is printed a few
 * parts at a time while it is sent, so that a scrape occupies the loop for some
 * microseconds at a time, however many metrics there are, and a slow client
 * costs no more memory than one page, or one family as Protocol Buffers. All
 * samples of a histogram are printed at once, so that its buckets, sum and
 * count agree.
 */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "http/families.h"

enum { PAGE = 8 << 10 };		/* bytes that are printed at once */

static void print_part(struct scrape *s)
{
	const struct family *f = s->family;

	if (f->parts && f->parts(s) == 0) {
		s->family++;
		return;
	}
	if (s->part == 0)
		s->begun = s->format->begin(&s->page, &f->metric);
	f->print(s, s->part);
	if (++s->part < (f->parts ? f->parts(s) : 1))
		return;
	s->format->end(&s->page, s->begun);
	s->part = 0;
	s->family++;
}

/* May the page be sent? A family whose length stands before it may not until
 * its last part is printed. */
static bool is_filled(const struct scrape *s)
{
	const bool whole = s->part == 0 || s->format->in_pieces;

	return whole && s->page.length >= PAGE;
}

/* Prints until the page is filled, for as long as one turn of the loop may
 * take; false: the page cannot be sent yet. */
static bool print_page(struct scrape *s)
{
	const size_t most = s->page.length + PAGE;

	while (s->family->metric.name && !is_filled(s)) {
		if (s->page.length >= most)
			return false;
		print_part(s);
	}
	if (!s->family->metric.name && !s->ended) {
		text_puts(&s->page, s->format->last);
		s->ended = true;
	}
	return true;
}

static void resume(void *arg)
{
	struct scrape *s = arg;

	exchange_resume(s->exchange);
}

static ssize_t scrape_more(void *arg, char *room, size_t most)
{
	struct scrape *s = arg;
	size_t n;

	if (s->at == s->page.length) {
		s->at = 0;
		text_clear(&s->page);
	}
	if (s->at == 0 && !print_page(s)) {
		loop_later(s->api->options.loop, &s->turn, resume, s);
		return STREAM_LATER;
	}
	n = size_min(most, s->page.length - s->at);
	if (s->page.failed)
		return -1;
	memcpy(room, s->page.data + s->at, n);
	s->at += n;
	return (ssize_t)n;
}

static void scrape_free(void *arg)
{
	struct scrape *s = arg;

	loop_later_clear(s->api->options.loop, &s->turn);
	text_fini(&s->labels);
	text_fini(&s->page);
	free(s);
}

static int send_metrics(struct exchange *x, void *state, struct err *e)
{
	const struct api *a = exchange_context(x);
	struct scrape *s;

	(void)state;
	if (exchange_query(x, refuse_argument, NULL, e))
		return -1;
	s = calloc(1, sizeof *s);
	if (!s)
		return err_set(e, ERR_MEMORY, "no memory for the metrics");
	*s = (struct scrape){ .api = a, .exchange = x,
	                      .engine = a->options.engine,
	                      .family = families,
	                      .format = exposition_choose(exchange_accept(x)) };
	exchange_reply_header(x, "Vary", "Accept");
	exchange_reply_stream(x, 200, s->format->media_type, UINT64_MAX,
	                      scrape_more, scrape_free, s);
	return 0;
}

const struct handler metrics_handler = { .done = send_metrics };

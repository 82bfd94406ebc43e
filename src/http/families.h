/* families.h - the families of metrics that GET /metrics (metrics.c) sends. */
#ifndef HTTP_FAMILIES_H
#define HTTP_FAMILIES_H

#include "http/exposition.h"
#include "http/service.h"

struct family;

/* A reply to GET /metrics that is being sent. */
struct scrape {
	const struct api *api;
	struct exchange *exchange;
	struct post turn;		/* goes on in the loop's next turn */
	const struct engine *engine;
	const struct exposition *format;
	const struct family *family;	/* the next one to print */
	int part;			/* its next part */
	size_t begun;			/* what format->begin() returned */
	bool ended;			/* also format->last is printed */
	struct text labels;		/* scratch */
	struct text page;		/* to be sent next, from `at` on */
	size_t at;
};

struct family {
	struct metric metric;
	/* Appends a part to s->page. The parts are printed in ascending order,
	 * from 0 on. */
	void (*print)(struct scrape *s, int part);
	int (*parts)(const struct scrape *s);	/* the number of parts; NULL
						 * stands for 1; with 0 the
						 * family is left out */
};

/* All families, in the order in which they are printed; the last has no
 * name. */
extern const struct family families[];

#endif

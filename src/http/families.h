/* families.h - the families of metrics that GET /metrics tells (metrics.c). */
#ifndef HTTP_FAMILIES_H
#define HTTP_FAMILIES_H

#include "http/service.h"

struct family;

/* A scrape that is being sent. */
struct scrape {
	const struct api *api;
	const struct engine *engine;
	const struct family *family;	/* the next to print; its part: */
	int part;
	struct text labels;		/* scratch */
	struct text page;		/* to be sent next, from `at` on */
	size_t at;
};

struct family {
	const char *name, *type, *help;
	/* Appends one of the parts, one after the other, to s->page. */
	void (*print)(struct scrape *s, int part);
	int (*parts)(const struct scrape *s);	/* NULL: one */
};

/* All families, in the order in which they are printed; the last has no
 * name. */
extern const struct family families[];

#endif

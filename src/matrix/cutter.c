/* cutter.c - see cutter.h. */
#include <stdlib.h>

#include "matrix/cutter.h"

/* A piece that is free, kept outside of the slab: what a worker scribbles
 * there cannot mislead the front. */
struct hole {
	size_t offset;
	struct hole *next;
};

static int class_of(size_t bytes)
{
	int k = 0;

	while (((size_t)CUTTER_SMALLEST << k) < bytes)
		k++;
	return k;
}

bool cutter_take(struct cutter *c, size_t bytes, size_t *offset)
{
	const int k = class_of(bytes);
	const size_t size = (size_t)CUTTER_SMALLEST << k;
	struct hole *h = c->holes[k];

	if (h) {
		c->holes[k] = h->next;
		*offset = h->offset;
		free(h);
		return true;
	}
	if (size > c->bytes - c->cut)
		return false;
	*offset = c->cut;
	c->cut += size;
	return true;
}

void cutter_give(struct cutter *c, size_t offset, size_t bytes)
{
	const int k = class_of(bytes);
	struct hole *h = malloc(sizeof *h);

	if (!h)
		return;
	*h = (struct hole){ offset, c->holes[k] };
	c->holes[k] = h;
}

void cutter_fini(struct cutter *c)
{
	for (int k = 0; k < CUTTER_CLASSES; k++)
		while (c->holes[k]) {
			struct hole *h = c->holes[k];

			c->holes[k] = h->next;
			free(h);
		}
}

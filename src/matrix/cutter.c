/* cutter.c - see cutter.h. */
#include <stdint.h>
#include <stdlib.h>

#include "matrix/cutter.h"

enum { PIECES = CUTTER_CHUNK / CUTTER_SMALLEST, WORD = 64 };

struct chunk {
	uint64_t taken[PIECES / WORD];	/* bit i: piece i is in use */
	int n_taken, class;
	struct chunk *next, *previous;	/* in one of the cutter's lists */
};

static int class_of(size_t bytes)
{
	int k = 0;

	while (((size_t)CUTTER_SMALLEST << k) < bytes)
		k++;
	return k;
}

static int pieces_of(const struct chunk *h)
{
	return PIECES >> h->class;
}

static void push(struct chunk **list, struct chunk *h)
{
	h->previous = NULL;
	h->next = *list;
	if (*list)
		(*list)->previous = h;
	*list = h;
}

static void unlink_from(struct chunk **list, struct chunk *h)
{
	if (h->previous)
		h->previous->next = h->next;
	else
		*list = h->next;
	if (h->next)
		h->next->previous = h->previous;
}

static struct chunk *pop(struct chunk **list)
{
	struct chunk *const h = *list;

	if (h)
		unlink_from(list, h);
	return h;
}

/* Returns a chunk without pieces in use, preferably one that has pages. */
static struct chunk *new_chunk(struct cutter *c)
{
	const size_t chunks = c->bytes / CUTTER_CHUNK;
	struct chunk *h = pop(&c->empty);

	if (h) {
		c->n_empty--;
		return h;
	}
	h = pop(&c->bare);
	if (h)
		return h;
	if (!c->chunk)
		c->chunk = calloc(chunks, sizeof *c->chunk);
	return c->chunk && c->begun < chunks ? &c->chunk[c->begun++] : NULL;
}

static struct chunk *chunk_for(struct cutter *c, int class)
{
	struct chunk *h = c->partial[class];

	if (h)
		return h;
	h = new_chunk(c);
	if (h) {
		h->class = class;
		push(&c->partial[class], h);
	}
	return h;
}

static int first_free(const struct chunk *h)
{
	int i = 0;

	while (h->taken[i] == UINT64_MAX)
		i++;
	return i * WORD + __builtin_ctzll(~h->taken[i]);
}

bool cutter_take(struct cutter *c, size_t bytes, size_t *offset)
{
	const int class = class_of(bytes);
	struct chunk *const h = chunk_for(c, class);
	int i;

	if (!h)
		return false;
	i = first_free(h);
	h->taken[i / WORD] |= UINT64_C(1) << i % WORD;
	if (++h->n_taken == pieces_of(h))
		unlink_from(&c->partial[class], h);
	*offset = (size_t)(h - c->chunk) * CUTTER_CHUNK +
	          ((size_t)i * CUTTER_SMALLEST << class);
	return true;
}

void cutter_give(struct cutter *c, size_t offset)
{
	struct chunk *const h = &c->chunk[offset / CUTTER_CHUNK];
	const size_t i = offset % CUTTER_CHUNK / CUTTER_SMALLEST >> h->class;
	struct chunk **const list = &c->partial[h->class];

	h->taken[i / WORD] &= ~(UINT64_C(1) << i % WORD);
	if (h->n_taken-- == pieces_of(h))
		push(list, h);
	if (h->n_taken > 0)
		return;
	unlink_from(list, h);
	push(&c->empty, h);
	c->n_empty++;
}

bool cutter_strip(struct cutter *c, size_t keep, size_t *offset)
{
	if (c->n_empty <= keep)
		return false;
	c->n_empty--;
	*offset = (size_t)(pop(&c->empty) - c->chunk) * CUTTER_CHUNK;
	return true;
}

void cutter_bared(struct cutter *c, size_t offset)
{
	push(&c->bare, &c->chunk[offset / CUTTER_CHUNK]);
}

void cutter_fini(struct cutter *c)
{
	free(c->chunk);
	*c = (struct cutter){ .bytes = c->bytes };
}

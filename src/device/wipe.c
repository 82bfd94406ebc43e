/* wipe.c - clears the local memory of a device between two tenants.
 *
 * OpenCL leaves undefined what local memory holds when a work-group begins.
 * PoCL gives each of its threads one block of it, once, and NVIDIA's GPUs leave
 * what the last work-group of a multiprocessor wrote. The kernel answers where
 * each of its work-groups ran; the launch is repeated until all compute units
 * have been among them.
 *
 * A work-group of the direct device (device/direct.c) has no such block: PoCL
 * takes its local memory from the heap at every launch. */
#include <stdlib.h>

#include "device/seq.h"
#include "device/state.h"

/* On GPUs a work-group takes half of the local memory that it may have, so that
 * more of a multiprocessor's memory is covered: 9 x 24 KiB, and 1 KiB that the
 * driver adds to each, of the 228 KiB of an H100 or H200. */
enum { GROUPS_OF_UNIT = 9, ITEMS = 128, INT4 = 16 };

/* The number of launches at most, and the polls of the first. Each launch polls
 * twice as often as the one before it; the last one takes some seconds on a
 * processor and half a second on a GPU. */
enum { TRIES = 15, POLLS_CPU = 1 << 12, POLLS_GPU = 1 << 5 };

struct shape { size_t groups, items, bytes; int polls; };

static struct shape shape_for(const struct sheet *s)
{
	if (s->type == DEVICE_CPU)
		return (struct shape){ s->compute_units, 1,
		                       s->local_memory_bytes, POLLS_CPU };
	return (struct shape){ (size_t)s->compute_units * GROUPS_OF_UNIT, ITEMS,
	                       s->local_memory_bytes / 2, POLLS_GPU };
}

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static size_t count_distinct(uint64_t *x, size_t n)
{
	size_t distinct = n > 0;

	qsort(x, n, sizeof *x, compare);
	for (size_t i = 1; i < n; i++)
		distinct += x[i] != x[i - 1];
	return distinct;
}

/* Returns at how many places the launch's work-groups ran; 0 on failure. */
static size_t launch(struct seq *s, const struct shape *h, int polls,
                     uint64_t *places)
{
	static const int zero;
	const size_t bytes = h->groups * sizeof *places;
	const struct buf where = seq_scratch(s, bytes);
	const struct buf met = seq_scratch(s, sizeof zero);

	seq_fill(s, met, 0, sizeof zero, &zero, sizeof zero);
	seq_launch(s, "wipe_local",
	           GRID1(h->groups * h->items, h->items),
	           ARG_LOCAL(h->bytes / INT4 * INT4),
	           ARG_INT(h->bytes / INT4), ARG_BUF(where), ARG_BUF(met),
	           ARG_INT(polls));
	seq_read(s, where, 0, places, bytes);
	return seq_failed(s) ? 0 : count_distinct(places, h->groups);
}

/* Launches until every compute unit has been seen. places[] has an element for
 * each work-group. */
static int wipe(struct device *d, const struct shape *h, uint64_t *places,
                struct err *e)
{
	struct seq *s = seq_new(d, FLOAT32, TIMING_NONE, e);
	size_t seen = 0;

	if (!s)
		return -1;
	for (int i = 0; i < TRIES && !seq_failed(s) &&
	     seen < d->sheet.compute_units; i++)
		seen = launch(s, h, h->polls << i, places);
	if (seen < d->sheet.compute_units)
		err_set(e, ERR_DEVICE, "local memory was cleared on %zu of %u "
		        "compute units", seen, d->sheet.compute_units);
	seq_free(s);
	return e->code == ERR_NONE ? 0 : -1;
}

int device_wipe(struct device *d, struct err *e)
{
	const struct shape h = shape_for(&d->sheet);
	uint64_t *places = calloc(h.groups, sizeof *places);
	int rc;

	if (!places)
		return err_set(e, ERR_MEMORY, "no memory for %zu places",
		               h.groups);
	rc = wipe(d, &h, places, e);
	free(places);
	return rc;
}

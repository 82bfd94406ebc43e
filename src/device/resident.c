/* resident.c - stored matrices that stay on a device whose memory is its own,
 * so that a job that uses one again need not upload it. Where memory is
 * wanted for other things, the one used longest ago goes first. */
#include "device/cl.h"

enum { RESIDENT_SHARE = 2 };	/* at most 1/2 of the memory is resident */

static uint64_t total(const struct device *d)
{
	uint64_t sum = 0;

	for (int i = 0; i < RESIDENTS; i++)
		sum += d->resident[i].bytes;
	return sum;
}

/* The first to go: of all that have a buffer, or of all. */
static struct resident *oldest(struct device *d, bool full)
{
	struct resident *o = NULL;

	for (int i = 0; i < RESIDENTS; i++) {
		struct resident *r = &d->resident[i];

		if ((!full || r->mem) && (!o || r->stamp < o->stamp))
			o = r;
	}
	return o;
}

static void drop(struct device *d, struct resident *r)
{
	if (r->mem)
		clReleaseMemObject(r->mem);
	d->live -= r->bytes;
	*r = (struct resident){ 0 };
}

static struct resident *find(struct device *d, uint64_t stored, size_t bytes)
{
	for (int i = 0; i < RESIDENTS; i++) {
		struct resident *r = &d->resident[i];

		if (r->mem && r->stored == stored && r->bytes == bytes)
			return r;
	}
	return NULL;
}

cl_mem resident_take(struct device *d, uint64_t stored, size_t bytes)
{
	struct resident *r = find(d, stored, bytes);

	if (!r)
		return NULL;
	r->stamp = ++d->stamp;
	clRetainMemObject(r->mem);
	return r->mem;
}

bool resident_keep(struct device *d, uint64_t stored, cl_mem mem,
                   size_t bytes)
{
	const uint64_t most = d->sheet.global_memory_bytes / RESIDENT_SHARE;

	if (bytes > most || find(d, stored, bytes))
		return false;
	drop(d, oldest(d, false));
	while (total(d) + bytes > most)
		drop(d, oldest(d, true));
	*oldest(d, false) = (struct resident){ mem, bytes, stored,
	                                       ++d->stamp };
	return true;
}

bool resident_drop_oldest(struct device *d)
{
	struct resident *o = oldest(d, true);

	if (o)
		drop(d, o);
	return o != NULL;
}

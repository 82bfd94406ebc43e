/* resident.c - stored matrices that stay on a device with memory of its own, so
 * that a job that uses a matrix again need not upload it, and on any device
 * what was computed from them (derived.c). If the memory is
 * wanted for other things, the least recently used matrix is released first. */
#include "device/state.h"

/* At most this part of the memory is resident: on a device of its own memory,
 * and on one that shares the host's. */
enum { RESIDENT_SHARE = 2, SHARED_SHARE = 8 };

static uint64_t total(const struct device *d)
{
	uint64_t sum = 0;

	for (int i = 0; i < RESIDENTS; i++)
		sum += d->resident[i].bytes;
	return sum;
}

/* Returns the entry to release first, a free one before all others; full: only
 * entries with a buffer. NULL if all are in use. */
static struct resident *oldest(struct device *d, bool full)
{
	struct resident *o = NULL;

	for (int i = 0; i < RESIDENTS; i++) {
		struct resident *r = &d->resident[i];

		if (!r->users && (!full || r->mem) &&
		    (!o || r->stamp < o->stamp))
			o = r;
	}
	return o;
}

static void drop(struct device *d, struct resident *r)
{
	if (r->mem)
		clReleaseMemObject(r->mem);
	account_give(d, r->bytes);
	*r = (struct resident){ 0 };
}

static struct resident *find(struct device *d, uint64_t stored,
                             const struct span *at)
{
	for (int i = 0; i < RESIDENTS; i++) {
		struct resident *r = &d->resident[i];

		if (r->mem && r->stored == stored && span_same(&r->at, at))
			return r;
	}
	return NULL;
}

cl_mem resident_take(struct device *d, uint64_t stored, const struct span *at)
{
	struct resident *r = find(d, stored, at);

	if (!r)
		return NULL;
	r->stamp = ++d->stamp;
	r->users++;
	return r->mem;
}

void resident_give(struct device *d, cl_mem mem)
{
	for (int i = 0; i < RESIDENTS; i++)
		if (d->resident[i].mem == mem)
			d->resident[i].users--;
}

bool resident_keep(struct device *d, uint64_t stored, const struct span *at,
                   cl_mem mem)
{
	const uint64_t most = d->sheet.global_memory_bytes /
	    (d->sheet.unified_memory ? SHARED_SHARE : RESIDENT_SHARE);
	const size_t bytes = span_bytes(at);
	struct resident *place = oldest(d, false);

	if (bytes > most || !place || find(d, stored, at))
		return false;
	drop(d, place);
	while (total(d) + bytes > most)
		if (!resident_drop_oldest(d))
			return false;
	*place = (struct resident){ .mem = mem, .bytes = bytes,
	                            .stored = stored, .at = *at,
	                            .stamp = ++d->stamp };
	return true;
}

bool resident_drop_oldest(struct device *d)
{
	struct resident *o = oldest(d, true);

	if (o)
		drop(d, o);
	return o != NULL;
}

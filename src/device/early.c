/* early.c - uploads an operand to the device while its rest is still arriving
 * on the host. A partial operand that no sequence takes stays here until its
 * slot or its memory is needed. */
#include "device/sequence.h"
#include "device/staging.h"

/* An upload begins only while at most 1/FIRST of the operand has arrived. A
 * partial operand that is evicted after that is therefore not uploaded again
 * from its beginning. */
enum { FIRST = 4 };

static void drop(struct device *d, struct early *o)
{
	if (o->mem)
		spare_give(d, o->mem, o->bytes, (uint32_t)SPARE_STRANGE);
	*o = (struct early){ 0 };
}

void early_drop_all(struct device *d)
{
	for (int i = 0; i < EARLY; i++)
		drop(d, &d->early[i]);
}

static struct early *find(struct device *d, uint64_t name)
{
	for (int i = 0; i < EARLY; i++)
		if (d->early[i].mem && d->early[i].name == name)
			return &d->early[i];
	return NULL;
}

/* Starts an upload in the slot of the oldest one; NULL if there is no
 * memory. */
static struct early *begin(struct device *d, const struct memory *m,
                           struct err *e)
{
	struct early *o = &d->early[0];

	for (int i = 1; i < EARLY; i++)
		if (d->early[i].stamp < o->stamp)
			o = &d->early[i];
	drop(d, o);
	*o = (struct early){ .name = m->upload_id, .bytes = m->bytes,
	                     .mem = spare_take(d, m->bytes, e),
	                     .stamp = ++d->stamp };
	return o->mem ? o : NULL;
}

static void send(struct device *d, struct early *o, const struct memory *m,
                 size_t arrived, struct err *e)
{
	const size_t n = arrived - o->sent;
	const struct span at = { o->sent, 1, n, n };
	struct seq *s = seq_new(d, FLOAT32, TIMING_SUMMARY, e);

	if (!s)
		return;
	staging_upload(s, o->mem, o->sent, (char *)m->data + o->sent, &at);
	seq_free(s);
	o->sent = arrived;
}

void device_expect(struct device *d, const struct memory *m, size_t arrived)
{
	struct err e = { 0 };
	struct early *o;

	if (!m->upload_id || arrived > m->bytes ||
	    m->bytes > d->sheet.max_allocation_bytes ||
	    (d->sheet.unified_memory && !device_copies))
		return;
	o = find(d, m->upload_id);
	if (!o && arrived <= m->bytes / FIRST)
		o = begin(d, m, &e);
	if (o && arrived > o->sent)
		send(d, o, m, arrived, &e);
	if (o && e.code != ERR_NONE)
		drop(d, o);
}

cl_mem early_take(struct device *d, uint64_t name, size_t bytes, size_t *sent)
{
	struct early *o = name ? find(d, name) : NULL;
	cl_mem mem;

	if (!o || o->bytes != bytes)
		return NULL;
	mem = o->mem;
	*sent = o->sent;
	*o = (struct early){ 0 };
	return mem;
}

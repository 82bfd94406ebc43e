/* derived.c - what was computed from a stored matrix, and stays on the device
 * beside it. */
#include "base/size.h"
#include "device/sequence.h"

/* Returns the buffer that this sequence already has of that kind. A second one
 * would be kept although nothing may have filled it. */
static struct buf find(const struct seq *s, const struct buffer *like)
{
	for (int i = 0; i < s->n_buffers && like->stored; i++)
		if (s->buffer[i].mem && s->buffer[i].stored == like->stored &&
		    span_same(&s->buffer[i].at, &like->at))
			return (struct buf){ i + 1 };
	return (struct buf){ 0 };
}

struct buf seq_derived(struct seq *s, const struct matrix *m, int number,
                       size_t bytes, bool *known)
{
	const size_t some = size_max(bytes, 1);
	/* No part of a matrix begins there. */
	const struct buffer like = {
		.bytes = some, .stored = m->memory ? m->memory->stored : 0,
		.at = { SIZE_MAX - (size_t)number, 1, some, some },
	};
	struct buf b = find(s, &like);

	if (!b.id)
		b = buffer_resident(s, like);
	*known = b.id && buffer_get(s, b.id)->owner == OWNER_RESIDENTS;
	return b.id ? b : buffer_scratch(s, like);
}

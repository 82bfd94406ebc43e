/* spare.c - see spare.h. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/size.h"
#include "matrix/spare.h"

struct memory *spares_take(struct spares *s, size_t least, size_t most)
{
	struct memory **best = NULL, *m;

	for (struct memory **p = &s->first; *p; p = &(*p)->next)
		if ((*p)->bytes >= least && (*p)->bytes <= most &&
		    (!best || (*p)->bytes < (*best)->bytes))
			best = p;
	if (!best)
		return NULL;
	m = *best;
	*best = m->next;
	m->next = NULL;
	s->bytes -= m->bytes;
	m->refs = 1;
	return m;
}

void spares_keep(struct spares *s, struct memory *m)
{
	m->freed_ns = clock_ns();
	m->stored = m->upload_id = 0;
	m->next = s->first;
	s->first = m;
	s->bytes += m->bytes;
}

struct memory *spares_pop(struct spares *s)
{
	struct memory *const m = s->first;

	if (!m)
		return NULL;
	s->first = m->next;
	m->next = NULL;
	s->bytes -= m->bytes;
	return m;
}

struct memory *spares_drop(struct spares *s, int64_t before_ns)
{
	struct memory **p = &s->first, *dropped;

	while (*p && (*p)->freed_ns >= before_ns)
		p = &(*p)->next;
	dropped = *p;
	*p = NULL;
	for (const struct memory *m = dropped; m; m = m->next)
		s->bytes -= m->bytes;
	return dropped;
}

void spares_free(struct memory *list)
{
	while (list) {
		struct memory *m = list;

		list = m->next;
		if (m->fd >= 0) {
			munmap(m->data, size_max(m->room, 1));
			close(m->fd);
			if (m->fd_read > 0)
				close(m->fd_read);
		}
		free(m);
	}
}

/* spare.c - see spare.h. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/size.h"
#include "matrix/spare.h"

size_t spare_files(const struct memory *m)
{
	return m->fd_read > 0 ? 2 : 1;
}

static void link_in(struct spares *s, struct memory *m)
{
	m->next = s->first;
	s->first = m;
	s->bytes += m->bytes;
	s->files += spare_files(m);
}

static struct memory *unlink_at(struct spares *s, struct memory **at)
{
	struct memory *const m = *at;

	*at = m->next;
	m->next = NULL;
	s->bytes -= m->bytes;
	s->files -= spare_files(m);
	return m;
}

struct memory *spares_take(struct spares *s, size_t least, size_t most)
{
	struct memory **best = NULL;

	for (struct memory **p = &s->first; *p; p = &(*p)->next)
		if (!(*p)->given && (*p)->bytes >= least &&
		    (*p)->bytes <= most &&
		    (!best || (*p)->bytes < (*best)->bytes))
			best = p;
	return best ? unlink_at(s, best) : NULL;
}

void spares_keep(struct spares *s, struct memory *m)
{
	m->freed_ns = clock_ns();
	link_in(s, m);
}

struct memory *spares_pop(struct spares *s)
{
	return s->first ? unlink_at(s, &s->first) : NULL;
}

struct spares spares_drop(struct spares *s, int64_t before_ns)
{
	struct spares dropped = { 0 };
	struct memory **p = &s->first;

	while (*p && (*p)->freed_ns >= before_ns)
		p = &(*p)->next;
	while (*p)
		link_in(&dropped, unlink_at(s, p));
	return dropped;
}

void spare_destroy(struct memory *m)
{
	memory_unpin(m);
	if (m->fd >= 0) {
		munmap(m->data, size_max(m->room, 1));
		close(m->fd);
		if (m->fd_read > 0)
			close(m->fd_read);
	}
	free(m);
}

void spares_free(struct spares *s)
{
	struct memory *m;

	while ((m = spares_pop(s)))
		spare_destroy(m);
}

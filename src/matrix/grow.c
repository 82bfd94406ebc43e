/* grow.c - see grow.h. */
#include "base/size.h"
#include "matrix/arrival.h"
#include "matrix/grow.h"

enum { FIRST = 4096 };

/* Moves the contents to a spare allocation of at least `room` bytes; false if
 * there is none. */
static bool move_to_spare(struct grow *g, struct memory_pool *p, size_t room)
{
	struct memory *to = room < MEMORY_SLAB ? NULL :
	                    memory_spare(p, room, g->most);

	if (!to)
		return false;
	if (g->memory)
		memcpy(to->data, g->memory->data, g->used);
	memory_unref(g->memory);
	g->memory = to;
	return true;
}

int grow_reserve(struct grow *g, struct memory_pool *p, size_t n,
                 struct err *e)
{
	size_t limit = memory_pool_limit(p), room, need;

	room = g->memory ? g->memory->bytes : 0;
	if (n <= room - g->used)
		return 0;
	if (!size_add(g->used, n, &need))
		return err_set(e, ERR_TOO_LARGE, "a body beyond any memory");
	room = size_max(FIRST, room > limit / 2 ? limit : 2 * room);
	room = size_max(room, need);
	if (move_to_spare(g, p, room))
		return 0;
	if (g->memory)
		return memory_resize(&g->memory, room, e);
	g->memory = memory_new(p, room, e);
	return g->memory ? 0 : -1;
}

int grow_add(struct grow *g, struct memory_pool *p, const void *bytes,
             size_t n, struct err *e)
{
	if (n == 0)
		return 0;
	if (grow_reserve(g, p, n, e) < 0 ||
	    arrival_charge(g->memory, g->used + n, e))
		return -1;
	memcpy(grow_end(g), bytes, n);
	g->used += n;
	return 0;
}

struct memory *grow_take(struct grow *g, struct memory_pool *p, struct err *e)
{
	struct memory *m;

	if (!g->memory)
		return memory_new(p, 0, e);
	if (g->used < g->memory->bytes / 2 &&
	    memory_resize(&g->memory, g->used, e) < 0)
		return NULL;
	m = g->memory;
	*g = (struct grow){ 0 };
	return m;
}

int grow_expect(struct grow *g, struct memory_pool *p, size_t bytes,
                struct err *e)
{
	g->memory = arrival_new(p, bytes, e);
	return g->memory ? 0 : -1;
}

void grow_fini(struct grow *g)
{
	memory_unref(g->memory);
	*g = (struct grow){ 0 };
}

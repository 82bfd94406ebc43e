/* grow.h - memory for what arrives before its size is known.
 *
 * It doubles; large pieces are remapped, not copied. The first large one is, if
 * there is such, a piece kept from an earlier request, whose pages are there.
 * { 0 } is a valid empty one.
 */
#ifndef MATRIX_GROW_H
#define MATRIX_GROW_H

#include <string.h>

#include "matrix/memory.h"

struct grow {
	struct memory *memory;		/* NULL until something was added */
	size_t used;			/* bytes */
	size_t most;			/* likely to come; 0: unknown */
};

static inline void *grow_end(const struct grow *g)
{
	return (char *)g->memory->data + g->used;
}

/* Room for n more bytes at grow_end(); grow_room() is the short way. */
int grow_reserve(struct grow *g, struct memory_pool *p, size_t n,
                 struct err *e);
static inline int grow_room(struct grow *g, struct memory_pool *p, size_t n,
                            struct err *e)
{
	return g->memory && n <= g->memory->bytes - g->used ? 0 :
	       grow_reserve(g, p, n, e);
}

/* To an empty one: grow_add() will add that many bytes in all. */
int grow_expect(struct grow *g, struct memory_pool *p, size_t bytes,
                struct err *e);
int grow_add(struct grow *g, struct memory_pool *p, const void *bytes,
             size_t n, struct err *e);

/* The memory, cut unless half of it is used, now the caller's; NULL with *e. */
struct memory *grow_take(struct grow *g, struct memory_pool *p,
                         struct err *e);
void grow_fini(struct grow *g);

#endif

/* grow.h - memory for data whose size is not known in advance.
 *
 * Its size doubles as needed; large allocations are remapped, not copied. The
 * first large one is, where possible, a spare allocation of an earlier request
 * (spare.h), whose pages need no faulting in. { 0 } is a valid empty one.
 */
#ifndef MATRIX_GROW_H
#define MATRIX_GROW_H

#include <string.h>

#include "matrix/memory.h"

struct grow {
	struct memory *memory;		/* NULL until something was added */
	size_t used;			/* bytes */
	size_t most;			/* bytes expected in all; 0: unknown */
};

static inline void *grow_end(const struct grow *g)
{
	return (char *)g->memory->data + g->used;
}

/* Makes room for n more bytes at grow_end(). grow_room() does the same, inlined
 * where there is room already. */
int grow_reserve(struct grow *g, struct memory_pool *p, size_t n,
                 struct err *e);
static inline int grow_room(struct grow *g, struct memory_pool *p, size_t n,
                            struct err *e)
{
	return g->memory && n <= g->memory->bytes - g->used ? 0 :
	       grow_reserve(g, p, n, e);
}

/* Prepares an empty one for exactly that many bytes, which grow_add() will
 * add. */
int grow_expect(struct grow *g, struct memory_pool *p, size_t bytes,
                struct err *e);
int grow_add(struct grow *g, struct memory_pool *p, const void *bytes,
             size_t n, struct err *e);

/* Returns the memory, which the caller must unref, or NULL with *e. It is cut
 * to what is used if that is less than half. */
struct memory *grow_take(struct grow *g, struct memory_pool *p,
                         struct err *e);
void grow_fini(struct grow *g);

#endif

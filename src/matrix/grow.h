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

/* Makes room for n more bytes at grow_end(); -1 with *e if there is none.
 * grow_room() does the same, and is inlined for the case that there is room
 * already. */
int grow_reserve(struct grow *g, struct memory_pool *p, size_t n,
                 struct err *e);
static inline int grow_room(struct grow *g, struct memory_pool *p, size_t n,
                            struct err *e)
{
	return g->memory && n <= g->memory->bytes - g->used ? 0 :
	       grow_reserve(g, p, n, e);
}

/* Prepares an empty struct grow for exactly that many bytes, which grow_add()
 * will add. Both return -1 with *e on failure. */
int grow_expect(struct grow *g, struct memory_pool *p, size_t bytes,
                struct err *e);
int grow_add(struct grow *g, struct memory_pool *p, const void *bytes,
             size_t n, struct err *e);

/* Returns the memory, which the caller must unref, or NULL with *e. The memory
 * is cut to the bytes in use if those are less than half of it. */
struct memory *grow_take(struct grow *g, struct memory_pool *p,
                         struct err *e);
void grow_fini(struct grow *g);

#endif

/* memory.h - where elements lie: memory that the front and a worker share.
 *
 * A piece below MEMORY_SLAB bytes comes from one slab, a memfd mapped by all
 * processes from the start; a larger one is a memfd of its own, which travels
 * to the worker by SCM_RIGHTS. Every piece counts against the pool's limit
 * until its last reference goes. Any thread may call a pool's functions.
 */
#ifndef MATRIX_MEMORY_H
#define MATRIX_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum {
	MEMORY_SLAB = 64 << 10,		/* from here on: a memfd of its own */
	MEMORY_ALIGN = 128,		/* of every piece, for vector kernels */
};

struct memory_pool;

struct memory {
	void *data;
	size_t bytes;			/* usable; at least 1 is mapped */
	int fd;				/* its memfd, or -1: in the slab */
	size_t offset;			/* in the slab, or the memfd */
	struct memory *whole;		/* a reference to what this is a part
					 * of; NULL: nothing */
	uint64_t stored;		/* names its contents while they are
					 * a stored matrix's; 0: they are not */
	uint64_t coming;		/* names the contents that arrive there
					 * and then stay; 0: none do */
	atomic_uint refs;
	atomic_uint touching;		/* so often touch.h's threads are at it,
					 * who hold no reference, */
	atomic_bool settles;		/* but shall end now */
	atomic_bool present;		/* they brought every page */
	struct memory_pool *pool;	/* NULL: mapped from another process */
	struct memory *next;		/* these two: while it is spare */
	int64_t freed_ns;
};

/* limit: bytes that all pieces together may take. */
struct memory_pool *memory_pool_new(size_t limit, struct err *e);
void memory_pool_free(struct memory_pool *p);	/* when no piece is left */
int memory_pool_slab(const struct memory_pool *p);	/* the slab's memfd */
size_t memory_pool_limit(const struct memory_pool *p);
size_t memory_pool_used(const struct memory_pool *p);

/* Lets go of pieces that were freed before that clock_ns() and kept for the
 * next request of their size; false when nothing at all is in use or kept. */
bool memory_pool_trim(struct memory_pool *p, int64_t before_ns);

/* So many bytes of m from that offset on, a multiple of MEMORY_ALIGN, as
 * memory of its own that keeps m; not to be resized. While m's contents have
 * a name, the part's have one by where it begins. */
struct memory *memory_part(struct memory *m, size_t offset, size_t bytes,
                           struct err *e);

/* A piece of that many bytes with one reference; contents undefined.
 * ERR_TOO_LARGE beyond the limit itself, ERR_MEMORY beyond what is left. */
struct memory *memory_new(struct memory_pool *p, size_t bytes, struct err *e);
/* One that was freed and kept, of at least and at most so many bytes; NULL:
 * there is none. */
struct memory *memory_spare(struct memory_pool *p, size_t least, size_t most);
/* Another size, the contents kept; a large piece is not copied. The caller
 * holds the only reference; after a failure *m is as it was. */
int memory_resize(struct memory **m, size_t bytes, struct err *e);
struct memory *memory_ref(struct memory *m);
void memory_unref(struct memory *m);		/* NULL is fine */

/* On the worker's side: the slab, and pieces received. */
struct slab {
	void *data;
	size_t bytes;
	struct mappings *mappings;	/* of pieces; NULL: none kept */
};
int slab_map(struct slab *s, int fd, struct err *e);
/* fd is taken over. */
struct memory *memory_map(int fd, size_t bytes, struct err *e);
struct memory *memory_in_slab(const struct slab *s, size_t offset,
                              size_t bytes, struct err *e);

#endif

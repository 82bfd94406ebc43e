/* memory.h - where elements lie: memory that the front and a worker share.
 *
 * A piece below MEMORY_SLAB bytes comes from one slab, a memfd that every
 * process maps from the start; a larger piece is a memfd of its own, which
 * travels to a worker by SCM_RIGHTS. Every piece counts against the pool's
 * limit until its last reference goes. Any thread may call a pool's functions.
 *
 * Only the front writes to the slab and to operands: a worker gets them by
 * descriptors that are open for reading alone (received.h), so that a stray
 * write of a kernel hits at most the results of the calls that the worker is
 * computing. The size of a memfd that a worker has seen is sealed: nobody can
 * cut it short under the front's mapping.
 *
 * Pages are given back to the system on a thread of their own (release.h).
 * Until then they count in memory_pool_taken(), but keep no new piece out:
 * the pages of a new piece come one by one as it is written, which takes
 * longer than freeing as many.
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
	size_t charged;			/* of them, counted by the pool */
	size_t room;			/* bytes of the memfd, all mapped; those
					 * beyond `bytes` have no pages */
	int fd;				/* its memfd, or -1: in the slab */
	int fd_read;			/* the same, open for reading alone; 0:
					 * it was not wanted yet */
	atomic_bool sealed;		/* the memfd's size is final */
	bool writable;			/* received: mapped for writing, too */
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
size_t memory_pool_limit(const struct memory_pool *p);

/* The slab's memfd for another process, open for reading alone; -1 with *e. */
int memory_pool_slab(const struct memory_pool *p, struct err *e);

/* Bytes of the pieces in use and of what else is charged; and those bytes with
 * what is kept for later requests or being given back to the system. */
size_t memory_pool_used(const struct memory_pool *p);
size_t memory_pool_taken(const struct memory_pool *p);

/* Counts bytes that lie elsewhere against the limit: -1 when they are not
 * left. */
int memory_pool_charge(struct memory_pool *p, size_t bytes);
void memory_pool_discharge(struct memory_pool *p, size_t bytes);

/* Lets go of pieces that were freed before that clock_ns() and kept for the
 * next request of their size; false when nothing at all is in use or kept. */
bool memory_pool_trim(struct memory_pool *p, int64_t before_ns);

/* So many bytes of m from that offset on, a multiple of MEMORY_ALIGN, as
 * memory of its own that keeps m; not to be resized. While m's contents have
 * a name, the part's have one by where it begins. */
struct memory *memory_part(struct memory *m, size_t offset, size_t bytes,
                           struct err *e);

/* The piece's memfd (a part's: that of the whole) for another process, which
 * may write to it or only read; its size is final from now on. For one thread
 * at a time. */
int memory_descriptor(struct memory *m, bool writable);

/* A piece of that many bytes with one reference; contents undefined.
 * ERR_TOO_LARGE beyond the limit itself, ERR_MEMORY beyond what is left. */
struct memory *memory_new(struct memory_pool *p, size_t bytes, struct err *e);
/* For arrival.h: a piece from 64 KiB on that counts nothing yet; its `charged`
 * is the caller's to set. */
struct memory *memory_new_uncharged(struct memory_pool *p, size_t bytes,
                                    struct err *e);
/* One that was freed and kept, of at least and at most so many bytes; NULL:
 * there is none. */
struct memory *memory_spare(struct memory_pool *p, size_t least, size_t most);
/* Another size, the contents kept; a large piece is copied only if it grows
 * after its size became final. The caller holds the only reference; after a
 * failure *m is as it was. */
int memory_resize(struct memory **m, size_t bytes, struct err *e);
struct memory *memory_ref(struct memory *m);
void memory_unref(struct memory *m);		/* NULL is fine */

#endif

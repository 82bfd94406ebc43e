/* memory.h - the memory of matrices, which the front and its workers share.
 *
 * An allocation (a "piece") below MEMORY_SLAB bytes comes from one slab, which
 * no worker maps: it gets copies (wire/small.h). A larger piece has a memfd of
 * its own, which is sent to a worker by SCM_RIGHTS. Every piece counts against
 * the pool's limit until its last reference is dropped. Any thread may call a
 * pool's functions.
 *
 * Only the front writes to operands: a worker gets them by read-only
 * descriptors (received.h), so that a stray write of a kernel hits at
 * most the results of the calls that the worker is computing. The size of a
 * memfd that was sent to a worker is sealed, so that the worker cannot truncate
 * it under the front's mapping.
 *
 * Pages are given back to the system on a thread of their own (release.h).
 * Until then they count in memory_pool_taken(), but a new piece is not refused
 * because of them. If that thread falls behind (memory_pool_is_behind()), the
 * server takes no more bytes of bodies until it has caught up, so that pages
 * that are being freed and new ones do not exceed the limit together.
 */
#ifndef MATRIX_MEMORY_H
#define MATRIX_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum {
	MEMORY_SLAB = 64 << 10,		/* bytes from which a piece has a memfd
					 * of its own */
	MEMORY_ALIGN = 128,		/* bytes; of every piece, for vector
					 * kernels */
};

struct memory_pool;

/* Each group of fields is changed by the file that its comment names, and by no
 * other; the others read them. */
struct memory {
	/* memory.c; received.c in a worker: */
	void *data;
	size_t bytes;			/* usable; at least 1 is mapped */
	size_t charged;			/* bytes that the pool counts */
	size_t room;			/* bytes of the memfd, all mapped; those
					 * beyond `bytes` have no pages */
	int fd;				/* its memfd, or -1: in the slab */
	int fd_read;			/* the same, read-only; 0: not opened
					 * yet */
	atomic_bool sealed;		/* the memfd's size is final */
	bool writable;			/* in a worker: mapped for writing */
	bool given;			/* see memory_new_given() */
	size_t offset;			/* in the slab, or in the memfd */
	struct memory *whole;		/* a reference to the memory that this
					 * is a part of; NULL: it is no part */
	bool own;			/* received.c: memory for a pipeline's
					 * intermediate in a worker; data is
					 * NULL until received_back() */
	atomic_uint refs;
	struct memory_pool *pool;	/* NULL: mapped from another process */
	/* Numbers that identify the contents to devices that keep copies of
	 * them; 0: none. Contents with a number do not change. The file that is
	 * named gives the number: */
	uint64_t stored;		/* store.c: of a stored matrix */
	uint64_t upload_id;		/* queue/engine.c: of an operand that is
					 * uploaded while its body arrives */
	/* touch.c, whose threads hold no reference: */
	struct {
		atomic_uint ranges;	/* ranges that the threads are
					 * prefaulting */
		atomic_bool cancel;	/* the threads must end now */
		atomic_bool all;	/* every page was faulted in */
	} touched;
	/* ops/steps.c: of an intermediate, whose elements may be only in a
	 * device's buffer: look() is called before the host reads them, and
	 * `looked` says that it was called. NULL: the elements are in data. */
	void (*look)(struct memory *m, void *arg);
	void *look_arg;
	bool looked;
	/* device/pinned.c: the driver's hold on the pages, NULL unless it
	 * pinned them; and how many outputs were downloaded to this memory
	 * before. */
	struct {
		void *handle;
		void (*release)(void *handle);
		unsigned downloads;
	} pin;
	/* spare.c, while the piece is spare or being released: */
	struct memory *next;
	int64_t freed_ns;		/* clock_ns() */
};

/* Makes a pool whose pieces may take `limit` bytes together; NULL with *e. */
struct memory_pool *memory_pool_new(size_t limit, struct err *e);
void memory_pool_free(struct memory_pool *p);	/* when no piece is left */
size_t memory_pool_limit(const struct memory_pool *p);

/* To be called when the process ends: from now on pieces that clients map are
 * left to them as they are. */
void memory_pool_leave(struct memory_pool *p);

/* Bytes of the pieces in use and of other charges; memory_pool_taken() adds the
 * spare pieces and those that are being given back to the system. */
size_t memory_pool_used(const struct memory_pool *p);
size_t memory_pool_taken(const struct memory_pool *p);

/* Do used and spare pieces and those that are being given back exceed the limit
 * by more than 1/16? */
bool memory_pool_is_behind(const struct memory_pool *p);

/* Counts bytes that are not the pool's own against its limit: -1 when fewer are
 * left. */
int memory_pool_charge(struct memory_pool *p, size_t bytes);
void memory_pool_discharge(struct memory_pool *p, size_t bytes);

/* Releases spare pieces that were freed before that clock_ns(); false when no
 * piece at all is in use or spare. */
bool memory_pool_trim(struct memory_pool *p, int64_t before_ns);

/* Returns `bytes` bytes of m from `offset` on, a multiple of MEMORY_ALIGN, as a
 * struct memory that holds a reference to m and must not be resized; NULL with
 * *e. If m's contents have a `stored` number, the part's get one derived from
 * it and the offset. A part of a part is one of the whole. */
struct memory *memory_part(struct memory *m, size_t offset, size_t bytes,
                           struct err *e);

/* Returns the piece's memfd (a part's: that of the whole), borrowed, to be sent
 * to a worker; read-only unless writable. The memfd's size is sealed from now
 * on. Must not be called by two threads at a time. */
int memory_descriptor(struct memory *m, bool writable);

/* Allocates a piece with one reference; its contents are undefined. NULL with
 * ERR_TOO_LARGE beyond the limit itself, ERR_MEMORY beyond what is left. */
struct memory *memory_new(struct memory_pool *p, size_t bytes, struct err *e);
/* Allocates a piece of at least MEMORY_SLAB bytes, all zero, whose memfd the
 * caller may hand to a client (`given`). The client may change the elements at
 * any time, but neither the size nor the seals. When the piece is freed its
 * pages go back to the system, even if the client still maps them, and no other
 * request gets them; after memory_pool_leave() the client keeps them. */
struct memory *memory_new_given(struct memory_pool *p, size_t bytes,
                                struct err *e);
/* For arrival.h: allocates a piece of at least MEMORY_SLAB bytes without
 * charging it, and charges it for its first `bytes` bytes; -1 when the pool has
 * no room for them. */
struct memory *memory_new_uncharged(struct memory_pool *p, size_t bytes,
                                    struct err *e);
int memory_charge(struct memory *m, size_t bytes);
/* Takes a spare piece of `least` to `most` bytes; NULL if there is none. */
struct memory *memory_spare(struct memory_pool *p, size_t least, size_t most);
/* Resizes *m, of which the caller holds the only reference, and keeps the
 * contents. A large piece is copied only if it grows after its size was sealed
 * or it was shrunk. After a failure *m is as it was. */
int memory_resize(struct memory **m, size_t bytes, struct err *e);
/* Forgets the numbers of the contents, which are about to change: what devices
 * keep of them is not valid any more. */
void memory_forget_contents(struct memory *m);
/* Ends the driver's hold on the pages, before they are unmapped or moved. */
void memory_unpin(struct memory *m);
struct memory *memory_ref(struct memory *m);
void memory_unref(struct memory *m);		/* NULL is fine */

#endif

/* memory_pool.h - a pool's accounting, for memory.c alone: how many bytes are
 * used and spare, and where small pieces lie in the slab.
 *
 *     limit   | used | spares |            leaving (beside the limit)
 *
 * Any thread may call these functions.
 */
#ifndef MATRIX_MEMORY_POOL_H
#define MATRIX_MEMORY_POOL_H

#include <pthread.h>

#include "matrix/cutter.h"
#include "matrix/release.h"

struct memory_pool {
	size_t limit;
	size_t files_most;
	int fd;				/* the slab */
	size_t slab_bytes;
	char *slab;
	struct release *release;
	atomic_bool left;		/* memory_pool_leave() was called */
	pthread_mutex_t lock;		/* guards all below */
	size_t used;
	size_t leaving;			/* bytes with the release thread */
	size_t files;			/* descriptors in use or spare */
	struct spares spares;
	struct cutter cutter;		/* of the slab */
};

/* pool_memfd() makes a memfd whose size may be sealed later, and which nobody
 * may open for writing once more; pool_seal() seals it. Both return -1 with
 * errno. */
int pool_memfd(const char *name, size_t bytes);
int pool_seal(int fd);

/* Opens a second descriptor of the same file, which cannot be mapped for
 * writing; -1 with errno. */
int pool_open_for_reading(int fd);

/* Does the same as memory_pool_charge(), and sets *e. */
int pool_charge(struct memory_pool *p, size_t bytes, struct err *e);

/* Allocates from the slab; false when it is full. pool_uncut() frees. */
bool pool_cut(struct memory_pool *p, size_t bytes, size_t *offset);
void pool_uncut(struct memory_pool *p, size_t offset);

/* Takes a piece of exactly that size which is spare or waits to be released;
 * NULL if there is none. */
struct memory *pool_find(struct memory_pool *p, size_t bytes);

/* Takes and charges a spare piece of `least` to `most` bytes; NULL if there is
 * none. */
struct memory *pool_take_spare(struct memory_pool *p, size_t least,
                               size_t most);

/* Counts one more descriptor; ERR_MEMORY when the pool may hold no more. */
int pool_count_file(struct memory_pool *p, struct err *e);
void pool_uncount_file(struct memory_pool *p);

/* Takes over and discharges a large piece without references. It becomes spare
 * if there is room for it. */
void pool_give_back(struct memory_pool *p, struct memory *m);

/* Gives back and discharges the bytes `from` to `to` of a piece, by a second
 * descriptor of its memfd, which is taken over. */
void pool_give_back_tail(struct memory_pool *p, int fd, size_t from,
                         size_t to);

#endif

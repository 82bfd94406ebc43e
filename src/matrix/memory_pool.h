/* memory_pool.h - a pool's account, for memory.c alone: which bytes are taken,
 * by whom, and where small pieces lie.
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
#include "matrix/spare.h"

struct memory_pool {
	size_t limit;
	size_t files_most;
	int fd;				/* the slab */
	size_t slab_bytes;
	char *slab;
	struct release *release;
	pthread_mutex_t lock;		/* guards all below */
	size_t used;
	size_t leaving;			/* with the release thread */
	size_t files;			/* descriptors in use or spare */
	struct spares spares;
	struct cutter cutter;		/* of the slab */
};

/* A memfd whose size may be sealed later; -1 with errno. */
int pool_memfd(const char *name, size_t bytes);
int pool_seal(int fd);

/* A second descriptor of the same file, which cannot be mapped for writing;
 * -1 with errno. */
int pool_open_for_reading(int fd);

/* As memory_pool_charge(), with the reason. */
int pool_charge(struct memory_pool *p, size_t bytes, struct err *e);

/* A piece of the slab; false when it is used up. */
bool pool_cut(struct memory_pool *p, size_t bytes, size_t *offset);
void pool_uncut(struct memory_pool *p, size_t offset);

/* A piece of just that size which was kept, or which waits to be released. */
struct memory *pool_find(struct memory_pool *p, size_t bytes);

/* Counts one more descriptor; ERR_MEMORY when the pool may hold no more. */
int pool_count_file(struct memory_pool *p, struct err *e);
void pool_uncount_file(struct memory_pool *p);

/* Takes over a large piece that nobody refers to any more, and discharges it:
 * it is kept for the next request of its size if there is room. */
void pool_give_back(struct memory_pool *p, struct memory *m);

/* The same for the bytes of a piece from there to its end, given a descriptor
 * of their own, which is taken over. */
void pool_give_back_tail(struct memory_pool *p, int fd, size_t from,
                         size_t to);

#endif

/* memory_pool.c - see memory_pool.h, and memory.h for what begins with
 * memory_pool_. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/size.h"
#include "matrix/memory_pool.h"
#include "matrix/pages.h"

enum {
	SPARE_SHARE = 4,		/* at most 1/4 of the limit is spare */
	BEHIND_SHARE = 16,		/* see memory_pool_is_behind() */
	/* Large pieces use at most 1/FILES_SHARE of the process's descriptors,
	 * so that some are left for connections, and at most half of the
	 * mappings that Linux allows. */
	FILES_SHARE = 2,
	FILES_MOST = 32 << 10,
	CHUNKS_KEPT = (64 << 20) / CUTTER_CHUNK,	/* empty ones */
};

/* The slab is as large as the pool's limit, within these bounds: bytes that
 * are never used cost nothing. */
static const size_t slab_least = (size_t)64 << 20, slab_most = (size_t)1 << 36;

int pool_memfd(const char *name, size_t bytes)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd >= 0 && ftruncate(fd, (off_t)bytes) < 0) {
		close(fd);
		return -1;
	}
	/* A worker may not, and need not, as nobody else gets its memory. */
	if (fd >= 0)
		fchmod(fd, S_IRUSR);
	return fd;
}

int pool_seal(int fd)
{
	return fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW |
	                              F_SEAL_SEAL);
}

int pool_open_for_reading(int fd)
{
	char path[32];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static size_t count_files_most(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) < 0)
		return FILES_MOST;
	return size_min(files.rlim_cur / FILES_SHARE, FILES_MOST);
}

static int make_slab(struct memory_pool *p, struct err *e)
{
	p->slab_bytes = size_round_up(size_max(slab_least, size_min(p->limit,
	                              slab_most)), CUTTER_CHUNK);
	p->cutter.bytes = p->slab_bytes;
	p->fd = pool_memfd("linalgd-slab", p->slab_bytes);
	if (p->fd >= 0 && pool_seal(p->fd) == 0)
		p->slab = pages_map(p->fd, p->slab_bytes, true);
	return p->slab ? 0 : err_set(e, ERR_MEMORY, "shared memory of %zu "
	                             "MiB: %s", p->slab_bytes >> 20,
	                             strerror(errno));
}

static void on_freed(void *arg, size_t bytes)
{
	struct memory_pool *p = arg;

	pthread_mutex_lock(&p->lock);
	p->leaving -= bytes;
	pthread_mutex_unlock(&p->lock);
}

struct memory_pool *memory_pool_new(size_t limit, struct err *e)
{
	struct memory_pool *p = calloc(1, sizeof *p);

	if (!p || pthread_mutex_init(&p->lock, NULL) != 0) {
		free(p);
		err_set(e, ERR_MEMORY, "no memory for the pool of matrices");
		return NULL;
	}
	p->limit = limit;
	p->files_most = count_files_most();
	p->fd = -1;
	p->release = release_new(on_freed, p);
	if (p->release && make_slab(p, e) == 0)
		return p;
	err_set(e, ERR_MEMORY, "no memory for the pool of matrices");
	memory_pool_free(p);
	return NULL;
}

void memory_pool_free(struct memory_pool *p)
{
	if (!p)
		return;
	release_free(p->release);
	spares_free(&p->spares);
	cutter_fini(&p->cutter);
	if (p->slab)
		munmap(p->slab, p->slab_bytes);
	if (p->fd >= 0)
		close(p->fd);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

size_t memory_pool_limit(const struct memory_pool *p)
{
	return p->limit;
}

size_t memory_pool_used(const struct memory_pool *p)
{
	struct memory_pool *q = (struct memory_pool *)p;
	size_t used;

	pthread_mutex_lock(&q->lock);
	used = q->used;
	pthread_mutex_unlock(&q->lock);
	return used;
}

size_t memory_pool_taken(const struct memory_pool *p)
{
	struct memory_pool *q = (struct memory_pool *)p;
	size_t taken;

	pthread_mutex_lock(&q->lock);
	taken = q->used + q->spares.bytes + q->leaving;
	pthread_mutex_unlock(&q->lock);
	return taken;
}

bool memory_pool_is_behind(const struct memory_pool *p)
{
	return memory_pool_taken(p) > p->limit + p->limit / BEHIND_SHARE;
}

/* Removes the spare pieces that were freed before that time and returns them,
 * for release_pieces(). The caller holds the lock. */
static struct spares drop_spares(struct memory_pool *p, int64_t before_ns)
{
	const struct spares dropped = spares_drop(&p->spares, before_ns);

	p->leaving += dropped.bytes;
	p->files -= dropped.files;
	return dropped;
}

/* Charges the bytes, or returns -1 if they do not fit. *left receives what was
 * left before. */
static int try_charge(struct memory_pool *p, size_t bytes, size_t *left)
{
	struct spares dropped = { 0 };
	bool fits;

	pthread_mutex_lock(&p->lock);
	*left = p->limit - p->used;
	fits = bytes <= *left;
	if (fits)
		p->used += bytes;
	if (p->used + p->spares.bytes > p->limit)
		dropped = drop_spares(p, INT64_MAX);
	pthread_mutex_unlock(&p->lock);
	release_pieces(p->release, &dropped);
	return fits ? 0 : -1;
}

int memory_pool_charge(struct memory_pool *p, size_t bytes)
{
	size_t left;

	return try_charge(p, bytes, &left);
}

int pool_charge(struct memory_pool *p, size_t bytes, struct err *e)
{
	size_t left;

	if (bytes > p->limit)
		return err_set(e, ERR_TOO_LARGE, "a matrix of %zu bytes is "
		               "beyond the limit of %zu for all matrices",
		               bytes, p->limit);
	if (try_charge(p, bytes, &left) == 0)
		return 0;
	return err_set(e, ERR_MEMORY, "%zu bytes are wanted for a matrix, %zu "
	               "of %zu are left", bytes, left, p->limit);
}

void memory_pool_discharge(struct memory_pool *p, size_t bytes)
{
	pthread_mutex_lock(&p->lock);
	p->used -= bytes;
	pthread_mutex_unlock(&p->lock);
}

bool pool_cut(struct memory_pool *p, size_t bytes, size_t *offset)
{
	bool found;

	pthread_mutex_lock(&p->lock);
	found = cutter_take(&p->cutter, bytes, offset);
	pthread_mutex_unlock(&p->lock);
	return found;
}

void pool_uncut(struct memory_pool *p, size_t offset)
{
	pthread_mutex_lock(&p->lock);
	cutter_give(&p->cutter, offset);
	pthread_mutex_unlock(&p->lock);
}

struct memory *pool_find(struct memory_pool *p, size_t bytes)
{
	struct memory *m;

	pthread_mutex_lock(&p->lock);
	m = spares_take(&p->spares, bytes, bytes);
	pthread_mutex_unlock(&p->lock);
	if (m || !(m = release_recall(p->release, bytes)))
		return m;
	pthread_mutex_lock(&p->lock);
	p->leaving -= m->charged;
	p->files += spare_files(m);
	pthread_mutex_unlock(&p->lock);
	return m;
}

struct memory *pool_take_spare(struct memory_pool *p, size_t least,
                               size_t most)
{
	struct memory *m;

	pthread_mutex_lock(&p->lock);
	m = spares_take(&p->spares, least, most);
	if (m)
		p->used += m->bytes;
	pthread_mutex_unlock(&p->lock);
	return m;
}

int pool_count_file(struct memory_pool *p, struct err *e)
{
	struct spares dropped = { 0 };
	size_t files;

	pthread_mutex_lock(&p->lock);
	if (p->files >= p->files_most)
		dropped = drop_spares(p, INT64_MAX);
	files = p->files;
	if (files < p->files_most)
		p->files++;
	pthread_mutex_unlock(&p->lock);
	release_pieces(p->release, &dropped);
	if (files < p->files_most)
		return 0;
	return err_set(e, ERR_MEMORY, "the matrices of %d KiB and more take "
	               "%zu open files, and this process has no more for them "
	               "(half of ulimit -n, at most %d)", MEMORY_SLAB >> 10,
	               files, FILES_MOST);
}

void pool_uncount_file(struct memory_pool *p)
{
	pthread_mutex_lock(&p->lock);
	p->files--;
	pthread_mutex_unlock(&p->lock);
}

void memory_pool_leave(struct memory_pool *p)
{
	atomic_store(&p->left, true);
}

/* Unmaps a piece without emptying it. */
static void leave_to_client(struct memory_pool *p, struct memory *m)
{
	memory_pool_discharge(p, m->charged);
	for (size_t i = spare_files(m); i > 0; i--)
		pool_uncount_file(p);
	spare_destroy(m);
}

void pool_give_back(struct memory_pool *p, struct memory *m)
{
	struct spares leaving = { 0 };
	bool kept;

	if (m->given && atomic_load(&p->left)) {
		leave_to_client(p, m);
		return;
	}
	pthread_mutex_lock(&p->lock);
	kept = !m->given &&
	       p->spares.bytes + m->bytes <= p->limit / SPARE_SHARE &&
	       p->used + p->spares.bytes <= p->limit &&
	       m->charged == m->bytes;
	p->used -= m->charged;
	if (kept) {
		spares_keep(&p->spares, m);
	} else {
		spares_keep(&leaving, m);
		p->leaving += m->charged;
		p->files -= leaving.files;
	}
	pthread_mutex_unlock(&p->lock);
	release_pieces(p->release, &leaving);
}

static void on_tail_freed(void *arg, size_t from, size_t bytes)
{
	(void)from;
	on_freed(arg, bytes);
}

void pool_give_back_tail(struct memory_pool *p, int fd, size_t from, size_t to)
{
	pthread_mutex_lock(&p->lock);
	p->used -= to - from;
	p->leaving += to - from;
	pthread_mutex_unlock(&p->lock);
	release_range(p->release, fd, true, from, to, on_tail_freed, p);
}

static void on_bared(void *arg, size_t from, size_t bytes)
{
	struct memory_pool *p = arg;

	(void)bytes;
	pthread_mutex_lock(&p->lock);
	cutter_bared(&p->cutter, from);
	pthread_mutex_unlock(&p->lock);
}

/* Gives back the pages of empty chunks of the slab. */
static void strip(struct memory_pool *p)
{
	size_t chunk;
	bool found;

	do {
		pthread_mutex_lock(&p->lock);
		found = cutter_strip(&p->cutter, CHUNKS_KEPT, &chunk);
		pthread_mutex_unlock(&p->lock);
		if (found)
			release_range(p->release, p->fd, false, chunk,
			              chunk + CUTTER_CHUNK, on_bared, p);
	} while (found);
}

bool memory_pool_trim(struct memory_pool *p, int64_t before_ns)
{
	struct spares dropped;
	bool left;

	pthread_mutex_lock(&p->lock);
	dropped = drop_spares(p, before_ns);
	left = p->used || p->spares.bytes;
	pthread_mutex_unlock(&p->lock);
	release_pieces(p->release, &dropped);
	strip(p);
	return left;
}

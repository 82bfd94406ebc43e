/* release.c - see release.h. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/size.h"
#include "matrix/release.h"

/* STEP: bytes of a step, about 0.3 ms of freeing pages of 4 KiB. NICER: added
 * to the thread's nice value. */
enum { STEP = 4 << 20, NICER = 5 };

struct range {
	int fd;
	bool own;			/* closes fd */
	size_t from, to;
	void (*done)(void *arg, size_t from, size_t bytes);
	void *arg;
	struct range *next;
};

struct release {
	void (*freed)(void *arg, size_t charged);
	void *arg;
	pthread_mutex_t lock;		/* guards all below */
	pthread_cond_t more;
	struct spares pieces;
	struct range *ranges;
	bool started, ending;
	pthread_t thread;
};

/* Frees the pages from `from` to `to` in steps. It stops at the first step that
 * fails: close() frees the rest. */
static void punch(int fd, size_t from, size_t to)
{
	for (size_t at = from; at < to; at += STEP)
		if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		              (off_t)at,
		              (off_t)size_min(to - at, STEP)) < 0)
			return;
}

static void free_piece(struct release *r, struct memory *m)
{
	const size_t charged = m->charged;

	punch(m->fd, 0, m->room);
	spare_destroy(m);
	r->freed(r->arg, charged);
}

static void free_range(struct range *g)
{
	punch(g->fd, g->from, g->to);
	if (g->own)
		close(g->fd);
	if (g->done)
		g->done(g->arg, g->from, g->to - g->from);
}

/* The next piece and the next range to free; either may be NULL. */
struct work {
	struct memory *piece;
	struct range *range;
};

/* Waits for the next work and takes it. Returns false when the thread must end.
 * The caller holds the lock. */
static bool take_work(struct release *r, struct work *w)
{
	while (!r->ending && !r->pieces.first && !r->ranges)
		pthread_cond_wait(&r->more, &r->lock);
	if (r->ending)
		return false;
	w->piece = spares_pop(&r->pieces);
	w->range = r->ranges;
	if (w->range)
		r->ranges = w->range->next;
	return true;
}

/* Lowers this thread's priority, so that requests get the processors first. */
static void yield_to_others(void)
{
	setpriority(PRIO_PROCESS, (id_t)gettid(),
	            getpriority(PRIO_PROCESS, 0) + NICER);
}

static void *run(void *arg)
{
	struct release *r = arg;
	struct work w;

	yield_to_others();
	pthread_mutex_lock(&r->lock);
	while (take_work(r, &w)) {
		pthread_mutex_unlock(&r->lock);
		if (w.piece)
			free_piece(r, w.piece);
		if (w.range)
			free_range(w.range);
		free(w.range);
		pthread_mutex_lock(&r->lock);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

struct release *release_new(void (*freed)(void *arg, size_t charged), void *arg)
{
	struct release *r = calloc(1, sizeof *r);

	if (!r)
		return NULL;
	*r = (struct release){ .freed = freed, .arg = arg };
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->more, NULL);
	return r;
}

void release_free(struct release *r)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->lock);
	r->ending = true;
	pthread_cond_signal(&r->more);
	pthread_mutex_unlock(&r->lock);
	if (r->started)
		pthread_join(r->thread, NULL);
	spares_free(&r->pieces);
	while (r->ranges) {
		struct range *const g = r->ranges;

		r->ranges = g->next;
		if (g->own)
			close(g->fd);
		free(g);
	}
	pthread_cond_destroy(&r->more);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

/* Starts the thread with all signals blocked, if it does not run yet. The
 * caller holds the lock. */
static bool start(struct release *r)
{
	sigset_t all, before;

	if (r->started)
		return true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r->started = pthread_create(&r->thread, NULL, run, r) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r->started;
}

void release_pieces(struct release *r, struct spares *list)
{
	struct memory *m;
	bool started;

	if (!list->first)
		return;
	pthread_mutex_lock(&r->lock);
	started = start(r);
	while (started && (m = spares_pop(list)))
		spares_keep(&r->pieces, m);
	pthread_cond_signal(&r->more);
	pthread_mutex_unlock(&r->lock);
	while ((m = spares_pop(list)))
		free_piece(r, m);
}

struct memory *release_recall(struct release *r, size_t bytes)
{
	struct memory *m;

	pthread_mutex_lock(&r->lock);
	m = spares_take(&r->pieces, bytes, bytes);
	pthread_mutex_unlock(&r->lock);
	return m;
}

void release_range(struct release *r, int fd, bool own, size_t from,
                   size_t to,
                   void (*done)(void *arg, size_t from, size_t bytes),
                   void *arg)
{
	struct range here = { fd, own, from, to, done, arg, NULL };
	struct range *const g = malloc(sizeof *g);
	bool started;

	pthread_mutex_lock(&r->lock);
	started = g && start(r);
	if (started) {
		here.next = r->ranges;
		*g = here;
		r->ranges = g;
		pthread_cond_signal(&r->more);
	}
	pthread_mutex_unlock(&r->lock);
	if (started)
		return;
	free(g);
	free_range(&here);
}

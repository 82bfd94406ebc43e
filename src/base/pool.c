/* pool.c - see pool.h. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/pool.h"
#include "base/slice.h"

enum {
	SHORTER = 4,		/* a task that interrupts costs at most 1/4 */
	SHARE = 3,		/* a task lends at most 3 times its own time */
	DEPTH = 16,		/* paused tasks on one thread's stack */
	ZEROS = 1 << 20,	/* bytes of a slice that writes zeros */
};

static const int64_t slice_ns = 1000000;

struct pool {
	struct loop *loop;		/* set once */
	atomic_bool stop;
	pthread_mutex_t lock;		/* guards what follows */
	pthread_cond_t more;
	struct task *first, **last;	/* waiting, the oldest first */
	int n;				/* the loop's thread alone: threads[] */
	pthread_t threads[];
};

/* The task that this thread works on; NULL when it works on none. */
static _Thread_local struct task *current;

static void take_out(struct pool *p, struct task **at)
{
	struct task *t = *at;

	*at = t->next;
	if (!*at)
		p->last = at;
	t->waiting = false;
}

/* Takes the task to run next out of the list, among those that cost at most
 * most_ns; NULL when there is none. The caller holds the lock. */
static struct task *choose(struct pool *p, int64_t most_ns)
{
	const int64_t now = clock_ns();
	struct task **best = NULL, *t;
	int64_t least = INT64_MAX;

	for (struct task **at = &p->first; *at; at = &(*at)->next) {
		const int64_t rank = (*at)->cost_ns - (now - (*at)->since_ns);

		if ((*at)->cost_ns <= most_ns && rank < least) {
			least = rank;
			best = at;
		}
	}
	if (!best)
		return NULL;
	t = *best;
	take_out(p, best);
	return t;
}

static void run(struct task *t)
{
	struct task *const below = current;
	const int64_t begun = clock_ns();

	t->below = below;
	t->depth = below ? below->depth + 1 : 0;
	t->begun_ns = begun;
	t->next_ns = begun + slice_ns;
	current = t;
	t->work(t->arg);
	current = below;
	if (below)
		below->lent_ns += clock_ns() - begun;
	loop_post(t->pool->loop, &t->post, t->done, t->arg);
}

/* Waits for the next task of an idle thread; NULL when the pool is being
 * freed. */
static struct task *take(struct pool *p)
{
	struct task *t = NULL;

	pthread_mutex_lock(&p->lock);
	while (!atomic_load(&p->stop) && !(t = choose(p, INT64_MAX)))
		pthread_cond_wait(&p->more, &p->lock);
	pthread_mutex_unlock(&p->lock);
	return t;
}

/* Takes a waiting task that is short enough to interrupt t; NULL when there is
 * none. If t has run for longer than its cost_ns, the time that it has run is
 * its cost. */
static struct task *take_shorter(const struct task *t)
{
	const int64_t own = clock_ns() - t->begun_ns - t->lent_ns;
	const int64_t cost = own > t->cost_ns ? own : t->cost_ns;
	struct pool *const p = t->pool;
	struct task *shorter;

	if (t->depth >= DEPTH || t->lent_ns > SHARE * own)
		return NULL;
	pthread_mutex_lock(&p->lock);
	shorter = atomic_load(&p->stop) ? NULL : choose(p, cost / SHORTER);
	pthread_mutex_unlock(&p->lock);
	return shorter;
}

int slice_next(struct err *e)
{
	struct task *const t = current;
	struct task *shorter;

	if (!t)
		return 0;
	if (clock_ns() >= t->next_ns) {
		while ((shorter = take_shorter(t)))
			run(shorter);
		t->next_ns = clock_ns() + slice_ns;
	}
	if (atomic_load(&t->cancelled) || atomic_load(&t->pool->stop))
		return err_set(e, ERR_DISMISSED, "the request was given up "
		               "while it was prepared");
	return 0;
}

int slice_zero(void *to, size_t bytes, struct err *e)
{
	char *p = to;

	while (bytes) {
		const size_t n = bytes < ZEROS ? bytes : ZEROS;

		memset(p, 0, n);
		p += n;
		bytes -= n;
		if (slice_next(e))
			return -1;
	}
	return 0;
}

static void *thread_main(void *arg)
{
	struct task *t;

	while ((t = take(arg)))
		run(t);
	return NULL;
}

/* Starts the threads with all signals blocked: the main thread takes them. */
static int start_threads(struct pool *p, int threads, struct err *e)
{
	sigset_t all, before;
	int rc = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (; p->n < threads && !rc; p->n += !rc)
		rc = pthread_create(&p->threads[p->n], NULL, thread_main, p);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc)
		return err_set(e, ERR_INTERNAL, "thread %d of %d: %s",
		               p->n + 1, threads, strerror(rc));
	return 0;
}

struct pool *pool_new(struct loop *l, int threads, struct err *e)
{
	struct pool *p = calloc(1, sizeof *p +
	                           (size_t)threads * sizeof p->threads[0]);

	if (!p) {
		err_set(e, ERR_MEMORY, "thread pool: out of memory");
		return NULL;
	}
	p->loop = l;
	p->last = &p->first;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->more, NULL);
	if (start_threads(p, threads, e)) {
		pool_free(p);
		return NULL;
	}
	return p;
}

void pool_free(struct pool *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	atomic_store(&p->stop, true);
	pthread_cond_broadcast(&p->more);
	pthread_mutex_unlock(&p->lock);
	while (p->n)
		pthread_join(p->threads[--p->n], NULL);
	for (struct task *t = p->first, *next; t; t = next) {
		next = t->next;
		t->waiting = false;
		loop_post(p->loop, &t->post, t->done, t->arg);
	}
	p->first = NULL;
	loop_run_posts(p->loop);
	pthread_cond_destroy(&p->more);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

void pool_submit(struct pool *p, struct task *t, int64_t cost_ns,
                 void (*work)(void *arg), void (*done)(void *arg), void *arg)
{
	*t = (struct task){ .work = work, .done = done, .arg = arg, .pool = p,
	                    .cost_ns = cost_ns, .since_ns = clock_ns(),
	                    .waiting = true };
	pthread_mutex_lock(&p->lock);
	*p->last = t;
	p->last = &t->next;
	pthread_cond_signal(&p->more);
	pthread_mutex_unlock(&p->lock);
}

void pool_cancel(struct task *t)
{
	struct pool *const p = t->pool;
	struct task **at = &p->first;
	bool waiting;

	atomic_store(&t->cancelled, true);
	pthread_mutex_lock(&p->lock);
	waiting = t->waiting;
	while (waiting && *at != t)
		at = &(*at)->next;
	if (waiting)
		take_out(p, at);
	pthread_mutex_unlock(&p->lock);
	if (waiting)
		loop_post(p->loop, &t->post, t->done, t->arg);
}

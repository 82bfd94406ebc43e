/* loop.c - see loop.h.
 *
 * A removed watch leaves a hole (fd -1, which poll() skips) until the turn is
 * over, so that callbacks may remove any watch while the ready ones are being
 * served. New watches go to the end and are first polled in the next turn.
 * Posts are a lock-free stack, which is emptied as a whole and reversed.
 */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/loop.h"
#include "base/size.h"

enum { HOOKS = 8 };

struct watch {
	void (*fn)(void *arg, short revents);
	void *arg;
};

struct loop {
	pthread_t thread;		/* set once */
	struct pollfd *fds;		/* in step with watch[] */
	struct watch *watch;
	size_t n, room, holes;
	struct {
		int64_t (*fn)(void *arg);
		void *arg;
	} hook[HOOKS];
	size_t n_hooks;
	struct timers timers;
	struct post *later;		/* in no order */
	int64_t awake_ns;		/* clock_ns() until which the loop does
					 * not sleep; 0: it may */
	_Atomic(struct post *) posts;	/* the newest first */
	atomic_bool stop;
	int wake;			/* eventfd: there are posts, or stop */
};

static void wake_up(struct loop *l)
{
	const uint64_t one = 1;
	/* EAGAIN: the counter is full, so the loop wakes up anyway. */
	ssize_t ignored = write(l->wake, &one, sizeof one);

	(void)ignored;
}

static void on_wake(void *arg, short revents)
{
	struct loop *l = arg;
	uint64_t count;
	ssize_t ignored = read(l->wake, &count, sizeof count);

	(void)ignored;
	(void)revents;
}

struct loop *loop_new(struct err *e)
{
	struct loop *l = calloc(1, sizeof *l);

	if (!l) {
		err_set(e, ERR_MEMORY, "event loop: out of memory");
		return NULL;
	}
	l->thread = pthread_self();
	l->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (l->wake < 0) {
		err_set(e, ERR_INTERNAL, "eventfd: %s", strerror(errno));
		loop_free(l);
		return NULL;
	}
	if (loop_watch(l, l->wake, POLLIN, on_wake, l, e)) {
		loop_free(l);
		return NULL;
	}
	return l;
}

void loop_free(struct loop *l)
{
	if (!l)
		return;
	if (l->wake >= 0)
		close(l->wake);
	free(l->fds);
	free(l->watch);
	free(l);
}

bool loop_is_here(const struct loop *l)
{
	return !l || pthread_equal(l->thread, pthread_self());
}

static int grow(struct loop *l, struct err *e)
{
	const size_t room = size_max(16, 2 * l->room);
	struct pollfd *fds = realloc(l->fds, room * sizeof *fds);
	struct watch *watch;

	if (fds)
		l->fds = fds;
	watch = realloc(l->watch, room * sizeof *watch);
	if (watch)
		l->watch = watch;
	if (!fds || !watch)
		return err_set(e, ERR_MEMORY, "event loop: out of memory");
	l->room = room;
	return 0;
}

int loop_watch(struct loop *l, int fd, short events,
               void (*fn)(void *arg, short revents), void *arg,
               struct err *e)
{
	assert(loop_is_here(l));
	if (l->n == l->room && grow(l, e))
		return -1;
	l->fds[l->n] = (struct pollfd){ .fd = fd, .events = events };
	l->watch[l->n++] = (struct watch){ fn, arg };
	return 0;
}

void loop_unwatch(struct loop *l, int fd)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->fds[i].fd == fd) {
			l->fds[i] = (struct pollfd){ .fd = -1 };
			l->holes++;
			return;
		}
}

int loop_prepare(struct loop *l, int64_t (*fn)(void *arg), void *arg,
                 struct err *e)
{
	if (l->n_hooks == HOOKS)
		return err_set(e, ERR_INTERNAL,
		               "event loop: more than %d hooks", HOOKS);
	l->hook[l->n_hooks].fn = fn;
	l->hook[l->n_hooks++].arg = arg;
	return 0;
}

void loop_timer_clear(struct loop *l, struct timer *t)
{
	if (t->fn)
		timers_remove(&l->timers, t);
}

void loop_timer_set(struct loop *l, struct timer *t, int64_t at_ns,
                    void (*fn)(void *arg), void *arg)
{
	assert(loop_is_here(l));
	loop_timer_clear(l, t);
	*t = (struct timer){ .at_ns = at_ns, .fn = fn, .arg = arg };
	timers_add(&l->timers, t);
}

void loop_post(struct loop *l, struct post *p, void (*fn)(void *arg),
               void *arg)
{
	struct post *first = atomic_load(&l->posts);

	*p = (struct post){ fn, arg, NULL };
	do
		p->next = first;
	while (!atomic_compare_exchange_weak(&l->posts, &first, p));
	if (!first)
		wake_up(l);
}

void loop_later(struct loop *l, struct post *p, void (*fn)(void *arg),
                void *arg)
{
	assert(loop_is_here(l));
	if (p->fn)
		return;
	*p = (struct post){ fn, arg, l->later };
	l->later = p;
}

void loop_later_clear(struct loop *l, struct post *p)
{
	if (!p->fn)
		return;
	for (struct post **at = &l->later; *at; at = &(*at)->next)
		if (*at == p) {
			*at = p->next;
			break;
		}
	p->fn = NULL;
}

void loop_run_posts(struct loop *l)
{
	struct post *newest = atomic_exchange(&l->posts, NULL);
	struct post *oldest = NULL;

	while (newest) {
		struct post *next = newest->next;

		newest->next = oldest;
		oldest = newest;
		newest = next;
	}
	while (oldest) {
		const struct post p = *oldest;

		p.fn(p.arg);
		oldest = p.next;
	}
}

static void run_timers(struct loop *l)
{
	const int64_t now = l->timers.first ? clock_ns() : 0;

	while (l->timers.first && l->timers.first->at_ns <= now) {
		struct timer *const t = l->timers.first;
		void (*const fn)(void *arg) = t->fn;

		timers_remove(&l->timers, t);
		fn(t->arg);
	}
}

static void run_ready(struct loop *l, int ready)
{
	const size_t n = l->n;

	for (size_t i = 0; i < n && ready > 0; i++) {
		const short revents = l->fds[i].revents;

		if (!revents)
			continue;
		ready--;
		l->watch[i].fn(l->watch[i].arg, revents);
	}
}

static void close_holes(struct loop *l)
{
	size_t n = 0;

	if (!l->holes)
		return;
	for (size_t i = 0; i < l->n; i++)
		if (l->fds[i].fd >= 0) {
			l->fds[n] = l->fds[i];
			l->watch[n++] = l->watch[i];
		}
	l->n = n;
	l->holes = 0;
}

static int64_t run_hooks(struct loop *l)
{
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < l->n_hooks; i++) {
		const int64_t ns = l->hook[i].fn(l->hook[i].arg);

		least = ns < least ? ns : least;
	}
	return least;
}

/* Calls what loop_later() was given; false if there was nothing. */
static bool run_later(struct loop *l)
{
	const bool any = l->later != NULL;

	while (l->later) {
		struct post *p = l->later;
		void (*fn)(void *arg) = p->fn;

		l->later = p->next;
		p->fn = NULL;
		fn(p->arg);
	}
	return any;
}

/* Returns how long poll() may wait, in nanoseconds. The hooks run again after
 * each round of later functions, which may have given them work. */
static int64_t time_allowed(struct loop *l)
{
	int64_t least;

	do
		least = run_hooks(l);
	while (run_later(l));
	if (l->timers.first) {
		const int64_t ns = l->timers.first->at_ns - clock_ns();

		least = ns < least ? ns : least;
	}
	if (l->awake_ns && clock_ns() < l->awake_ns)
		return 0;
	return least < 0 ? 0 : least;
}

void loop_stay_awake(struct loop *l, int64_t until_ns)
{
	l->awake_ns = until_ns;
}

static int turn(struct loop *l, struct err *e)
{
	const int64_t ns = time_allowed(l);
	const struct timespec wait = { ns / 1000000000, ns % 1000000000 };
	int ready;

	close_holes(l);
	ready = ppoll(l->fds, l->n, ns == INT64_MAX ? NULL : &wait, NULL);
	if (ready < 0 && errno != EINTR && errno != EAGAIN)
		return err_set(e, ERR_INTERNAL, "poll: %s", strerror(errno));
	run_ready(l, ready);
	run_timers(l);
	loop_run_posts(l);
	return 0;
}

int loop_run(struct loop *l, struct err *e)
{
	int rc = 0;

	while (!rc && !atomic_load(&l->stop))
		rc = turn(l, e);
	atomic_store(&l->stop, false);
	return rc;
}

void loop_stop(struct loop *l)
{
	atomic_store(&l->stop, true);
	wake_up(l);
}

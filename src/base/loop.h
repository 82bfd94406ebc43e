/* loop.h - the front's event loop: one thread owns all state.
 *
 *     prepare hooks, later ──▶ poll(fds, eventfd) ──▶ ready fds ──▶ timers
 *            ▲                                                         │
 *            └────────────────────── posts ◀───────────────────────────┘
 *
 * Everything here is called on the loop's thread, the one that made it, except
 * loop_post() and loop_stop(), which any thread may call (a signal handler may
 * call loop_stop()). Assertions check this by loop_is_here(). A callback may
 * watch and unwatch any descriptor, and set and clear any timer.
 */
#ifndef BASE_LOOP_H
#define BASE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/timers.h"

struct loop;

struct loop *loop_new(struct err *e);
void loop_free(struct loop *l);

/* Is this the loop's thread? Also true if l is NULL. */
bool loop_is_here(const struct loop *l);

/* Calls fn(arg, revents) whenever poll() finds fd ready for events. fd stays
 * the caller's, who unwatches it before closing it. */
int loop_watch(struct loop *l, int fd, short events,
               void (*fn)(void *arg, short revents), void *arg,
               struct err *e);
void loop_unwatch(struct loop *l, int fd);

/* Calls fn(arg) before each poll(); fn returns how many nanoseconds the poll
 * may wait at most (INT64_MAX: without limit). */
int loop_prepare(struct loop *l, int64_t (*fn)(void *arg), void *arg,
                 struct err *e);

/* (Re)sets the timer; it fires once. */
void loop_timer_set(struct loop *l, struct timer *t, int64_t at_ns,
                    void (*fn)(void *arg), void *arg);
void loop_timer_clear(struct loop *l, struct timer *t);

/* Has fn(arg) called on the loop's thread in the present or next turn. It
 * cannot fail, because the caller provides the memory: p must stay valid until
 * fn is called. */
struct post {
	void (*fn)(void *arg);
	void *arg;
	struct post *next;
};
void loop_post(struct loop *l, struct post *p, void (*fn)(void *arg),
               void *arg);

/* Calls all posted functions: needed once loop_run() has returned. */
void loop_run_posts(struct loop *l);

/* Has fn(arg) called before the loop's next poll(), after the hooks. Does
 * nothing if p is already set. It costs no system call. */
void loop_later(struct loop *l, struct post *p, void (*fn)(void *arg),
                void *arg);
void loop_later_clear(struct loop *l, struct post *p);

/* Has the loop poll without sleeping until until_ns (clock_ns()), because an
 * event is expected sooner than a sleeping thread would wake up. 0 ends it. */
void loop_stay_awake(struct loop *l, int64_t until_ns);

/* Runs until loop_stop(): 0, or -1 if poll() failed. */
int loop_run(struct loop *l, struct err *e);
void loop_stop(struct loop *l);

#endif

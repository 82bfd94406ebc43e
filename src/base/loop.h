/* loop.h - the front's event loop: one thread owns all state.
 *
 *     prepare hooks, later ──▶ poll(fds, eventfd) ──▶ ready fds ──▶ timers
 *            ▲                                                         │
 *            └────────────────────── posts ◀───────────────────────────┘
 *
 * Everything here is called on the loop's thread, the one that made it, save
 * loop_post() and loop_stop(), which any thread (loop_stop: any signal handler
 * too) may call. Assertions hold that against loop_is_here().
 * A callback may watch, unwatch, set and clear whatever it likes.
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

/* Is this the loop's thread? Also true of NULL, no loop. */
bool loop_is_here(const struct loop *l);

/* Calls fn(arg, revents) whenever poll() finds fd ready for events. */
int loop_watch(struct loop *l, int fd, short events,
               void (*fn)(void *arg, short revents), void *arg,
               struct err *e);
void loop_unwatch(struct loop *l, int fd);

/* Calls fn(arg) before each poll(); it answers how many nanoseconds the poll
 * may last (INT64_MAX: no matter). */
int loop_prepare(struct loop *l, int64_t (*fn)(void *arg), void *arg,
                 struct err *e);

/* (Re)sets the timer; it fires once. */
void loop_timer_set(struct loop *l, struct timer *t, int64_t at_ns,
                    void (*fn)(void *arg), void *arg);
void loop_timer_clear(struct loop *l, struct timer *t);

/* Has fn(arg) called on the loop's thread, soon. Never fails after the
 * caller provided the memory: p is the caller's until fn is called. */
struct post {
	void (*fn)(void *arg);
	void *arg;
	struct post *next;
};
void loop_post(struct loop *l, struct post *p, void (*fn)(void *arg),
               void *arg);

/* Calls what was posted: for the end, when loop_run() does not any more. */
void loop_run_posts(struct loop *l);

/* Has fn(arg) called before the loop sleeps, when the hooks have done what
 * they can; on the loop's thread, at no cost. Again while it waits: no-op. */
void loop_later(struct loop *l, struct post *p, void (*fn)(void *arg),
                void *arg);
void loop_later_clear(struct loop *l, struct post *p);

/* Until then the loop does not sleep: for what is known to come within less
 * time than waking up takes. 0: it may sleep again. */
void loop_stay_awake(struct loop *l, int64_t until_ns);

/* Runs until loop_stop(). */
int loop_run(struct loop *l, struct err *e);
void loop_stop(struct loop *l);

#endif

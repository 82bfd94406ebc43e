/* job_wait.c - see job_wait.h. */
#include <stdio.h>

#include "http/job_wait.h"
#include "http/prefer.h"

/* The longest wait that a client is granted. Many proxies time out earlier. */
enum { WAIT_MOST_SECONDS = 300 };

int job_wait_seconds(struct exchange *x)
{
	const int seconds = prefer_wait(exchange_prefer(x), WAIT_MOST_SECONDS);
	char applied[32];

	if (seconds >= 0) {
		snprintf(applied, sizeof applied, "wait=%d", seconds);
		exchange_reply_header(x, "Preference-Applied", applied);
	}
	return seconds;
}

/* over() is called last, because it may call job_wait_end(). */
static void is_over(void *arg)
{
	struct job_wait *w = arg;

	loop_timer_clear(w->loop, &w->limit);
	loop_later_clear(w->loop, &w->ended);
	w->over(w->arg);
}

static void on_change(void *arg)
{
	struct job_wait *w = arg;

	if (job_state_is_end(w->job->state) || w->job->left)
		loop_later(w->loop, &w->ended, is_over, w);
}

void job_wait_begin(struct job_wait *w, struct loop *l, struct job *j,
                    int64_t until_ns, void (*over)(void *arg), void *arg)
{
	*w = (struct job_wait){
		.loop = l, .job = job_ref(j),
		.watch = { .changed = on_change, .arg = w },
		.over = over, .arg = arg,
	};
	job_watch(j, &w->watch);
	loop_timer_set(l, &w->limit, until_ns, is_over, w);
}

void job_wait_end(struct job_wait *w)
{
	if (!w->job)
		return;
	job_unwatch(w->job, &w->watch);
	loop_timer_clear(w->loop, &w->limit);
	loop_later_clear(w->loop, &w->ended);
	job_unref(w->job);
	w->job = NULL;
}

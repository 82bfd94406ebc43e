/* messages.c - handles a worker's messages, once they are checked, and sends
 * those of the front. */
#include <string.h>

#include "base/clock.h"
#include "base/size.h"
#include "queue/worker_log.h"

enum { ARRIVALS_MOST = 64 };	/* messages that a worker may leave unread */

static int on_ready(struct worker *w, const struct ready *r, struct err *e)
{
	if (r->err.code) {
		worker_log_bad_canary(w, r->err.text);
		return err_set(e, ERR_DEVICE, "could not start: %.80s",
		               r->err.text);
	}
	loop_timer_clear(w->options->loop, &w->timer);
	w->sheet = r->sheet;
	w->state = WORKER_READY;
	w->ready_ns = clock_ns();
	w->arrivals = 0;
	worker_log_ready(w);
	w->options->ready(w->options->arg, w);
	return 0;
}

static int on_answers(struct worker *w, const struct answers *a,
                      struct err *e)
{
	if (answers_check(a, w->n_answers, e) ||
	    w->options->done(w->options->arg, w, a, e))
		return -1;
	w->failures = 0;
	w->arrivals = 0;
	return 0;
}

int worker_take_message(struct worker *w, const union message *m, size_t n,
                        struct err *e)
{
	if (w->state != WORKER_STARTING && n == sizeof(struct compile_notice)) {
		w->options->on_compiled(w->options->arg, w);
		return 0;
	}
	if (w->state != WORKER_STARTING)
		return on_answers(w, &m->answers, e);
	if (ready_check(&m->ready, n, w->sheet.index, e))
		return -1;
	return on_ready(w, &m->ready, e);
}

/* Clears the results of another tenant's calls, which the worker can read. */
static void clear_results(struct worker *w, const struct call_out *calls, int n)
{
	if (calls[0].tenant != w->small.tenant) {
		memset(w->control->results, 0, w->results_end);
		w->results_end = 0;
	}
	for (int i = 0; i < n; i++)
		w->results_end = size_max(w->results_end,
		    call_results_end(calls[i].args, calls[i].results));
}

int worker_call(struct worker *w, const struct call_out *calls, int n,
                struct err *e)
{
	clear_results(w, calls, n);
	return call_send(w->socket, &w->small, calls, n, e);
}

void worker_send_arrival(struct worker *w, struct memory *m, size_t bytes)
{
	if (w->arrivals++ < ARRIVALS_MOST)
		call_send_arrival(w->socket, m, bytes, &(struct err){ 0 });
}

void worker_cancel(struct worker *w, uint64_t serial)
{
	if (w->control)
		atomic_store(&w->control->cancel, serial);
}

int worker_progress(const struct worker *w, uint64_t serial)
{
	int progress;

	if (!w->control || atomic_load(&w->control->serial) != serial)
		return 0;
	progress = atomic_load(&w->control->progress);
	return progress < 0 ? 0 : progress > 100 ? 100 : progress;
}

/* front.c - see front.h. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/size.h"
#include "mpi/front.h"
#include "mpi/work.h"
#include "wire/lane.h"

static const struct timespec pause_between = { 0, 250000000 };

/* --- the thread that shows that this process runs (worker/beat.c) */

static bool is_gone(int socket)
{
	struct pollfd p = { .fd = socket };

	return poll(&p, 1, 0) > 0 && p.revents & (POLLHUP | POLLERR);
}

static void *beat(void *arg)
{
	const struct front *f = arg;

	for (;;) {
		atomic_fetch_add(&f->control->beats, 1);
		if (atomic_load(&f->control->serial) && is_gone(f->socket))
			_exit(1);
		nanosleep(&pause_between, NULL);
	}
	return NULL;
}

static int start_beat(struct front *f, struct err *e)
{
	sigset_t all, before;
	pthread_t thread;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&thread, NULL, beat, f);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc ? err_set(e, ERR_INTERNAL, "a thread: %s", strerror(rc)) : 0;
}

static bool is_cancelled(void *arg)
{
	const struct front *f = arg;
	const uint64_t serial = atomic_load(&f->control->serial);

	return serial != 0 && atomic_load(&f->control->cancel) == serial;
}

int front_open(struct front *f, const char *name, struct ranks *g,
               struct err *e)
{
	struct lane l;
	void *page;

	if (lane_take(name, &l, e))
		return -1;
	*f = (struct front){ .grid = g, .index = l.device,
	                     .socket = l.socket };
	g->cancelled = is_cancelled;
	g->arg = f;
	page = mmap(NULL, sizeof *f->control, PROT_READ | PROT_WRITE,
	            MAP_SHARED, l.control, 0);
	if (page == MAP_FAILED)
		return err_set(e, ERR_INTERNAL, "mapping the control page: %s",
		               strerror(errno));
	close(l.control);
	f->control = page;
	f->slab.results = f->control->results;
	f->slab.results_bytes = sizeof f->control->results;
	if (slab_map(&f->slab, l.slab, e))
		return -1;
	close(l.slab);
	return start_beat(f, e);
}

int front_tell_ready(struct front *f, const struct sheet *s,
                     const struct err *why, struct err *e)
{
	const struct ready r = { .sheet = *s, .err = *why };

	return io_send(f->socket, &r, sizeof r, NULL, 0, e);
}

static void tell_progress(void *arg, double done)
{
	const struct front *f = arg;

	atomic_store(&f->control->progress, (int)(100 * done));
}

/* --- one call */

static void tell_outputs(const struct args *a, struct done *d)
{
	d->verdict = a->verdict;
	d->real = a->real;
	d->shorter = a->shorter;
	d->fewer = a->fewer;
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (args_wants(a, i) && a->out[i].ndim != MATRIX_ABSENT)
			d->present |= 1u << i;
	snprintf(d->variant, sizeof d->variant, "scalapack");
}

/* Computes a call that process 0 has found nothing against. */
static void compute(struct front *f, struct work *w, const struct work_of *kind)
{
	enum err_code code;

	if (work_is_empty(w)) {
		code = kind->empty(w);
	} else {
		grid_tell(f->grid, &w->order, sizeof w->order);
		code = kind->run(w);
	}
	if (code != ERR_NONE)
		work_describe(w, code);
}

static void run(struct front *f, struct args *a, struct done *d)
{
	const struct work_of *kind = work_of_op(a->op->name);
	const struct variant *v = op_variant(a->op, "scalapack");
	struct work w = { .g = f->grid, .a = a, .err = &d->err,
	                  .timing = &d->timing, .progress = tell_progress,
	                  .arg = f };

	a->verdict = verdict_none();
	if (!kind || !v || (a->variant && a->variant != v))
		err_set(&d->err, ERR_INTERNAL, "%s came to linalgd-mpi, which "
		        "does not compute it", a->op->name);
	else if (v->takes(a, &d->err) == 0 && kind->prepare(&w, &d->err) == 0)
		compute(f, &w, kind);
	if (!d->err.code)
		tell_outputs(a, d);
}

static void answer(struct front *f, struct call *c, struct answers *answers,
                   struct err *e)
{
	struct done d = { .serial = c->serial, .err = c->err,
	                  .begun_ns = clock_ns() };

	if (c->level == TIMING_TRACE)
		atomic_store(&f->control->trace.n, 0);
	atomic_store(&f->control->progress, 0);
	atomic_store(&f->control->serial, c->serial);
	if (!d.err.code && c->steps > 0)
		err_set(&d.err, ERR_INTERNAL, "a pipeline came to linalgd-mpi");
	if (!d.err.code)
		run(f, &c->args, &d);
	if (!timing_has_kernels(c->level))
		d.timing.n_kernels = 0;
	answers_add(answers, &d, f->socket, e);
}

/* Receives and answers calls, or ignores the beginning of an operand; false
 * when the front is gone. */
static bool serve(struct front *f)
{
	static struct call calls[CALL_BATCH];
	static struct answers answers;
	struct err e = { 0 };
	const int n = call_receive(f->socket, &f->slab, calls, &e);

	if (n > 0 && calls[0].is_prefetch) {
		memory_unref(calls[0].memory);
		return true;
	}
	/* Of a pipeline's steps, one answer says that the first has failed. */
	for (int i = 0; i < n && (i == 0 || !calls[i].steps); i++)
		answer(f, &calls[i], &answers, &e);
	for (int i = 0; i < n; i++)
		args_fini(&calls[i].args);
	atomic_store(&f->control->serial, 0);
	return n > 0 && answers_send(&answers, f->socket, &e) == 0;
}

void front_serve(struct front *f)
{
	while (serve(f))
		;
}

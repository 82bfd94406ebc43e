/* cold.c - calls whose kernels are not compiled: see serve.h. */
#include <poll.h>

#include "base/clock.h"
#include "ops/variant.h"
#include "worker/serve.h"

/* A call that has worked for longer than this waits in the worker for the
 * compilation: beginning again would cost it more than the wait costs other
 * calls. So does every part of a gang, because the others have begun, too. */
static const int64_t worked_most_ns = 200000000;

/* The work (flops + bytes) up to which another variant, even one a hundred
 * times slower, is done before the usual one has been compiled. */
static const double brief_work = 1e7;

/* While a call waits in the worker, this often it checks for cancellation. */
enum { LOOK_MS = 5 };

/* False while the worker warms kernels: that may wait. */
static bool is_call(const struct worker *w)
{
	return atomic_load(&w->control->serial) != 0;
}

static bool is_given_up(const struct worker *w)
{
	const uint64_t serial = atomic_load(&w->control->serial);

	return serial && atomic_load(&w->control->cancel) == serial;
}

static enum elsewhere wait_here(struct worker *w, uint64_t key)
{
	struct pollfd p[COMPILERS_ALL];

	while (compilers_has(&w->compilers, key)) {
		if (is_given_up(w))
			return ELSEWHERE_LATER;
		poll(p, (nfds_t)compilers_poll(&w->compilers, p), LOOK_MS);
		w->news |= compilers_hear(&w->compilers);
	}
	return ELSEWHERE_DONE;
}

static enum elsewhere ask(void *arg, struct device *d, const struct launch *l,
                          int64_t worked_ns)
{
	struct worker *w = arg;
	const uint64_t key = launch_key(d, l);

	device_notes_refresh(d);
	if (device_noted(d, key))
		return ELSEWHERE_DONE;
	if (w->makes_do)
		return ELSEWHERE_LATER;
	if (!compilers_ask(&w->compilers, d, l))
		return ELSEWHERE_NOT;
	if (!is_call(w) || (worked_ns < worked_most_ns && !w->in_gang))
		return ELSEWHERE_LATER;
	return wait_here(w, key);
}

void cold_watch(struct worker *w)
{
	device_compile_elsewhere(w->device, ask, w);
	if (w->direct)
		device_compile_elsewhere(w->direct, ask, w);
}

static bool is_brief(const struct args *a)
{
	return args_is_tiny(a) || (!a->op->iterative &&
	       a->op->flops(a) + a->op->bytes(a) < brief_work);
}

void cold_make_do(struct worker *w, struct device *device, struct args *a,
                  enum timing_level level, struct done *d)
{
	const struct variant *const usual = a->variant;
	const struct done cold = *d;

	if (!is_brief(a))
		return;
	w->makes_do = true;
	for (const struct variant *v = a->op->variants; v->name &&
	     d->err.code == ERR_NOT_READY; v++) {
		if (v == usual ||
		    !variant_is_candidate(v, a, device_sheet(device)))
			continue;
		*d = cold;
		d->err = (struct err){ 0 };
		a->variant = v;
		worker_run_once(w, device, a, level, d);
	}
	w->makes_do = false;
	d->timing.cold = true;
	if (d->err.code != ERR_NOT_READY)
		return;
	*d = cold;
	a->variant = usual;
}

void cold_hear(struct worker *w)
{
	const bool heard = compilers_hear(&w->compilers) || w->news;
	struct compile_notice n;

	w->news = false;
	if (!heard || w->put_off == 0)
		return;
	w->put_off = 0;
	n.compiled = ++w->compiled;
	io_send(w->socket, &n, sizeof n, NULL, 0, &(struct err){ 0 });
}

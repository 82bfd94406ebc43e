/* serve.c - calls come, run, and are answered; in the gaps kernels are
 * warmed. */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "base/clock.h"
#include "worker/serve.h"
#include "worker/worker.h"

enum { KEEP_MS = 1000 };	/* mappings, beyond their last call */

/* After a call, before warming goes on: who calls again at once is not to
 * wait for a kernel that he does not need. */
enum { GAP_MS = 100 };

/* Between two looks at whether compilers are still at work. */
enum { ABIDE_MS = 5 };

/* How long it looks for the next call before it sleeps: a client takes its
 * answer and asks again in less, and waking up takes a fifth of that. */
static const int64_t awake_ns = 120000;

/* Warming within this time comes before the first call, the rest after. */
static const int64_t patience_ns = 600000000;

static bool tell_ready(const struct worker *w)
{
	const struct ready r = { .sheet = w->sheet };

	return io_send(w->socket, &r, sizeof r, NULL, 0,
	               &(struct err){ 0 }) == 0;
}

/* Is there a message (or an end) within so many milliseconds? */
static bool has_message(int socket, int wait_ms)
{
	struct pollfd p = { .fd = socket, .events = POLLIN };
	int rc;

	do
		rc = poll(&p, 1, wait_ms);
	while (rc < 0 && errno == EINTR);
	return rc != 0;
}

/* Not where that would keep the front from running. */
static void stay_awake(int socket)
{
	const int64_t until = sysconf(_SC_NPROCESSORS_ONLN) > 1 ?
	                      clock_ns() + awake_ns : 0;

	while (clock_ns() < until && !has_message(socket, 0))
		;
}

/* A call will come for it. */
static bool expect(struct worker *w, const struct call *c)
{
	if (c->memory)
		device_expect(w->device, c->memory, c->arrived);
	memory_unref(c->memory);
	return true;
}

/* A batch of calls, or what precedes one: false when the front is gone. */
static bool answer(struct worker *w)
{
	static struct call calls[CALL_BATCH];
	struct err e = { 0 };
	const int n = call_receive(w->socket, &w->slab, calls, &e);
	bool alone, told;

	if (n > 0 && calls[0].comes)
		return expect(w, &calls[0]);
	alone = n == 1 && call_shares(&calls[0].args);
	told = n > 0 && worker_answer(w, calls, n) == 0;

	if (told && alone)
		stay_awake(w->socket);
	return told;
}

bool worker_is_lost(const struct worker *w)
{
	return device_lost(w->device) || (w->direct && device_lost(w->direct));
}

/* Goes on warming, once what may be launched is compiled: false when all is
 * warm. */
static bool warm_on(struct worker *w, struct warmth *at)
{
	if (!compilers_work(&w->compilers))
		return warm_next(w, at);
	has_message(w->socket, ABIDE_MS);
	return true;
}

int worker_serve(struct worker *w)
{
	const int64_t until = clock_ns() + patience_ns;
	struct warmth at = { 0 };
	bool cold = true, kept = true;
	int gap_ms = 0;

	while (cold && clock_ns() < until)
		cold = warm_on(w, &at);
	if (worker_is_lost(w))
		return WORKER_LOST_DEVICE;
	if (!tell_ready(w))
		return WORKER_END;
	while (!worker_is_lost(w)) {
		const int wait_ms = cold ? gap_ms : kept ? KEEP_MS : -1;

		if (has_message(w->socket, wait_ms)) {
			if (!answer(w))
				return WORKER_END;
			kept = true;
			gap_ms = GAP_MS;
		} else if (cold) {
			cold = warm_on(w, &at);
			gap_ms = 0;
		} else {
			kept = mappings_trim(&w->mappings, clock_ns()
			                     - KEEP_MS * INT64_C(1000000));
		}
	}
	return WORKER_LOST_DEVICE;
}

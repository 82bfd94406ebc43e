/* serve.c - calls come, run, and are answered; in the gaps kernels are
 * warmed. */
#include <errno.h>
#include <poll.h>

#include "base/clock.h"
#include "base/host.h"
#include "worker/serve.h"
#include "worker/worker.h"

enum { KEEP_MS = 1000 };	/* mappings, beyond their last call */

/* After a call, before warming goes on: who calls again at once is not to
 * wait for a kernel that he does not need. */
enum { GAP_MS = 100 };

/* Between two looks at whether a process that compiles hangs. */
enum { WATCH_MS = 1000 };

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

/* The same; meanwhile compilers are heard, which ends the waiting. */
static bool await(struct worker *w, int wait_ms, bool *heard)
{
	struct pollfd p[1 + COMPILERS_ALL] = {
		{ .fd = w->socket, .events = POLLIN },
	};
	const int n = compilers_poll(&w->compilers, p + 1);
	int rc;

	if (n > 0 && (wait_ms < 0 || wait_ms > WATCH_MS))
		wait_ms = WATCH_MS;
	do
		rc = poll(p, 1 + (nfds_t)n, wait_ms);
	while (rc < 0 && errno == EINTR);
	cold_hear(w);
	*heard = rc > (p[0].revents != 0);
	return p[0].revents != 0;
}

/* Not where that would keep the front from running. */
static void stay_awake(int socket)
{
	const int64_t until = host_cpus() >= 2 ? clock_ns() + awake_ns :
	                      0;

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

	if (n > 0 && calls[0].is_prefetch)
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

int worker_serve(struct worker *w)
{
	const int64_t until = clock_ns() + patience_ns;
	static struct warmth at;
	bool cold = true, kept = true, heard;
	int gap_ms = 0;

	while (cold && clock_ns() < until)
		cold = warm_next(w, &at);
	if (worker_is_lost(w))
		return WORKER_LOST_DEVICE;
	if (!tell_ready(w))
		return WORKER_END;
	while (!worker_is_lost(w)) {
		const int wait_ms = cold ? gap_ms : kept ? KEEP_MS : -1;
		const bool message = await(w, wait_ms, &heard);

		cold |= heard;
		if (message) {
			if (!answer(w))
				return WORKER_END;
			kept = true;
			gap_ms = GAP_MS;
		} else if (heard) {
			continue;
		} else if (cold) {
			cold = warm_next(w, &at);
			gap_ms = 0;
		} else {
			kept = mappings_trim(&w->mappings, clock_ns()
			                     - KEEP_MS * INT64_C(1000000));
		}
	}
	return WORKER_LOST_DEVICE;
}

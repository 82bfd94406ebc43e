/* serve.c - the worker's loop: receives calls, runs and answers them, and warms
 * kernels while there are none. */
#include <errno.h>
#include <poll.h>

#include "base/clock.h"
#include "base/host.h"
#include "matrix/blocks.h"
#include "worker/serve.h"
#include "worker/worker.h"

enum { KEEP_MS = 1000 };	/* mappings are kept, after their last call */

/* Warming resumes this long after a call, so that a client who calls again at
 * once does not wait for a kernel that it does not need. */
enum { GAP_MS = 100 };

/* A process that compiles is checked this often for hanging. */
enum { WATCH_MS = 1000 };

/* The worker polls this long for the next call before it sleeps. A client
 * usually takes its answer and calls again within this time, and waking up
 * would cost a fifth of it. */
static const int64_t awake_ns = 120000;

/* Warming takes this long before the first call; the rest is done later. */
static const int64_t patience_ns = 600000000;

static bool tell_ready(const struct worker *w)
{
	const struct ready r = { .sheet = w->sheet };

	return io_send(w->socket, &r, sizeof r, NULL, 0,
	               &(struct err){ 0 }) == 0;
}

/* Is there a message, or the end of the connection, within that time? */
static bool has_message(int socket, int wait_ms)
{
	struct pollfd p = { .fd = socket, .events = POLLIN };
	int rc;

	do
		rc = poll(&p, 1, wait_ms);
	while (rc < 0 && errno == EINTR);
	return rc != 0;
}

/* The same, but returns early with *heard set when a compiler reports. */
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

/* Polls for a message, except on one processor, which the front needs. */
static void stay_awake(int socket)
{
	const int64_t until = host_cpus() >= 2 ? clock_ns() + awake_ns :
	                      0;

	while (clock_ns() < until && !has_message(socket, 0))
		;
}

/* Uploads what has arrived of an operand whose call is still to come. */
static bool expect(struct worker *w, const struct call *c)
{
	if (c->memory)
		device_expect(w->device, c->memory, c->arrived);
	memory_unref(c->memory);
	return true;
}

/* Receives and answers a batch of calls, or takes an operand that arrives
 * before its call; false when the front is gone. */
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

/* Releases memory that no call has used for KEEP_MS: mappings and blocks.
 * Returns whether some are still kept. */
static bool trim(struct worker *w)
{
	const int64_t before = clock_ns() - KEEP_MS * INT64_C(1000000);
	const bool blocks = blocks_trim(before);

	return mappings_trim(&w->mappings, before) || blocks;
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
			kept = trim(w);
		}
	}
	return WORKER_LOST_DEVICE;
}

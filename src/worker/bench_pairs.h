/* bench_pairs.h - `linalgd bench --suite peers`: our kernels and a peer's
 * calls in turns, so that both meet the same machine; medians of pairs.
 *
 *     warm ours, warm the peer ──▶ PAIRS times: [ours, then the peer] ──▶ row
 *
 * Ours is the time of the kernels, from the first one's start to the last
 * one's end; the peer measures around its call. A turn lasts a few
 * milliseconds and gives the shortest of its calls, so that a short call is
 * not judged by who else was at the machine.
 */
#ifndef WORKER_BENCH_PAIRS_H
#define WORKER_BENCH_PAIRS_H

#include "device/device.h"
#include "matrix/memory.h"

enum { MOST_PAIRS = 101 };

struct bench_pairs {
	const char *suite;
	struct device *device;
	struct memory_pool *pool;
	const char *directory;		/* of the peers */
	const char *work;		/* that alone; NULL: all */
	size_t pairs;
	bool json;
};

/* Prints as it goes. A missing peer and a row that fails are told on standard
 * error, and spoil nothing else. */
void bench_pairs_run(const struct bench_pairs *b);

#endif

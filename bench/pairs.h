/* pairs.h - `linalgd bench --suite peers`: our requests and a peer's calls in
 * turns, so that both see the machine in the same state; medians of pairs.
 *
 *     warm ours, warm the peer ──▶ PAIRS times: [kernels: ours, the peer,
 *                                               whole: ours, the peer] ──▶ row
 *
 * "Whole" is the worker's part of a request as a user sends it, by the host's
 * clock: the operands stored, the default verdict and timing, the results
 * brought to the host's memory. Of the peer it is the call with its results
 * brought to the host. "Kernels" counts from the first kernel's start to the
 * last one's end, and there is no figure where the host computes; the peer
 * measures its call, whose results stay where it computes. A turn lasts a few
 * milliseconds and counts the shortest of its calls, so that other processes on
 * the machine affect short calls less. */
#ifndef BENCH_PAIRS_H
#define BENCH_PAIRS_H

#include "device/device.h"
#include "matrix/memory.h"

enum { MOST_PAIRS = 101 };

struct bench_pairs {
	const char *suite;
	struct device *device;
	const char *cache;		/* the device's, or NULL */
	struct memory_pool *pool;
	const char *directory;		/* of the peers */
	const char *work;		/* only this row; NULL: all rows */
	size_t pairs;
	bool json;
};

/* Prints rows as they are measured. A missing peer and a row that fails are
 * reported on standard error and do not affect the others. */
void bench_pairs_run(const struct bench_pairs *b);

#endif

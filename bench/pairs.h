/* pairs.h - `linalgd bench --suite peers`: our requests and a peer's
 * calls in turns, so that both meet the same machine; medians of pairs.
 *
 *     warm ours, warm the peer ──▶ PAIRS times: [kernels: ours, the peer,
 *                                               whole: ours, the peer] ──▶ row
 *
 * Whole is ours as a user sends it, as far as a worker's work goes: the
 * operands stored, the default verdict and timing, the results brought to the
 * host's memory, by the host's clock; the peer's call with its results there.
 * The kernels alone count from the first one's start to the last one's end;
 * the peer measures around its call, whose results stay where it computes. A
 * turn lasts a few milliseconds and gives the shortest of its calls, so that a
 * short call is not judged by who else was at the machine.
 */
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
	const char *work;		/* that alone; NULL: all */
	size_t pairs;
	bool json;
};

/* Prints as it goes. A missing peer and a row that fails are told on standard
 * error, and spoil nothing else. */
void bench_pairs_run(const struct bench_pairs *b);

#endif

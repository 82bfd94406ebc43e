/* pairs.h - `linalgd bench --suite peers`: measures our requests and a
 * peer's calls in turns, so that both see the machine in the same state, and
 * takes medians over the pairs.
 *
 *     warm ours, warm the peer ──▶ PAIRS times: [kernels: ours, the peer,
 *                                               whole: ours, the peer] ──▶ row
 *
 * Our figure for "whole" is the time, by the host's clock, that a worker spends
 * on a request as a user sends it: the operands are stored matrices, verdict
 * and timing are the defaults, and the results are copied to the host's memory.
 * The peer's figure is the time of its call, including the copy of its results
 * to the host. Our figure for "kernels" is the time from the start of the first
 * kernel to the end of the last one; there is none where the host computes. The
 * peer's figure is the time of its call, whose results stay where it computes.
 * A turn lasts a few milliseconds, and the shortest of its calls counts, so
 * that other processes on the machine disturb short calls less. */
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
 * reported on standard error and do not affect the others. -1 if no row is
 * wanted. */
int bench_pairs_run(const struct bench_pairs *b, struct err *e);

#endif

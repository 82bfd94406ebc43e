/* rates.h - estimates how long a job would take on a device: a guess by the
 * device's sheet, corrected by the jobs that it has done.
 *
 *     flops / peak or bytes / bandwidth, the longer     x learnt, per
 *                                                         operation and dtype
 *   + bytes that are not on the device / the bus's rate x learnt
 *
 * The learnt factor is the ratio of recent times to their guesses, summed, so
 * that large jobs count for more than small ones. Devices of the same model
 * share it: otherwise one that was slow once would get no more jobs to correct
 * that. For an operation that no device of a model has run, another model's
 * ratio is used.
 */
#ifndef QUEUE_RATES_H
#define QUEUE_RATES_H

#include "ops/op.h"
#include "wire/timing.h"

enum { RATES_STORED = 64 };

/* Sums of times and of their guesses; older ones have less weight. */
struct rate {
	double ns, guess_ns;
};

/* What was learnt of one device. { 0 }: nothing. */
struct rates {
	struct rate compute[OPS][DTYPE_COUNT], transfer;
	uint64_t stored[RATES_STORED];	/* struct memory's `stored` of matrices
					 * that the device has */
	int oldest;			/* index of the oldest in stored[] */
};

struct estimate {
	double compute_ns, transfer_ns;
};

/* Estimates a call on device i of n; s is its sheet. */
struct estimate rates_estimate(const struct rates *all, int n, int i,
                               const struct sheet *s, const struct args *a);

/* Estimates the time to move bytes to or from the device. */
double rates_transfer_ns(const struct rates *r, const struct sheet *s,
                         double bytes);

/* Returns how many bytes of a matrix and its index must be moved to or from the
 * device: 0 if the device shares the host's memory or has the matrix. */
double rates_bytes(const struct rates *r, const struct sheet *s,
                   const struct matrix *m);

/* Are the devices of the same model, so that they share what is learnt? */
bool rates_alike(const struct sheet *s, const struct sheet *t);

/* Learns from a call that ended on such a device: t is its time, bytes is what
 * it moved. Calls that had to wait for compilation, and calls with a variant
 * named by the client, are ignored. */
void rates_learn(struct rates *r, const struct sheet *s,
                 const struct args *a, double bytes, const struct timing *t);

/* Returns the sum of rates_bytes() over a call's operands and outputs. */
double rates_all_bytes(const struct rates *r, const struct sheet *s,
                       const struct args *a);

/* Notes that the device has a call's stored operands now. */
void rates_keep(struct rates *r, const struct sheet *s,
                const struct args *a);

/* Notes that the device has no stored operands any more. */
void rates_forget(struct rates *r);

#endif

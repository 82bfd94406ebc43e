/* rates.h - how long a job would take on a device: guessed from the device's
 * sheet, and corrected by the jobs that it has done.
 *
 *     flops / peak or bytes / bandwidth, the longer     x learnt, per
 *                                                         operation and dtype
 *   + bytes that are not on the device / the bus's rate x learnt
 *
 * What is learnt is the ratio of the times to the guesses of late, so that
 * large jobs count for more than small ones. Devices that are alike learn
 * together: else one that was slow once would get no job to show better. What
 * no such device ever did is judged by another one's ratio.
 */
#ifndef QUEUE_RATES_H
#define QUEUE_RATES_H

#include "ops/op.h"
#include "wire/timing.h"

enum { RATES_STORED = 64 };

/* Times, and what was guessed for the same; the older the less. */
struct rate {
	double ns, guess_ns;
};

/* Of one device. { 0 } knows nothing. */
struct rates {
	struct rate compute[OPS][DTYPE_COUNT], transfer;
	uint64_t stored[RATES_STORED];	/* matrices' contents that it has */
	int oldest;			/* of these */
};

struct estimate {
	double compute_ns, transfer_ns;
};

/* Of a call on device i of n. */
struct estimate rates_estimate(const struct rates *all, int n, int i,
                               const struct sheet *s, const struct args *a);

/* The same of bytes that move to or from the device. */
double rates_transfer_ns(const struct rates *r, const struct sheet *s,
                         double bytes);

/* A matrix's, with its index; 0 where they need not move. */
double rates_bytes(const struct rates *r, const struct sheet *s,
                   const struct matrix *m);

/* Do they, of the same kind, learn from each other? */
bool rates_alike(const struct sheet *s, const struct sheet *t);

/* A call has ended on a device as that one and took so long, for moving so
 * many bytes and computing. One that compiled kernels teaches nothing, nor
 * does a variant that was named. */
void rates_learn(struct rates *r, const struct sheet *s,
                 const struct args *a, double bytes, const struct timing *t);

/* All that a call moves to or from the device. */
double rates_all_bytes(const struct rates *r, const struct sheet *s,
                       const struct args *a);

/* A call's stored operands lie on the device now. */
void rates_keep(struct rates *r, const struct sheet *s,
                const struct args *a);

/* Nothing lies on the device any more. */
void rates_forget(struct rates *r);

#endif

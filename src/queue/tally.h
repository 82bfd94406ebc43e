/* tally.h - counts the jobs that ended and the kernels that ran since the
 * service began, for GET /metrics.
 *
 * Arrays of a fixed size, which only the loop's thread uses: what is counted
 * belongs to one of linalgd's own operations, devices, kinds of error, stages
 * and kernels, and never to a client's text. They belong to the front, so that
 * the loss of a worker loses none of them.
 */
#ifndef QUEUE_TALLY_H
#define QUEUE_TALLY_H

#include "base/histogram.h"
#include "queue/stages.h"
#include "wire/sheet.h"

enum {
	TALLY_NOWHERE = SHEETS,		/* the device of a job that none ran */
	TALLY_PLACES,
};

struct tally {
	/* Jobs by how they ended: ERR_NONE if they were successful,
	 * ERR_DISMISSED whatever they were dismissed for, or the error that
	 * they failed with. */
	uint64_t jobs[OPS][TALLY_PLACES][ERR_COUNT];
	struct histogram stage[OPS][STAGE_COUNT];
	/* kernel[k * SHEETS + device]; the memory of kernels that never ran is
	 * never touched. */
	struct histogram *kernel;
};

extern const struct histogram_bound tally_stage_bounds[], tally_kernel_bounds[];

int tally_init(struct tally *t, struct err *e);
void tally_fini(struct tally *t);

/* Counts a job that has ended, with each stage that it reached. */
void tally_job(struct tally *t, const struct job *j);

/* Counts every launch of the kernels that ran for a call on that device. Their
 * number and their sum are the answer's. Of a kernel's launches in one call
 * only the shortest, the longest and the sum are known: the others count with
 * their mean. */
void tally_kernels(struct tally *t, int device, const struct timing *times);

/* The name of kernel k, 0 <= k < tally_kernel_count(). The last is "others",
 * those that a long answer does not tell apart. */
int tally_kernel_count(void);
const char *tally_kernel_name(int k);

static inline const struct histogram *tally_kernel(const struct tally *t,
                                                   int k, int device)
{
	return &t->kernel[(size_t)k * SHEETS + (size_t)device];
}

#endif

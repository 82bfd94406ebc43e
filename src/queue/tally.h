/* tally.h - counts the jobs that ended and the kernels that ran since the
 * service began, for GET /metrics.
 *
 * The counters are arrays of a fixed size, which only the loop's thread uses.
 * Their indices are linalgd's operations, devices, kinds of error, stages and
 * kernels, and never depend on a client's text. The counters belong to the
 * front process, so that none is lost with a worker.
 */
#ifndef QUEUE_TALLY_H
#define QUEUE_TALLY_H

#include "base/histogram.h"
#include "queue/stages.h"
#include "wire/sheet.h"

enum {
	TALLY_NOWHERE = SHEETS,		/* stands for the device of a job that
					 * ran on none */
	TALLY_PLACES,
	TALLY_OPS = OPS + 1,		/* the last row counts pipelines */
};

struct tally {
	/* Jobs by outcome: ERR_NONE if they were successful, ERR_DISMISSED if
	 * they were dismissed, for whatever reason, else the error that they
	 * failed with. */
	uint64_t jobs[TALLY_OPS][TALLY_PLACES][ERR_COUNT];
	struct histogram stage[TALLY_OPS][STAGE_COUNT];
	/* kernel[k * SHEETS + device]; the memory of kernels that never ran is
	 * never touched. */
	struct histogram *kernel;
};

extern const struct histogram_bound tally_stage_bounds[], tally_kernel_bounds[];

/* Returns -1 with ERR_MEMORY; tally_fini() is then allowed. */
int tally_init(struct tally *t, struct err *e);
void tally_fini(struct tally *t);

/* Counts a job that has ended, and the duration of each stage that it
 * reached. */
void tally_job(struct tally *t, const struct job *j);

/* Counts every launch of the kernels that one call ran on the device. A worker
 * reports only the number, the sum, the shortest and the longest of a kernel's
 * launches: the others count with their mean. */
void tally_kernels(struct tally *t, int device, const struct timing *times);

/* Returns the name of operation i, 0 <= i < TALLY_OPS; that of
 * the last row is "pipeline". */
const char *tally_op_name(int i);

/* The name of kernel k, 0 <= k < tally_kernel_count(). The last is "others",
 * which counts kernels whose name is not built in. A worker also reports the
 * last kernels of a call by that name, if the call ran very many. */
int tally_kernel_count(void);
const char *tally_kernel_name(int k);

static inline const struct histogram *tally_kernel(const struct tally *t,
                                                   int k, int device)
{
	return &t->kernel[(size_t)k * SHEETS + (size_t)device];
}

#endif

/* batch.c - see batch.h. */
#include "queue/batch.h"

bool batch_fits(const struct job *j)
{
	return !j->alone && j->timing_level != TIMING_TRACE &&
	       !j->args.op->iterative && call_shares(&j->args) &&
	       args_is_tiny(&j->args);
}

int batch_take(struct waiting *q, struct job *j, uint64_t devices,
               struct job *batch[CALL_BATCH])
{
	struct job *next = j;
	int n = 0;

	do {
		j = next;
		next = waiting_next(q, j, devices);
		waiting_remove(q, j);
		batch[n++] = j;
	} while (n < CALL_BATCH && j->shares && next && next->shares);
	return n;
}

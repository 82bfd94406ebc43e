/* batch.c - see batch.h. */
#include "queue/batch.h"

bool batch_fits(const struct job *j)
{
	return !j->alone && !j->args.op->iterative && call_shares(&j->args) &&
	       args_is_tiny(&j->args);
}

int batch_take(struct waiting *q, uint64_t devices,
               struct job *batch[CALL_BATCH])
{
	struct job *j = waiting_first(q, devices);
	int n = 0;

	while (j && n < CALL_BATCH) {
		waiting_remove(q, j);
		batch[n++] = j;
		if (!j->shares)
			break;
		j = waiting_first(q, devices);
		if (j && !j->shares)
			break;
	}
	return n;
}

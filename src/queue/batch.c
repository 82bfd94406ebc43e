/* batch.c - see batch.h. */
#include "queue/batch.h"
#include "queue/tenant.h"

bool batch_fits(const struct job *j)
{
	return !j->alone && !j->args.pipeline &&
	       j->timing_level != TIMING_TRACE && !j->args.op->iterative &&
	       call_shares(&j->args) && args_is_tiny(&j->args);
}

int batch_take(struct waiting *q, struct job *j, int device,
               struct job *batch[CALL_BATCH])
{
	struct job *next = j;
	int n = 0;

	do {
		j = next;
		next = waiting_fellow(q, UINT64_C(1) << device);
		waiting_take(q, j, device);
		batch[n++] = j;
	} while (n < CALL_BATCH && j->shares && next && next->shares &&
	         next->tenant == j->tenant &&
	         tenant_may_run(j->tenant, (uint64_t)n));
	return n;
}

/* execute.c - see execute.h. */
#include "device/seq.h"
#include "ops/execute.h"
#include "ops/failure.h"

static bool is_judged(const struct args *a)
{
	return a->op->residual && a->quality != QUALITY_NONE;
}

int op_execute(struct seq *s, struct args *a)
{
	int rc;

	/* Where the residual is computed by launches, run() does not wait for
	 * its own: one wait serves both. */
	seq_hold(s, is_judged(a) && a->op->residual_launches);
	rc = a->variant->run(s, a);
	seq_hold(s, false);
	if (rc == 0 && is_judged(a) &&
	    (a->failures == 0 || a->failures < a->stack))
		rc = a->op->residual(s, a);
	if (rc < 0 || seq_finish(s) < 0)
		return -1;
	return args_settle_failures(a, seq_err(s));
}

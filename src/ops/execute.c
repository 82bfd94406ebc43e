/* execute.c - see execute.h. */
#include <fenv.h>
#include <string.h>

#include "device/seq.h"
#include "ops/execute.h"
#include "ops/failure.h"

/* The variants for complex matrices judge their answers themselves. */
static bool is_judged(const struct args *a)
{
	return a->op->residual && a->quality != QUALITY_NONE &&
	       !dtype_is_complex(a->dtype);
}

/* What run() may have changed of the outputs: a call that failed, because a
 * kernel is still being compiled for example, may begin again by another
 * variant. */
static void outputs_restore(struct args *a, const struct args *before)
{
	a->want = before->want;
	a->real = before->real;
	a->shorter = before->shorter;
	a->fewer = before->fewer;
	for (int i = 0; i < OP_OUTPUTS; i++) {
		struct matrix *m = &a->out[i];

		m->dtype = before->out[i].dtype;
		m->ndim = before->out[i].ndim;
		memcpy(m->dim, before->out[i].dim, sizeof m->dim);
	}
}

static int execute(struct seq *s, struct args *a)
{
	int rc;

	/* Where the residual is computed by launches, run() does not wait for
	 * its own: one wait serves both. */
	seq_hold(s, is_judged(a) && a->op->residual_launches);
	rc = a->variant->run(s, a);
	seq_hold(s, false);
	seq_outputs_done(s);
	if (rc == 0 && is_judged(a) &&
	    (a->failures == 0 || a->failures < a->stack))
		rc = a->op->residual(s, a);
	if (rc < 0 || seq_finish(s) < 0)
		return -1;
	return args_settle_failures(a, seq_err(s));
}

int op_execute(struct seq *s, struct args *a)
{
	const struct args before = *a;
	int rc;

	/* A driver that is loaded into this thread may have set it to take
	 * subnormal numbers for 0, also in what LAPACK computes here. */
	fesetenv(FE_DFL_ENV);
	seq_expect(s, a->op->flops ? a->op->flops(a) : 0);
	rc = execute(s, a);
	if (rc < 0) {
		outputs_restore(a, &before);
		a->verdict = before.verdict;
		a->failures = before.failures;
	}
	return rc;
}

/* singular.c - see singular.h. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "ops/norm/singular.h"
#include "ops/svd/lapack.h"

struct task {
	const struct singular *how;
	size_t m, n, k;			/* k = min(m, n) */
	int work;			/* elements of LAPACK's workspace */
};

/* Reduction to bidiagonal form (G. Golub, C. Van Loan, Matrix Computations,
 * section 5.4); the iteration is of lower order. */
double singular_flops(double m, double n)
{
	const double k = fmin(m, n), l = fmax(m, n);

	return 4 * k * k * (l - k / 3);
}

static const struct task *task_of(const struct lapack_call *c)
{
	return c->how;
}

#define LAPACK_BODY "ops/norm/singular_real.h"
#include "ops/lapack/each_type.h"

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	return c->a->dtype == FLOAT32 ? one_s(c, index, room) :
	                                one_d(c, index, room);
}

int singular_run(struct seq *s, struct args *a, const struct singular *how)
{
	const struct matrix *m = &a->in[0];
	struct task t = { how, matrix_rows(m), matrix_cols(m), 0, 0 };
	struct lapack_call c = {
		.rows = size_max(t.m, t.n),
		.flops = singular_flops((double)t.m, (double)t.n),
		.operands = 1, .one = one, .how = &t,
	};
	const struct lapack *l = lapack_load(s, c.rows, seq_err(s));

	if (!l)
		return -1;
	t.k = size_min(t.m, t.n);
	t.work = a->dtype == FLOAT32 ? work_s(l, &t) : work_d(l, &t);
	c.room = a->dtype == FLOAT32 ? room_s(&t) : room_d(&t);
	return lapack_run(&c, s, a);
}

void singular_describe(const struct args *a, const struct failure *f,
                       struct err *e)
{
	char which[LAPACK_WHICH_TEXT];

	if (f->detail.code == ERR_NONFINITE)
		lapack_describe_nonfinite(a, f, e);
	else
		err_set_at(e, ERR_CONVERGENCE, "/a", "%s: the singular values "
		           "of %s did not converge", a->op->name,
		           lapack_which(a, f, which));
}

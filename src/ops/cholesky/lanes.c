/* lanes.c - factors small matrices on the host, several at a time: element m of
 * every vector belongs to matrix m of a group. LAPACK's calls take longer than
 * the computation of matrices of up to CHOLESKY_LANES_ROWS rows. A matrix has
 * the same factor in every group, alone as well. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/cholesky/cholesky.h"
#include "ops/lapack/stack.h"

enum { MOST = CHOLESKY_LANES_ROWS, MOST_LANES = 4 };

/* What is known of each matrix of the stack. */
struct found {
	struct failure_detail *details;
	double *ratios;
};

#define LAPACK_BODY "ops/cholesky/lanes_real.h"
#include "ops/lapack/each_type.h"

static struct failure_detail group(const struct lapack_call *c, size_t index,
                                   void *room)
{
	(void)room;
	if (c->a->dtype == FLOAT32)
		run_s(c, index);
	else
		run_d(c, index);
	return (struct failure_detail){ .code = ERR_NONE };
}

static int run(struct seq *s, struct args *a, const struct found *f,
               struct failure_detail *why)
{
	const size_t lanes = 16 / dtype_bytes(a->dtype);
	const size_t n = matrix_rows(&a->in[0]);
	struct lapack_call c = {
		.rows = n, .flops = (double)lanes * n * n * n / 3,
		.one = group, .how = f,
	};

	if (lapack_each(&c, s, a, size_blocks(a->stack, lanes), why) < 0)
		return -1;
	for (size_t i = 0; i < a->stack; i++)
		if (f->details[i].code != ERR_NONE)
			args_fail(a, &(struct failure){ i, f->details[i] });
	if (a->quality == QUALITY_ESTIMATE)
		a->verdict.residual = args_worst(a, f->ratios, 1);
	return seq_finish(s);
}

int cholesky_lanes(struct seq *s, struct args *a)
{
	const struct found f = {
		calloc(a->stack, sizeof *f.details),
		calloc(a->stack, sizeof *f.ratios),
	};
	struct failure_detail *why = calloc(a->stack, sizeof *why);
	int rc;

	if (!f.details || !f.ratios || !why)
		rc = err_set(seq_err(s), ERR_MEMORY, "cholesky: no memory for "
		             "%zu matrices", a->stack);
	else
		rc = run(s, a, &f, why);
	free(f.details);
	free(f.ratios);
	free(why);
	return rc;
}

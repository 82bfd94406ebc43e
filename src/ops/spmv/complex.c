/* complex.c - y = A x with complex elements, by one work-item per row
 * (kernels/spmv/complex.cl). */
#include "ops/spmv/spmv.h"

enum { GROUP = 64 };

static void product(struct seq *s, const struct spmv *m, void *way)
{
	(void)way;
	seq_launch(s, "spmv_complex", GRID1(m->rows, GROUP),
	           ARG_BUF(m->index), ARG_BUF(m->values), ARG_BUF(m->x),
	           ARG_BUF(m->y), ARG_BUF(m->c), ARG_INT(m->add),
	           ARG_INT(m->rows));
}

int spmv_complex_run(struct seq *s, struct args *a)
{
	seq_set_dtype(s, dtype_part(a->dtype));
	return spmv_run(s, a, product, NULL);
}

void spmv_complex_need(const struct args *a, const struct variant *v,
                       const struct sheet *d, struct need *n)
{
	(void)v;
	spmv_need(a, d, n);
}

/* coo.c - y = A x with A as coordinates: each entry has its row and its
 * column. */
#include "base/size.h"
#include "ops/need.h"
#include "ops/spmv/spmv.h"
#include "shared/spmv_tile.h"

struct entries {
	size_t runs;
	struct buf row_of, part;
};

static void by_entries(struct seq *s, const struct spmv *m, void *way)
{
	const struct entries *l = way;

	seq_launch(s, "spmv_coo_empty", GRID1(m->rows, SPMV_GROUP),
	           ARG_BUF(m->index), ARG_BUF(m->y), ARG_BUF(m->c),
	           ARG_INT(m->add), ARG_INT(m->rows));
	if (m->nnz == 0)
		return;
	seq_launch(s, "spmv_coo", GRID1(l->runs, SPMV_GROUP),
	           ARG_BUF(l->row_of), ARG_BUF(m->index), ARG_BUF(m->values),
	           ARG_BUF(m->x), ARG_BUF(m->y), ARG_BUF(m->c),
	           ARG_INT(m->add), ARG_INT(m->rows), ARG_LONG(m->nnz),
	           ARG_BUF(l->part));
	seq_launch(s, "spmv_coo_sum", GRID1(l->runs, SPMV_GROUP),
	           ARG_BUF(l->row_of), ARG_BUF(m->y), ARG_BUF(m->c),
	           ARG_INT(m->add), ARG_LONG(m->nnz), ARG_BUF(l->part));
}

void spmv_coo_need(const struct args *a, const struct variant *v,
                   const struct sheet *d, struct need *n)
{
	const struct matrix *m = &a->in[SPMV_A];

	(void)v;
	spmv_need(a, d, n);
	need_buffer(n, m->nnz * sizeof(int32_t));
	need_buffer(n, 2 * size_blocks(m->nnz, SPMV_RUN) * sizeof(double));
}

int spmv_coo_run(struct seq *s, struct args *a)
{
	const struct spmv m = spmv_of(s, a);
	struct entries l = { .runs = size_blocks(m.nnz, SPMV_RUN) };

	l.row_of = seq_scratch(s, m.nnz * sizeof(int32_t));
	l.part = seq_scratch(s, 2 * l.runs * sizeof(double));
	if (m.rows)
		seq_launch(s, "spmv_coo_rows", GRID1(m.rows, SPMV_GROUP),
		           ARG_BUF(m.index), ARG_INT(m.rows),
		           ARG_BUF(l.row_of));
	return spmv_run(s, a, by_entries, &l);
}

/* spmv_rows.c - y = A x from the compressed rows as they are: by equal shares
 * on CPUs, by lanes per row elsewhere. */
#include "base/size.h"
#include "ops/need.h"
#include "ops/spmv.h"
#include "spmv_tile.h"

/* Sums of parts of rows: two for each share or piece. */
struct parts {
	size_t n;
	struct buf sums, begin;		/* begin: of shares */
};

static struct parts new_parts(struct seq *s, size_t n)
{
	return (struct parts){
		.n = n, .sums = seq_scratch(s, 2 * n * sizeof(double)),
		.begin = seq_scratch(s, 2 * n * sizeof(int32_t)),
	};
}

static void need_parts(struct need *need, size_t n)
{
	need_buffer(need, 2 * n * sizeof(double));
	need_buffer(need, 2 * n * sizeof(int32_t));
}

static size_t shares_of(const struct matrix *m)
{
	return size_blocks(m->nnz + m->dim[0], SPMV_SHARE);
}

void spmv_shares_need(struct need *n, const struct matrix *m)
{
	need_parts(n, shares_of(m));
}

static size_t pieces_of(const struct matrix *m)
{
	return size_blocks(m->nnz, SPMV_LONG);
}

void spmv_lanes_need(struct need *n, const struct matrix *m)
{
	need_parts(n, pieces_of(m));
}

static void by_shares(struct seq *s, const struct spmv *m, void *way)
{
	const struct parts *p = way;

	seq_launch(s, "spmv_shares", GRID1(p->n, 1), ARG_BUF(m->index),
	           ARG_BUF(m->values), ARG_BUF(m->x), ARG_BUF(m->y),
	           ARG_BUF(m->c), ARG_INT(m->add), ARG_INT(m->rows),
	           ARG_LONG(m->nnz), ARG_BUF(p->sums), ARG_BUF(p->begin));
	if (p->n > 1)
		seq_launch(s, "spmv_join", GRID1(1, 1), ARG_BUF(m->y),
		           ARG_BUF(m->c), ARG_INT(m->add), ARG_INT(m->rows),
		           ARG_INT(p->n), ARG_BUF(p->sums), ARG_BUF(p->begin));
}

int spmv_shares_run(struct seq *s, struct args *a)
{
	struct parts p = new_parts(s, shares_of(&a->in[SPMV_A]));

	return spmv_run(s, a, by_shares, &p);
}

/* The least power of two that is not below a row's mean length, up to 32. */
static size_t lanes_of(const struct spmv *m)
{
	size_t lanes = 1;

	while (lanes < 32 && lanes * m->rows < m->nnz)
		lanes *= 2;
	return lanes;
}

/* A row is never longer than the matrix is wide. */
static void by_lanes(struct seq *s, const struct spmv *m, void *way)
{
	const struct parts *p = way;
	const size_t lanes = lanes_of(m);

	seq_launch(s, "spmv_lanes", GRID1(m->rows * lanes, SPMV_GROUP),
	           ARG_BUF(m->index), ARG_BUF(m->values), ARG_BUF(m->x),
	           ARG_BUF(m->y), ARG_BUF(m->c), ARG_INT(m->add),
	           ARG_INT(m->rows), ARG_INT(lanes));
	if (m->cols <= SPMV_LONG || m->nnz <= SPMV_LONG)
		return;
	seq_launch(s, "spmv_pieces", GRID1(2 * p->n * SPMV_GROUP, SPMV_GROUP),
	           ARG_BUF(m->index), ARG_BUF(m->values), ARG_BUF(m->x),
	           ARG_INT(m->rows), ARG_LONG(m->nnz), ARG_BUF(p->sums));
	seq_launch(s, "spmv_pieces_sum", GRID1(p->n, SPMV_GROUP),
	           ARG_BUF(m->index), ARG_BUF(m->y), ARG_BUF(m->c),
	           ARG_INT(m->add), ARG_INT(m->rows), ARG_LONG(m->nnz),
	           ARG_BUF(p->sums));
}

int spmv_lanes_run(struct seq *s, struct args *a)
{
	struct parts p = new_parts(s, pieces_of(&a->in[SPMV_A]));

	return spmv_run(s, a, by_lanes, &p);
}

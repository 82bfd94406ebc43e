/* rows.c - y = A x with A as compressed rows (CSR): CPUs take shares with equal
 * numbers of entries, other devices several work-items per row. */
#include <stdlib.h>

#include "base/size.h"
#include "matrix/sparse.h"
#include "ops/last.h"
#include "ops/need.h"
#include "ops/spmv/spmv.h"
#include "shared/spmv_tile.h"

/* The sums of partial rows: two for each share or piece. */
struct parts {
	size_t n;
	struct buf sums, begin;		/* begin: where shares begin */
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

void spmv_shares_need(const struct args *a, const struct variant *v,
                      const struct sheet *d, struct need *n)
{
	(void)v;
	spmv_need(a, d, n);
	need_parts(n, shares_of(&a->in[SPMV_A]));
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

/* The rows of more than SPMV_LONG entries, cut into pieces. The list has for
 * each piece its row and its number within the row; then, for each of these
 * rows, the row and its first piece; and at the end the number of pieces. */
struct longs {
	size_t pieces, rows;
	int32_t (*piece)[2], (*row)[2];		/* NULL: only counted */
};

static void cut_row(struct longs *c, size_t row, size_t length)
{
	const size_t n = size_blocks(length, SPMV_LONG);

	if (length <= SPMV_LONG)
		return;
	for (size_t k = 0; c->piece && k < n; k++) {
		c->piece[c->pieces + k][0] = (int32_t)row;
		c->piece[c->pieces + k][1] = (int32_t)k;
	}
	if (c->row) {
		c->row[c->rows][0] = (int32_t)row;
		c->row[c->rows][1] = (int32_t)c->pieces;
	}
	c->pieces += n;
	c->rows++;
}

/* Rows that together have at most SPMV_LONG entries include no long one, so
 * that few row starts need to be read. */
static void cut_rows(struct longs *c, const struct matrix *m)
{
	const size_t rows = m->dim[0];
	const size_t step = 1 + SPMV_LONG * rows / (2 * (m->nnz + rows) + 1);
	const int64_t *starts = sparse_starts(m);

	c->pieces = c->rows = 0;
	for (size_t i = 0; i < rows; i += step) {
		const size_t end = size_min(i + step, rows);

		if (starts[end] - starts[i] <= SPMV_LONG)
			continue;
		for (size_t k = i; k < end; k++)
			cut_row(c, k, (size_t)(starts[k + 1] - starts[k]));
	}
}

static size_t list_bytes(const struct longs *c)
{
	return (c->pieces + c->rows + 1) * sizeof(int32_t[2]);
}

void spmv_lanes_need(const struct args *a, const struct variant *v,
                     const struct sheet *d, struct need *need)
{
	struct longs c = { 0 };

	(void)v;
	spmv_need(a, d, need);
	cut_rows(&c, &a->in[SPMV_A]);
	need_buffer(need, list_bytes(&c));
	need_buffer(need, c.pieces * sizeof(double));
	need_buffer(need, c.pieces * sizeof(int32_t));
}

struct lanes {
	struct longs cut;
	struct buf list, sums, done;	/* of the long rows' pieces */
};

/* Returns the number of work-items per row: enough to read a row of mean length
 * at once, up to 32. */
static size_t lanes_of(const struct spmv *m)
{
	size_t lanes = 1;

	while (lanes < 32 && lanes * 2 * SPMV_AHEAD * m->rows < m->nnz)
		lanes *= 2;
	return lanes;
}

static void by_lanes(struct seq *s, const struct spmv *m, void *way)
{
	const struct lanes *l = way;
	const size_t lanes = lanes_of(m), pieces = l->cut.pieces;
	const size_t groups = pieces + size_blocks(m->rows, SPMV_GROUP / lanes);
	const bool counts = last_is_known(seq_sheet(s));

	seq_launch(s, "spmv_lanes", GRID1(groups * SPMV_GROUP, SPMV_GROUP),
	           ARG_BUF(m->index), ARG_BUF(m->values), ARG_BUF(m->x),
	           ARG_BUF(m->y), ARG_BUF(m->c), ARG_INT(m->add),
	           ARG_INT(m->rows), ARG_INT(lanes), ARG_INT(pieces),
	           ARG_BUF(l->list), ARG_BUF(l->sums), ARG_BUF(l->done),
	           ARG_INT(counts));
	if (pieces > 0 && !counts)
		seq_launch(s, "spmv_long",
		           GRID1(l->cut.rows * SPMV_GROUP, SPMV_GROUP),
		           ARG_BUF(m->y), ARG_BUF(m->c), ARG_INT(m->add),
		           ARG_INT(pieces), ARG_BUF(l->list),
		           ARG_BUF(l->sums));
}

int spmv_lanes_run(struct seq *s, struct args *a)
{
	const struct matrix *m = &a->in[SPMV_A];
	struct lanes l = { 0 };
	int32_t (*list)[2];

	cut_rows(&l.cut, m);
	list = malloc(list_bytes(&l.cut));
	if (!list)
		return err_set(seq_err(s), ERR_MEMORY, "spmv: no memory for "
		               "%zu pieces", l.cut.pieces);
	l.cut.piece = list;
	l.cut.row = list + l.cut.pieces;
	cut_rows(&l.cut, m);
	l.cut.row[l.cut.rows][0] = (int32_t)m->dim[0];
	l.cut.row[l.cut.rows][1] = (int32_t)l.cut.pieces;
	l.list = seq_constant(s, list, list_bytes(&l.cut));
	l.sums = seq_scratch(s, l.cut.pieces * sizeof(double));
	l.done = seq_scratch(s, l.cut.pieces * sizeof(int32_t));
	seq_fill(s, l.done, 0, l.cut.pieces * sizeof(int32_t),
	         &(int32_t){ 0 }, sizeof(int32_t));
	free(list);
	return spmv_run(s, a, by_lanes, &l);
}

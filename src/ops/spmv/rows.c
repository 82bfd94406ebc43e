/* rows.c - y = A x with A as compressed rows (CSR): CPUs take shares with equal
 * numbers of entries, other devices several work-items per row. */
#include <stdlib.h>

#include "base/size.h"
#include "matrix/sparse.h"
#include "ops/last.h"
#include "ops/need.h"
#include "ops/spmv/spmv.h"
#include "shared/spmv_tile.h"

size_t spmv_shares_of(const struct matrix *m)
{
	return size_blocks(m->nnz + m->dim[0], SPMV_SHARE);
}

void spmv_parts_init(struct spmv_parts *p, struct seq *s,
                     const struct matrix *m)
{
	p->n = spmv_shares_of(m);
	p->sums = seq_scratch(s, 2 * p->n * sizeof(double));
	p->begin = seq_scratch(s, 2 * p->n * sizeof(int32_t));
}

void spmv_parts_need(struct need *need, const struct matrix *m)
{
	need_buffer(need, 2 * spmv_shares_of(m) * sizeof(double));
	need_buffer(need, 2 * spmv_shares_of(m) * sizeof(int32_t));
}

void spmv_shares_need(const struct args *a, const struct variant *v,
                      const struct sheet *d, struct need *n)
{
	(void)v;
	spmv_need(a, d, n);
	spmv_parts_need(n, &a->in[SPMV_A]);
}

void spmv_by_shares(struct seq *s, const struct spmv *m, void *parts)
{
	const struct spmv_parts *p = parts;

	if (m->with.id != 0)
		seq_launch(s, "spmv_shares_dot", GRID1(p->n, 1),
		           ARG_BUF(m->index), ARG_BUF(m->values), ARG_BUF(m->x),
		           ARG_BUF(m->y), ARG_BUF(m->c), ARG_INT(m->add),
		           ARG_INT(m->rows), ARG_LONG(m->nnz),
		           ARG_BUF(p->sums), ARG_BUF(p->begin),
		           ARG_BUF(m->with), ARG_BUF(m->dots));
	else
		seq_launch(s, "spmv_shares", GRID1(p->n, 1),
		           ARG_BUF(m->index), ARG_BUF(m->values), ARG_BUF(m->x),
		           ARG_BUF(m->y), ARG_BUF(m->c), ARG_INT(m->add),
		           ARG_INT(m->rows), ARG_LONG(m->nnz),
		           ARG_BUF(p->sums), ARG_BUF(p->begin));
	if (p->n > 1)
		seq_launch(s, "spmv_join", GRID1(1, 1), ARG_BUF(m->y),
		           ARG_BUF(m->c), ARG_INT(m->add), ARG_INT(m->rows),
		           ARG_INT(p->n), ARG_BUF(p->sums), ARG_BUF(p->begin));
}

int spmv_shares_run(struct seq *s, struct args *a)
{
	struct spmv_parts p;

	spmv_parts_init(&p, s, &a->in[SPMV_A]);
	return spmv_run(s, a, spmv_by_shares, &p);
}

/* The rows of more than SPMV_LONG entries, cut into pieces. The list has for
 * each piece its row and its number within the row; then, for each of these
 * rows, the row and its first piece; and at the end the number of pieces. */
struct spmv_longs {
	size_t pieces, rows;
	int32_t (*piece)[2], (*row)[2];		/* NULL: only counted */
};

static void cut_row(struct spmv_longs *c, size_t row, size_t length)
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
static void cut_rows(struct spmv_longs *c, const struct matrix *m)
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

static size_t list_bytes(const struct spmv_longs *c)
{
	return (c->pieces + c->rows + 1) * sizeof(int32_t[2]);
}

void spmv_long_rows_need(struct need *need, const struct matrix *m)
{
	struct spmv_longs c = { .pieces = 2 * (m->nnz / SPMV_LONG),
	                        .rows = m->nnz / SPMV_LONG };

	if (sparse_is_known(m))
		cut_rows(&c, m);
	need_buffer(need, list_bytes(&c));
	need_buffer(need, c.pieces * sizeof(double));
	need_buffer(need, c.pieces * sizeof(int32_t));
}

void spmv_lanes_need(const struct args *a, const struct variant *v,
                     const struct sheet *d, struct need *need)
{
	(void)v;
	spmv_need(a, d, need);
	spmv_long_rows_need(need, &a->in[SPMV_A]);
}

/* Returns the number of work-items per row: enough to read a row of mean length
 * at once, up to 32. */
static size_t lanes_of(const struct spmv *m)
{
	size_t lanes = 1;

	while (lanes < 32 && lanes * 2 * SPMV_AHEAD * m->rows < m->nnz)
		lanes *= 2;
	return lanes;
}

void spmv_by_lanes(struct seq *s, const struct spmv *m, void *way)
{
	const struct spmv_lanes *l = way;
	const size_t lanes = lanes_of(m), pieces = l->cut->pieces;
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
		           GRID1(l->cut->rows * SPMV_GROUP, SPMV_GROUP),
		           ARG_BUF(m->y), ARG_BUF(m->c), ARG_INT(m->add),
		           ARG_INT(pieces), ARG_BUF(l->list),
		           ARG_BUF(l->sums));
}

int spmv_lanes_init(struct spmv_lanes *l, struct seq *s,
                    const struct matrix *m)
{
	struct spmv_longs *c = calloc(1, sizeof *c);
	int32_t (*list)[2] = NULL;

	*l = (struct spmv_lanes){ .cut = c };
	if (c) {
		cut_rows(c, m);
		list = malloc(list_bytes(c));
	}
	if (!list)
		return err_set(seq_err(s), ERR_MEMORY, "no memory for the long "
		               "rows of a sparse matrix");
	c->piece = list;
	c->row = list + c->pieces;
	cut_rows(c, m);
	c->row[c->rows][0] = (int32_t)m->dim[0];
	c->row[c->rows][1] = (int32_t)c->pieces;
	l->list = seq_constant(s, list, list_bytes(c));
	l->sums = seq_scratch(s, c->pieces * sizeof(double));
	l->done = seq_scratch(s, c->pieces * sizeof(int32_t));
	seq_fill(s, l->done, 0, c->pieces * sizeof(int32_t), &(int32_t){ 0 },
	         sizeof(int32_t));
	free(list);
	return 0;
}

void spmv_lanes_fini(struct spmv_lanes *l)
{
	free(l->cut);
}

int spmv_lanes_run(struct seq *s, struct args *a)
{
	struct spmv_lanes l;
	int rc = spmv_lanes_init(&l, s, &a->in[SPMV_A]);

	if (rc == 0)
		rc = spmv_run(s, a, spmv_by_lanes, &l);
	spmv_lanes_fini(&l);
	return rc;
}

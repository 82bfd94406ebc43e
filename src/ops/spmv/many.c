/* many.c - many products with one sparse matrix, for iterations; see spmv.h. */
#include <stdlib.h>

#include "base/size.h"
#include "matrix/sparse.h"
#include "ops/need.h"
#include "ops/spmv/spmv.h"
#include "shared/spmv_tile.h"

struct spmv_ways {
	void (*product)(struct seq *s, const struct spmv *m, void *way);
	void *way;			/* one of these: */
	struct spmv_parts parts;
	struct spmv_lanes lanes;
	struct spmv_slices slices;
};

/* Are slices that take `padded` places small enough? */
static bool suits(const struct matrix *m, size_t padded)
{
	return (double)padded <= SPMV_PADDING * (double)m->nnz;
}

/* A matrix whose entries are not known yet counts as one that gets slices, as
 * these take more memory. */
static bool has_slices(const struct matrix *m)
{
	return !sparse_is_known(m) || suits(m, spmv_padded(m, SPMV_SLICE));
}

static bool has_sell(const struct matrix *m)
{
	return !sparse_is_known(m) || suits(m, spmv_sell_padded(m));
}

static int init_other(struct spmv_multiplier *t, struct seq *s,
                      const struct matrix *m)
{
	struct spmv_ways *w = t->ways;

	if (has_slices(m)) {
		w->product = spmv_by_slices;
		w->way = &w->slices;
		return spmv_slices_init(&w->slices, s, m, &t->m, SPMV_SLICE);
	}
	w->product = spmv_by_lanes;
	w->way = &w->lanes;
	return spmv_lanes_init(&w->lanes, s, m);
}

static int init_shared(struct spmv_multiplier *t, struct seq *s,
                       const struct matrix *m)
{
	struct spmv_ways *w = t->ways;

	t->shares = spmv_multiplier_shares(m, true);
	if (has_sell(m)) {
		w->product = spmv_by_sell;
		w->way = &w->slices;
		return spmv_sell_init(&w->slices, s, m, &t->m);
	}
	w->product = spmv_by_shares;
	w->way = &w->parts;
	spmv_parts_init(&w->parts, s, m);
	return 0;
}

int spmv_multiplier_init(struct spmv_multiplier *t, struct seq *s,
                         const struct matrix *m, struct buf values,
                         bool shared)
{
	const struct matrix index = sparse_index(m);

	*t = (struct spmv_multiplier){
		.m = { .rows = m->dim[0], .cols = m->dim[1], .nnz = m->nnz,
		       .index = seq_input(s, &index),
		       .values = values.id ? values : seq_input(s, m) },
		.ways = calloc(1, sizeof *t->ways),
	};
	if (!t->ways)
		return err_set(seq_err(s), ERR_MEMORY, "no memory for a "
		               "product");
	return (shared ? init_shared : init_other)(t, s, m);
}

size_t spmv_multiplier_shares(const struct matrix *m, bool shared)
{
	if (!shared)
		return 0;
	if (!sparse_is_known(m))
		return size_max(spmv_sell_groups(m), spmv_shares_of(m));
	return has_sell(m) ? spmv_sell_groups(m) : spmv_shares_of(m);
}

void spmv_multiplier_fini(struct spmv_multiplier *t)
{
	if (t->ways)
		spmv_lanes_fini(&t->ways->lanes);
	free(t->ways);
	*t = (struct spmv_multiplier){ 0 };
}

void spmv_multiplier_need(struct need *n, const struct sheet *d,
                          const struct matrix *m, bool shared)
{
	const struct matrix index = sparse_index(m);

	need_matrix(n, d, m);
	need_matrix(n, d, &index);
	if (shared && has_sell(m))
		spmv_sell_need(n, m);
	else if (shared)
		spmv_parts_need(n, m);
	else if (has_slices(m))
		spmv_padded_need(n, m, SPMV_SLICE);
	else
		spmv_long_rows_need(n, m);
}

const struct spmv_slices *
spmv_multiplier_slices(const struct spmv_multiplier *t)
{
	return t->ways->product == spmv_by_slices ? &t->ways->slices : NULL;
}

static void multiply(struct seq *s, struct spmv_multiplier *t)
{
	const double each = (double)dtype_bytes(seq_dtype(s));

	seq_work(s, 2.0 * (double)t->m.nnz,
	         (each + sizeof(int32_t)) * (double)t->m.nnz +
	         (2 * each + sizeof(int64_t)) * (double)t->m.rows);
	t->ways->product(s, &t->m, t->ways->way);
}

void spmv_multiply(struct seq *s, struct spmv_multiplier *t, int add,
                   struct buf c, struct buf x, struct buf y)
{
	t->m.add = add;
	t->m.x = x;
	t->m.y = y;
	t->m.c = add ? c : y;
	t->m.with = t->m.dots = (struct buf){ 0 };
	multiply(s, t);
}

void spmv_multiply_dot(struct seq *s, struct spmv_multiplier *t, struct buf x,
                       struct buf y, struct buf with, struct buf dots)
{
	t->m.add = 0;
	t->m.x = x;
	t->m.y = t->m.c = y;
	t->m.with = with;
	t->m.dots = dots;
	multiply(s, t);
}

/* streamed_judge.c - the estimated residual of factors in the host's memory;
 * see streamed.h and sums.h. The sums of a strip's columns are computed while
 * the strip is on the device, except L w, for which all of w must be known: it
 * is computed when the panels are brought into their final order. */
#include <stdlib.h>

#include "ops/lapack/stack.h"
#include "ops/lu/residual.h"
#include "ops/lu/streamed.h"

static size_t wide(const struct lu_streamed *t)
{
	return lu_wide_bytes(seq_sheet(t->s));
}

int lu_streamed_judge_begin(struct lu_streamed *t)
{
	t->sums = lu_sums_room(t->s, lu_sums_count(t->m, t->k));
	return t->sums ? 0 : -1;
}

/* Adds the buffer's n numbers to those at `to`. */
static void add(struct lu_streamed *t, struct buf b, double *to, size_t n)
{
	double *const x = lu_wide_read(t->s, b, n);

	for (size_t i = 0; x && i < n; i++)
		to[i] += x[i];
	free(x);
}

void lu_streamed_judge_a(struct lu_streamed *t)
{
	const struct lu_sums sums = lu_sums_at(t->sums, t->m);
	const size_t items = lu_row_items(t->s);
	double *x = lu_sums_room(t->s, t->c.own);

	if (!x)
		return;
	for (size_t i = 0; i < t->c.own; i++)
		x[i] = lapack_sign(t->at + i);
	lu_sums_write(t->s, t->x, x, t->c.own);
	free(x);
	seq_work(t->s, 0, (double)t->m * t->c.own * t->each);
	seq_launch(t->s, "lu_times_a", GRID2(t->m * items, 1, items, 1),
	           ARG_BUF(t->c.b), ARG_INT(t->c.own), ARG_BUF(t->x),
	           ARG_BUF(t->ax), ARG_BUF(t->norm),
	           ARG_LOCAL(items * wide(t)));
	add(t, t->ax, sums.ax, t->m);
	add(t, t->norm, sums.norm, t->m);
}

/* The kernel takes the strip as one of the matrix's blocks, of t->most columns
 * each. */
void lu_streamed_judge_u(struct lu_streamed *t)
{
	const struct lu_sums sums = lu_sums_at(t->sums, t->m);
	const size_t items = lu_row_items(t->s);

	seq_work(t->s, 0, (double)t->k * t->c.own * t->each);
	seq_launch(t->s, "lu_blocks_times_u", GRID1(t->k * items, items),
	           ARG_BUF(t->c.b), ARG_INT(t->c.own), ARG_INT(t->most),
	           ARG_INT(t->at / t->most),
	           ARG_INT(size_blocks(t->n, t->most)),
	           ARG_BUF(t->x), ARG_BUF(t->ux),
	           ARG_LOCAL(items * wide(t)));
	add(t, t->ux, sums.ux, t->k);
}

void lu_streamed_judge_l(struct lu_streamed *t)
{
	const struct lu_sums sums = lu_sums_at(t->sums, t->m);
	double *const ux = lu_sums_room(t->s, t->k);

	for (size_t i = 0; ux && i < t->k; i++)
		ux[i] = sums.ux[i];
	if (ux)
		lu_sums_write(t->s, t->ux, ux, t->k);
	free(ux);
	seq_fill(t->s, t->ax, 0, t->m * wide(t), &(float){ 0 }, sizeof(float));
}

void lu_streamed_judge_block(struct lu_streamed *t, size_t first, size_t cols,
                             struct buf lu)
{
	const size_t items = lu_row_items(t->s), rows = t->m - first;

	seq_work(t->s, 0, (double)rows * cols * t->each);
	seq_launch(t->s, "lu_blocks_times_l", GRID1(rows * items, items),
	           ARG_BUF(lu), ARG_INT(first), ARG_INT(first), ARG_INT(cols),
	           ARG_INT(size_min(cols, t->k - first)), ARG_BUF(t->ux),
	           ARG_BUF(t->ax), ARG_LOCAL(items * wide(t)));
}

void lu_streamed_judge_end(struct lu_streamed *t, struct args *a)
{
	const struct lu_sums sums = lu_sums_at(t->sums, t->m);

	lu_sums_read(t->s, t->ax, sums.lw, t->m);
	a->verdict.residual = lu_sums_ratio(t->s, &sums, t->m, t->n, t->k,
	                                    lu_pivots_after(&t->p, 0));
}

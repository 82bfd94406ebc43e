/* sell.c - y = A x by slices of a vector's length, for many products on CPUs
 * (kernels/spmv/cpu/sell.cl). */
#include <stdlib.h>

#include "base/size.h"
#include "matrix/sparse.h"
#include "ops/need.h"
#include "ops/spmv/spmv.h"
#include "shared/spmv_tile.h"

static size_t slices_of(const struct matrix *m)
{
	return size_blocks(m->dim[0], SPMV_SELL);
}

size_t spmv_sell_groups(const struct matrix *m)
{
	return size_blocks(slices_of(m), SPMV_SELL_EACH);
}

/* Returns the length of the longest row of a slice. */
static size_t width_of(const struct matrix *m, size_t slice)
{
	const int64_t *starts = sparse_starts(m);
	const size_t first = slice * SPMV_SELL;
	const size_t end = size_min(first + SPMV_SELL, m->dim[0]);
	size_t width = 0;

	for (size_t i = first; i < end; i++)
		width = size_max(width, (size_t)(starts[i + 1] - starts[i]));
	return width;
}

size_t spmv_sell_padded(const struct matrix *m)
{
	size_t entries = 0;

	for (size_t s = 0; s < slices_of(m); s++)
		entries += SPMV_SELL * width_of(m, s);
	return entries;
}

void spmv_sell_need(struct need *need, const struct matrix *m)
{
	const size_t entries = spmv_sell_padded(m);

	need_buffer(need, (slices_of(m) + 1) * sizeof(int64_t));
	need_buffer(need, entries * dtype_bytes(m->dtype));
	need_buffer(need, entries * sizeof(int32_t));
}

int spmv_sell_init(struct spmv_slices *l, struct seq *s,
                   const struct matrix *m, const struct spmv *of)
{
	const size_t n = slices_of(m);
	int64_t *host = malloc((n + 1) * sizeof *host);

	*l = (struct spmv_slices){ .height = SPMV_SELL };
	if (!host)
		return err_set(seq_err(s), ERR_MEMORY, "no memory for %zu "
		               "slices of a sparse matrix", n);
	host[0] = 0;
	for (size_t i = 0; i < n; i++)
		host[i + 1] = host[i] + (int64_t)(SPMV_SELL * width_of(m, i));
	if (!spmv_slices_make(l, s, m, of, host, n))
		seq_launch(s, "spmv_sell_pack", GRID1(n, 1),
		           ARG_BUF(of->index), ARG_BUF(of->values),
		           ARG_BUF(l->starts), ARG_INT(of->rows),
		           ARG_BUF(l->values), ARG_BUF(l->columns));
	free(host);
	return 0;
}

void spmv_by_sell(struct seq *s, const struct spmv *m, void *slices)
{
	const struct spmv_slices *l = slices;
	const size_t n = size_blocks(m->rows, SPMV_SELL);
	const struct grid g = GRID1(size_blocks(n, SPMV_SELL_EACH), 1);

	if (m->with.id != 0)
		seq_launch(s, "spmv_sell_dot", g, ARG_BUF(l->starts),
		           ARG_BUF(l->values), ARG_BUF(l->columns),
		           ARG_BUF(m->x), ARG_BUF(m->y), ARG_BUF(m->c),
		           ARG_INT(m->add), ARG_INT(m->rows), ARG_INT(n),
		           ARG_BUF(m->with), ARG_BUF(m->dots));
	else
		seq_launch(s, "spmv_sell", g, ARG_BUF(l->starts),
		           ARG_BUF(l->values), ARG_BUF(l->columns),
		           ARG_BUF(m->x), ARG_BUF(m->y), ARG_BUF(m->c),
		           ARG_INT(m->add), ARG_INT(m->rows), ARG_INT(n));
}

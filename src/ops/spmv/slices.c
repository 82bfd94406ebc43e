/* slices.c - y = A x with the entries of neighbouring rows stored side by side:
 * ELLPACK-R, where all rows form one slice, and SELL, where a slice has a few
 * rows. */
#include <stdlib.h>

#include "base/size.h"
#include "matrix/sparse.h"
#include "ops/derived.h"
#include "ops/need.h"
#include "ops/spmv/spmv.h"
#include "shared/spmv_tile.h"

/* Returns the largest width of a slice, so that a single long row does not fill
 * the device's memory with padding. The entries beyond this width are read from
 * their CSR row. */
static size_t widest(const struct matrix *m)
{
	return 4 * size_blocks(m->nnz, m->dim[0]) + 16;
}

/* Returns the width of the slice of `height` rows that begins with row
 * `first`; the largest that it may have if the entries are not known yet. */
static size_t width_of(const struct matrix *m, size_t first, size_t height)
{
	const size_t end = size_min(first + height, m->dim[0]);
	const int64_t *starts;
	size_t width = 0;

	if (!sparse_is_known(m))
		return size_min(m->dim[1], widest(m));
	starts = sparse_starts(m);
	for (size_t i = first; i < end; i++)
		width = size_max(width, (size_t)(starts[i + 1] - starts[i]));
	return size_min(width, widest(m));
}

/* Writes where each slice begins, and where the last ends: n + 1 numbers. */
static void lay_slices(const struct matrix *m, size_t height, size_t n,
                       int64_t *host)
{
	host[0] = 0;
	for (size_t i = 0; i < n; i++)
		host[i + 1] = host[i] + (int64_t)(height *
		              width_of(m, i * height, height));
}

static void pack(struct seq *s, const struct spmv *m,
                 const struct spmv_slices *l)
{
	seq_launch(s, "spmv_slices_pack", GRID1(m->rows, SPMV_GROUP),
	           ARG_BUF(m->index), ARG_BUF(m->values), ARG_BUF(l->starts),
	           ARG_INT(l->height), ARG_INT(m->rows), ARG_BUF(l->values),
	           ARG_BUF(l->columns));
}

void spmv_by_slices(struct seq *s, const struct spmv *m, void *slices)
{
	const struct spmv_slices *l = slices;

	seq_launch(s, "spmv_slices", GRID1(m->rows, SPMV_GROUP),
	           ARG_BUF(m->index), ARG_BUF(m->values), ARG_BUF(l->starts),
	           ARG_INT(l->height), ARG_INT(m->rows), ARG_BUF(l->values),
	           ARG_BUF(l->columns), ARG_BUF(m->x), ARG_BUF(m->y),
	           ARG_BUF(m->c), ARG_INT(m->add));
}

size_t spmv_padded(const struct matrix *m, size_t height)
{
	size_t entries = 0;

	for (size_t i = 0; i < m->dim[0]; i += height)
		entries += height * width_of(m, i, height);
	return entries;
}

void spmv_padded_need(struct need *need, const struct matrix *m, size_t height)
{
	const size_t n = size_blocks(m->dim[0], height);
	const size_t entries = spmv_padded(m, height);

	need_buffer(need, (n + 1) * sizeof(int64_t));
	need_buffer(need, entries * dtype_bytes(m->dtype));
	need_buffer(need, entries * sizeof(int32_t));
}

bool spmv_slices_make(struct spmv_slices *l, struct seq *s,
                      const struct matrix *m, const struct spmv *of,
                      const int64_t *begin, size_t n)
{
	const size_t entries = (size_t)begin[n];
	const size_t of_values = entries * dtype_bytes(m->dtype);
	const size_t of_columns = entries * sizeof(int32_t);
	const size_t of_begin = (n + 1) * sizeof *begin;
	const int number = SPMV_DERIVED(m->dtype, l->height);
	bool known[3];

	if (of->values.id != seq_input(s, m).id || l->height > SPMV_SLICE) {
		l->starts = seq_constant(s, begin, of_begin);
		l->values = seq_scratch(s, of_values);
		l->columns = seq_scratch(s, of_columns);
		return false;
	}
	l->starts = seq_derived(s, m, number, of_begin, &known[0]);
	l->values = seq_derived(s, m, number + 1, of_values, &known[1]);
	l->columns = seq_derived(s, m, number + 2, of_columns, &known[2]);
	if (known[0] && known[1] && known[2])
		return true;
	seq_write(s, l->starts, 0, begin, of_begin);
	return false;
}

int spmv_slices_init(struct spmv_slices *l, struct seq *s,
                     const struct matrix *m, const struct spmv *of,
                     size_t height)
{
	const size_t n = size_blocks(m->dim[0], height);
	int64_t *host = malloc((n + 1) * sizeof *host);

	*l = (struct spmv_slices){ .height = height };
	if (!host)
		return err_set(seq_err(s), ERR_MEMORY, "no memory for %zu "
		               "slices of a sparse matrix", n);
	lay_slices(m, height, n, host);
	if (!spmv_slices_make(l, s, m, of, host, n) && m->dim[0])
		pack(s, of, l);
	free(host);
	return 0;
}

/* Returns the number of rows of a slice: all rows if the variant has a single
 * slice. */
static size_t height_of(const struct matrix *m, const struct variant *v)
{
	const bool one = *(const bool *)v->how;

	return one ? size_max(1, size_round_up(m->dim[0], SPMV_SLICE)) :
	             SPMV_SLICE;
}

void spmv_slices_need(const struct args *a, const struct variant *v,
                      const struct sheet *d, struct need *need)
{
	const struct matrix *m = &a->in[SPMV_A];

	spmv_need(a, d, need);
	spmv_padded_need(need, m, height_of(m, v));
}

int spmv_slices_run(struct seq *s, struct args *a)
{
	const struct matrix *m = &a->in[SPMV_A];
	const struct spmv of = spmv_of(s, a);
	struct spmv_slices l;

	if (spmv_slices_init(&l, s, m, &of, height_of(m, a->variant)) < 0)
		return -1;
	return spmv_run(s, a, spmv_by_slices, &l);
}

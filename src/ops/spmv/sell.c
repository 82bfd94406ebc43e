/* sell.c - y = A x by slices of a vector's length, for many products on CPUs
 * (kernels/spmv/cpu/sell.cl): SELL-C-sigma of M. Kreutzer and others, 2014. If
 * rows in their order would need much padding, the rows of a window are sorted
 * by length first. */
#include <stdlib.h>

#include "base/size.h"
#include "matrix/sparse.h"
#include "ops/need.h"
#include "ops/spmv/spmv.h"
#include "shared/spmv_tile.h"

/* The padding, relative to the entries, above which rows are sorted. */
#define SORTED 1.05

/* The rows of a window, which are sorted together, and the number of lengths by
 * which they are sorted: all longer rows count as equally long, which can only
 * add padding. */
enum { WINDOW = 64 * SPMV_SELL, LENGTHS = 1024 };

static size_t slices_of(const struct matrix *m)
{
	return size_blocks(m->dim[0], SPMV_SELL);
}

size_t spmv_sell_groups(const struct matrix *m)
{
	return size_blocks(slices_of(m), SPMV_SELL_EACH);
}

static size_t length_of(const struct matrix *m, size_t row)
{
	const int64_t *starts = sparse_starts(m);

	return (size_t)(starts[row + 1] - starts[row]);
}

static size_t capped(const struct matrix *m, size_t row)
{
	return size_min(length_of(m, row), LENGTHS - 1);
}

/* Writes to order[] the rows of the window that begins with row `first`, by
 * falling length; those of one length stay in their order. Returns how many
 * rows they are. */
static size_t sort_window(const struct matrix *m, size_t first, int32_t *order)
{
	const size_t n = size_min(WINDOW, m->dim[0] - first);
	int32_t begin[LENGTHS + 1] = { 0 };
	size_t longest = 0;

	for (size_t i = first; i < first + n; i++) {
		const size_t length = capped(m, i);

		begin[length]++;
		longest = size_max(longest, length);
	}
	for (size_t length = longest; length-- > 0; )
		begin[length] += begin[length + 1];
	for (size_t i = first + n; i-- > first; )
		order[--begin[capped(m, i)]] = (int32_t)i;
	return n;
}

/* Adds the places of the slices of n rows to `at`, and writes after each slice
 * the sum to ends[], unless that is NULL. Row i is order[i], or first + i if
 * order is NULL. */
static int64_t lay_slices(const struct matrix *m, const int32_t *order,
                          size_t first, size_t n, int64_t at, int64_t *ends)
{
	for (size_t s = 0; s < n; s += SPMV_SELL) {
		size_t width = 0;

		for (size_t i = s; i < size_min(n, s + SPMV_SELL); i++)
			width = size_max(width, length_of(m, order ?
			                 (size_t)order[i] : first + i));
		at += (int64_t)(SPMV_SELL * width);
		if (ends)
			*ends++ = at;
	}
	return at;
}

static int64_t lay_plain(const struct matrix *m, int64_t *ends)
{
	return lay_slices(m, NULL, 0, m->dim[0], 0, ends);
}

/* Writes the order of the rows to order[] and the end of each slice to ends[],
 * unless these are NULL. Returns the places of all slices. */
static int64_t lay_sorted(const struct matrix *m, int32_t *order,
                          int64_t *ends)
{
	int32_t window[WINDOW];
	int64_t at = 0;

	for (size_t first = 0; first < m->dim[0]; first += WINDOW) {
		int32_t *rows = order ? order + first : window;
		const size_t n = sort_window(m, first, rows);

		at = lay_slices(m, rows, first, n, at,
		                ends ? ends + first / SPMV_SELL : NULL);
	}
	return at;
}

/* Must rows be sorted, because slices in their order take `plain` places? */
static bool needs_order(const struct matrix *m, int64_t plain)
{
	return (double)plain > SORTED * (double)m->nnz;
}

size_t spmv_sell_padded(const struct matrix *m)
{
	const int64_t plain = lay_plain(m, NULL);

	return (size_t)(needs_order(m, plain) ? lay_sorted(m, NULL, NULL) :
	                                        plain);
}

void spmv_sell_need(struct need *need, const struct matrix *m)
{
	const bool known = sparse_is_known(m);
	const size_t entries = known ? spmv_sell_padded(m) :
	                               (size_t)(SPMV_PADDING * (double)m->nnz);

	need_buffer(need, (slices_of(m) + 1) * sizeof(int64_t));
	need_buffer(need, entries * dtype_bytes(m->dtype));
	need_buffer(need, entries * sizeof(int32_t));
	if (!known || needs_order(m, lay_plain(m, NULL)))
		need_buffer(need, m->dim[0] * sizeof(int32_t));
}

/* Fills in begin[], where each slice begins, and order[]; order is NULL if the
 * rows stay in their order. */
static void init(struct spmv_slices *l, struct seq *s, const struct matrix *m,
                 const struct spmv *of, int64_t *begin, int32_t *order)
{
	const size_t n = slices_of(m);

	begin[0] = 0;
	if (order)
		lay_sorted(m, order, begin + 1);
	else
		lay_plain(m, begin + 1);
	if (order)
		l->order = seq_constant(s, order, m->dim[0] * sizeof *order);
	if (!spmv_slices_make(l, s, m, of, begin, n))
		seq_launch(s, "spmv_sell_pack", GRID1(n, 1),
		           ARG_BUF(of->index), ARG_BUF(of->values),
		           ARG_BUF(l->starts), ARG_BUF(l->order),
		           ARG_INT(of->rows), ARG_BUF(l->values),
		           ARG_BUF(l->columns));
}

int spmv_sell_init(struct spmv_slices *l, struct seq *s,
                   const struct matrix *m, const struct spmv *of)
{
	const bool sorted = needs_order(m, lay_plain(m, NULL));
	int64_t *begin = malloc((slices_of(m) + 1) * sizeof *begin);
	int32_t *order = sorted ? malloc(m->dim[0] * sizeof *order) : NULL;

	*l = (struct spmv_slices){ .height = SPMV_SELL };
	if (!begin || (sorted && !order))
		err_set(seq_err(s), ERR_MEMORY, "no memory for %zu slices of "
		        "a sparse matrix", slices_of(m));
	else
		init(l, s, m, of, begin, order);
	free(begin);
	free(order);
	return seq_failed(s) ? -1 : 0;
}

void spmv_by_sell(struct seq *s, const struct spmv *m, void *slices)
{
	static const char *const kernel[2][2] = {
		{ "spmv_sell", "spmv_sell_dot" },
		{ "spmv_sorted", "spmv_sorted_dot" },
	};
	const struct spmv_slices *l = slices;
	const size_t n = size_blocks(m->rows, SPMV_SELL);

	seq_launch(s, kernel[l->order.id != 0][m->with.id != 0],
	           GRID1(size_blocks(n, SPMV_SELL_EACH), 1),
	           ARG_BUF(l->starts), ARG_BUF(l->values), ARG_BUF(l->columns),
	           ARG_BUF(m->x), ARG_BUF(m->y), ARG_BUF(m->c),
	           ARG_INT(m->add), ARG_INT(m->rows), ARG_INT(n),
	           ARG_BUF(l->order), ARG_BUF(m->with), ARG_BUF(m->dots));
}

/* sweeps.c - the levels of a triangular sweep; see krylov.h and
 * kernels/krylov/factors.cl. */
#include <stdlib.h>

#include "base/size.h"
#include "matrix/sparse.h"
#include "ops/krylov/krylov.h"

enum { NARROW = 2048 };			/* the most rows of a level that shares
					 * its launch with others */

/* A level is one more than the highest of those that the row depends on: of the
 * columns before the diagonal or, for the upper sweep, behind it. Returns the
 * number of levels. */
static int32_t find_levels(const struct krylov *k, bool upper, int32_t *level)
{
	const int64_t *start = sparse_starts(k->m);
	const int32_t *column = sparse_columns(k->m);
	int32_t most = 0;

	for (size_t t = 0; t < k->n; t++) {
		const size_t i = upper ? k->n - 1 - t : t;
		const int64_t corner = k->look.corner[i];
		const int64_t end = upper ? start[i + 1] : corner;
		int32_t own = 0;

		for (int64_t at = upper ? corner + 1 : start[i]; at < end; at++)
			if (level[column[at]] >= own)
				own = level[column[at]] + 1;
		level[i] = own;
		most = own > most ? own : most;
	}
	return k->n > 0 ? most + 1 : 0;
}

/* Sorts the rows by their levels. */
static void sort_rows(const int32_t *level, size_t n, struct krylov_sweep *w,
                      int32_t *order)
{
	for (size_t i = 0; i < n; i++)
		w->begin[level[i] + 1]++;
	for (size_t l = 0; l < w->n; l++)
		w->begin[l + 1] += w->begin[l];
	for (size_t i = 0; i < n; i++)
		order[w->begin[level[i]]++] = (int32_t)i;
	for (size_t l = w->n; l > 0; l--)
		w->begin[l] = w->begin[l - 1];
	w->begin[0] = 0;
}

/* Sets w->n and w->begin, and order[] to the rows by their levels. */
static int by_levels(struct krylov *k, struct krylov_sweep *w, bool upper,
                     int32_t *order)
{
	int32_t *level = malloc((k->n + 1) * sizeof *level);

	if (level) {
		w->n = (size_t)find_levels(k, upper, level);
		w->begin = calloc(w->n + 2, sizeof *w->begin);
	}
	if (level && w->begin)
		sort_rows(level, k->n, w, order);
	free(level);
	return w->begin ? 0 : -1;
}

/* A work-item alone takes the rows in order. */
static int in_order(struct krylov *k, struct krylov_sweep *w)
{
	w->n = 1;
	w->begin = calloc(2, sizeof *w->begin);
	if (w->begin)
		w->begin[1] = (int32_t)k->n;
	return w->begin ? 0 : -1;
}

static size_t order_bytes(const struct krylov *k)
{
	return k->n * sizeof(int32_t);
}

bool krylov_sweep_find(struct krylov *k, struct krylov_sweep *w, int number)
{
	bool order = true, level;

	if (!k->wish.shared)
		w->order = seq_derived(k->s, k->m, number, order_bytes(k),
		                       &order);
	w->level = seq_derived(k->s, k->m, number + 1,
	                       (w->n + 1) * sizeof *w->begin, &level);
	return order && level;
}

int krylov_sweep_init(struct krylov *k, struct krylov_sweep *w, bool upper,
                      int number)
{
	int32_t *order = malloc(order_bytes(k) + 1);
	int rc = !order ? -1 : k->wish.shared ? in_order(k, w) :
	                       by_levels(k, w, upper, order);

	if (rc < 0)
		err_set(seq_err(k->s), ERR_MEMORY, "solve: no memory for the "
		        "levels of %zu rows", k->n);
	if (rc == 0 && !krylov_sweep_find(k, w, number)) {
		if (!k->wish.shared)
			seq_write(k->s, w->order, 0, order, order_bytes(k));
		seq_write(k->s, w->level, 0, w->begin,
		          (w->n + 1) * sizeof *w->begin);
	}
	free(order);
	return rc;
}

static size_t rows_of(const struct krylov_sweep *w, size_t level)
{
	return (size_t)(w->begin[level + 1] - w->begin[level]);
}

size_t krylov_sweep_end(const struct krylov_sweep *w, size_t from)
{
	size_t to = from + 1;

	if (rows_of(w, from) > NARROW)
		return to;
	while (to < w->n && rows_of(w, to) <= NARROW)
		to++;
	return to;
}

struct grid krylov_sweep_grid(const struct krylov *k,
                              const struct krylov_sweep *w, size_t from,
                              size_t to)
{
	const size_t rows = to == from + 1 && w->order.id ?
	                    rows_of(w, from) : 1;

	return GRID1(size_max(rows, 1), k->items);
}

struct grid krylov_resident_grid(const struct krylov *k,
                                 const struct krylov_sweep *w)
{
	size_t widest = 1;

	for (size_t l = 0; l < w->n; l++)
		widest = size_max(widest, rows_of(w, l));
	return GRID1(size_min(size_blocks(widest, k->items), k->units) *
	             k->items, k->items);
}

/* order.c - the reverse Cuthill-McKee ordering; see entries.h. */
#include <stdlib.h>
#include <string.h>

#include "ops/eigen/entries.h"

struct walk {
	const struct entries *a;
	int32_t *order;
	size_t count;			/* rows that are in the order */
	char *seen;
};

struct neighbour {
	int64_t degree;
	int32_t row;
};

static int64_t degree_of(const struct entries *a, size_t i)
{
	return a->start[i + 1] - a->start[i];
}

static int compare(const void *a, const void *b)
{
	const struct neighbour *x = a, *y = b;

	return x->degree != y->degree ? (x->degree < y->degree ? -1 : 1) :
	       x->row < y->row ? -1 : x->row > y->row;
}

/* Appends the neighbours of row i that have not been seen, in ascending order
 * of their degrees. list has room for all of them. */
static void append(struct walk *w, size_t i, struct neighbour *list)
{
	size_t n = 0;

	for (int64_t k = w->a->start[i]; k < w->a->start[i + 1]; k++) {
		const int32_t j = w->a->column[k];

		if (w->seen[j])
			continue;
		w->seen[j] = 1;
		list[n++] = (struct neighbour){
			degree_of(w->a, (size_t)j), j,
		};
	}
	qsort(list, n, sizeof *list, compare);
	for (size_t l = 0; l < n; l++)
		w->order[w->count++] = list[l].row;
}

/* Appends the connected component of row `root`, in breadth-first order. */
static void spread(struct walk *w, int32_t root, struct neighbour *list)
{
	size_t at = w->count;

	w->seen[root] = 1;
	w->order[w->count++] = root;
	while (at < w->count)
		append(w, (size_t)w->order[at++], list);
}

/* Removes the component that begins at place `from` from the order. */
static void undo(struct walk *w, size_t from)
{
	while (w->count > from)
		w->seen[w->order[--w->count]] = 0;
}

/* Appends the connected component of row `root`. The last row of a walk is far
 * from its root, so the walk is repeated from there: its levels are then more
 * and smaller, which makes the band narrow. */
static void order_component(struct walk *w, int32_t root,
                            struct neighbour *list)
{
	enum { WALKS = 3 };
	const size_t from = w->count;

	for (int i = 0; i < WALKS; i++) {
		undo(w, from);
		spread(w, root, list);
		root = w->order[w->count - 1];
	}
}

int entries_order(const struct entries *a, int32_t *order)
{
	struct walk w = { .a = a, .order = order,
	                  .seen = calloc(a->n + 1, 1) };
	struct neighbour *list = malloc((a->n + 1) * sizeof *list);
	const int rc = w.seen && list ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < a->n; i++)
		if (!w.seen[i])
			order_component(&w, (int32_t)i, list);
	for (size_t i = 0; rc == 0 && i < a->n / 2; i++) {
		const int32_t first = order[i];

		order[i] = order[a->n - 1 - i];
		order[a->n - 1 - i] = first;
	}
	free(w.seen);
	free(list);
	return rc;
}

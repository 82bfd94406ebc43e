/* cyclic.c - has a non-negative matrix other eigenvalues as large as its Perron
 * root? If B v = lambda v with v > 0, its graph, which has an edge from i to j
 * where b_ij > 0, answers that.
 *
 * A class is a strongly connected component of the graph; it is final if no
 * edge leads from it to another class. A final class is a matrix of its own,
 * whose part of v is positive, so that lambda is an eigenvalue of each final
 * class. If the cycle lengths of a class have the greatest common divisor h >
 * 1, then lambda times each h-th root of unity is an eigenvalue as well
 * (Frobenius 1912). A class that is not final may also have such eigenvalues:
 * that tie is not found here, but no tie is reported that does not exist.
 *
 * One depth-first walk finds the classes (Tarjan 1972). It completes a final
 * class before any class that leads to it. */
#include <stdlib.h>

#include "ops/eigen/eigen.h"

enum { UNSEEN = -1 };

struct node {
	int64_t number;			/* in the order of the walk */
	int64_t least;			/* least number known to be reached */
	int64_t level;			/* distance from its class's root */
	size_t next;			/* column to look at */
	bool open;			/* its class is not complete yet */
	bool leaves;			/* it has an edge to another class */
};

struct walk {
	const struct eigen_problem *p;
	const double *v;
	struct node *node;
	size_t *path, *open;		/* two stacks of nodes */
	size_t n_path, n_open;
	int64_t count;
	int finals;
	bool cyclic;			/* is one of the final classes? */
};

static bool has_edge(const struct walk *w, size_t i, size_t j)
{
	return w->v[j] > 0 &&
	    matrix_get(w->p->m, (w->p->index * w->p->n + i) * w->p->n + j) != 0;
}

static void enter(struct walk *w, size_t i)
{
	w->node[i].number = w->node[i].least = w->count++;
	w->node[i].open = true;
	w->path[w->n_path++] = i;
	w->open[w->n_open++] = i;
}

static int64_t divisor(int64_t a, int64_t b)
{
	while (b != 0) {
		const int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* The greatest common divisor of the cycle lengths of a class: of level(i) + 1
 * - level(j) over all edges, levels being distances from one node. The queue of
 * this breadth-first walk is the unused end of w->path. */
static int64_t period(struct walk *w, const size_t *class, size_t n)
{
	size_t *queue = w->path + w->n_path, end = 0;
	int64_t h = 0;

	w->node[class[0]].level = 0;
	queue[end++] = class[0];
	for (size_t q = 0; q < end && h != 1; q++)
		for (size_t k = 0; k < n && h != 1; k++) {
			struct node *from = &w->node[queue[q]];
			struct node *to = &w->node[class[k]];

			if (!has_edge(w, queue[q], class[k]))
				continue;
			if (to->level == UNSEEN) {
				to->level = from->level + 1;
				queue[end++] = class[k];
			}
			h = divisor(h, llabs(from->level + 1 - to->level));
		}
	return h;
}

/* Completes the class whose first node, i, is the path's last. */
static void close_class(struct walk *w, size_t i)
{
	size_t first = w->n_open;
	bool leaves = false;

	do {
		first--;
		w->node[w->open[first]].open = false;
		leaves = leaves || w->node[w->open[first]].leaves;
	} while (w->open[first] != i);
	if (!leaves) {
		w->finals++;
		w->cyclic = w->cyclic || period(w, w->open + first,
		                                w->n_open - first) > 1;
	}
	w->n_open = first;
}

/* Takes the walk's next step from the path's last node: to another node, or
 * back. */
static void step(struct walk *w)
{
	const size_t i = w->path[w->n_path - 1];
	struct node *from = &w->node[i];

	for (; from->next < w->p->n; from->next++) {
		struct node *to = &w->node[from->next];

		if (!has_edge(w, i, from->next))
			continue;
		if (to->number == UNSEEN) {
			enter(w, from->next++);
			return;
		}
		if (!to->open)
			from->leaves = true;
		else if (to->number < from->least)
			from->least = to->number;
	}
	w->n_path--;
	if (from->least == from->number)
		close_class(w, i);
	if (w->n_path > 0) {
		struct node *before = &w->node[w->path[w->n_path - 1]];

		if (!from->open)
			before->leaves = true;
		else if (from->least < before->least)
			before->least = from->least;
	}
}

static void walk_all(struct walk *w)
{
	for (size_t i = 0; i < w->p->n; i++)
		w->node[i].number = w->node[i].level = UNSEEN;
	for (size_t i = 0; i < w->p->n; i++) {
		if (!(w->v[i] > 0) || w->node[i].number != UNSEEN)
			continue;
		enter(w, i);
		while (w->n_path > 0)
			step(w);
	}
}

int eigen_cyclic(struct eigen_problem *p, struct eigen_pair *r)
{
	struct walk w = {
		.p = p, .v = r->vector,
		.node = calloc(p->n, sizeof *w.node),
		.path = calloc(2 * p->n, sizeof *w.path),
		.open = calloc(p->n, sizeof *w.open),
	};
	const bool room = w.node && w.path && w.open;

	if (room)
		walk_all(&w);
	r->tie = w.finals > 1 || w.cyclic;
	free(w.node);
	free(w.path);
	free(w.open);
	return room ? 0 : err_set(seq_err(p->s), ERR_MEMORY,
	                          "eigen: no memory");
}

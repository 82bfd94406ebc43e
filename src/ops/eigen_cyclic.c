/* eigen_cyclic.c - has a non-negative matrix other eigenvalues as large as
 * its Perron root? If B v = lambda v with v > 0, they come from the cycles of
 * B's graph: an irreducible B whose cycle lengths have the common divisor
 * h > 1 has h of them, lambda times the h-th roots of unity (Frobenius 1912).
 *
 * Breadth first from one node: h divides level(i) + 1 - level(j) for every
 * edge ij. Edges between classes of a reducible B only make the divisor
 * smaller, so a tie may go unseen there, but none is invented.
 */
#include <stdlib.h>

#include "ops/eigen.h"

enum { UNSEEN = -1 };

static int64_t divisor(int64_t a, int64_t b)
{
	while (b != 0) {
		const int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* The edges of node i: the divisor after them; new nodes join the queue. */
static int64_t visit(const struct eigen_problem *p, const double *v,
                     size_t i, int64_t *level, size_t *queue, size_t *end,
                     int64_t h)
{
	const size_t row = (p->index * p->n + i) * p->n;

	for (size_t j = 0; j < p->n && h != 1; j++) {
		if (!(v[j] > 0) || matrix_get(p->m, row + j) == 0)
			continue;
		if (level[j] == UNSEEN) {
			level[j] = level[i] + 1;
			queue[(*end)++] = j;
		}
		h = divisor(h, llabs(level[i] + 1 - level[j]));
	}
	return h;
}

int eigen_cyclic(struct eigen_problem *p, struct eigen_pair *r)
{
	int64_t *level = malloc(p->n * sizeof *level), h = 0;
	size_t *queue = malloc(p->n * sizeof *queue), end = 0, first = 0;

	if (!level || !queue) {
		free(level);
		free(queue);
		return err_set(seq_err(p->s), ERR_MEMORY, "eigen: no memory");
	}
	for (size_t i = 0; i < p->n; i++)
		level[i] = UNSEEN;
	while (first + 1 < p->n && !(r->vector[first] > 0))
		first++;
	level[first] = 0;
	queue[end++] = first;
	for (size_t q = 0; q < end && h != 1; q++)
		h = visit(p, r->vector, queue[q], level, queue, &end, h);
	r->tie = h > 1;
	free(level);
	free(queue);
	return 0;
}

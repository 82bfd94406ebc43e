/* arrange.c - see arrange.h. */
#include <math.h>
#include <string.h>

#include "ops/eigen/arrange.h"
#include "ops/lapack/stack.h"

static char *element(const struct arrange *g, const void *x, size_t i)
{
	return (char *)x + i * g->bytes;
}

static double diagonal(const struct arrange *g, const void *x, size_t i)
{
	double real;

	memcpy(&real, element(g, x, i * (g->n + 1)), sizeof real);
	return real;
}

void arrange_find(const struct arrange *g, const void *b)
{
	for (size_t k = 0; k < g->n; k++) {
		size_t i = k;

		for (; b && i > 0 && diagonal(g, b, g->order[i - 1]) <
		                     diagonal(g, b, k); i--)
			g->order[i] = g->order[i - 1];
		g->order[i] = k;
	}
}

/* Element i of every column becomes element order[i] or, with `back`, the other
 * way round. */
static void permute(const struct arrange *g, bool back, void *x,
                    size_t columns)
{
	for (size_t j = 0; j < columns; j++) {
		char *const column = element(g, x, j * g->n);

		memcpy(g->room, column, g->n * g->bytes);
		for (size_t i = 0; i < g->n; i++)
			memcpy(element(g, column, back ? g->order[i] : i),
			       element(g, g->room, back ? i : g->order[i]),
			       g->bytes);
	}
}

void arrange_apply(const struct arrange *g, void *x)
{
	for (int side = 0; side < 2; side++) {
		permute(g, false, x, g->n);
		lapack_transpose_square(x, g->n, g->bytes);
	}
}

void arrange_undo(const struct arrange *g, void *x, size_t columns)
{
	permute(g, true, x, columns);
}

void arrange_reverse(const struct arrange *g, void *x, size_t elements)
{
	for (size_t i = 0; i < elements / 2; i++) {
		char *const first = element(g, x, i);
		char *const last = element(g, x, elements - 1 - i);

		memcpy(g->room, first, g->bytes);
		memcpy(first, last, g->bytes);
		memcpy(last, g->room, g->bytes);
	}
}

bool arrange_is_ill(const struct arrange *g, const void *l)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < g->n; i++) {
		least = fmin(least, diagonal(g, l, i));
		most = fmax(most, diagonal(g, l, i));
	}
	return most / least > 0x1p5 && most / least < 0x1p22;
}

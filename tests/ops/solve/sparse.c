/* sparse.c - see sparse.h. */
#include <math.h>

#include "tests/ops/solve/sparse.h"

static void add(struct sparse_entry *x, size_t *n, size_t i, size_t j,
                double value)
{
	x[(*n)++] = (struct sparse_entry){ (uint32_t)i, (uint32_t)j, value };
}

/* Point i of a g x g grid: its neighbours in four directions. */
static void add_stencil(struct sparse_entry *x, size_t *n, size_t g, size_t i,
                        enum kind kind)
{
	const double across = kind == ANISOTROPIC ? 100 : 1;
	const double wind = kind == CONVECTION ? 0.7 : 0;
	double all = 2 + 2 * across;

	if (kind == NEUMANN)
		all = (i % g > 0) + (i % g + 1 < g) + (i >= g) +
		      (i + g < g * g);
	if (kind == INDEFINITE)
		all -= 2.5;
	add(x, n, i, i, all);
	if (i % g > 0)
		add(x, n, i, i - 1, -across - wind);
	if (i % g + 1 < g)
		add(x, n, i, i + 1, -across + wind);
	if (i >= g)
		add(x, n, i, i - g, -1);
	if (i + g < g * g)
		add(x, n, i, i + g, -1);
}

static bool is_prime(size_t p)
{
	for (size_t d = 2; d * d <= p; d++)
		if (p % d == 0)
			return false;
	return p > 1;
}

static size_t next_prime(size_t p)
{
	do
		p++;
	while (!is_prime(p));
	return p;
}

/* Trefethen's matrix: primes on the diagonal, ones where |i - j| is a power of
 * two. */
static void add_trefethen(struct sparse_entry *x, size_t *n, size_t rows)
{
	size_t p = 1;

	for (size_t i = 0; i < rows; i++) {
		p = next_prime(p);
		add(x, n, i, i, (double)p);
		for (size_t d = 1; d < rows; d *= 2) {
			if (i >= d)
				add(x, n, i, i - d, 1);
			if (i + d < rows)
				add(x, n, i, i + d, 1);
		}
	}
}

/* One full row and column, which no slice can hold without much padding. */
static void add_arrow(struct sparse_entry *x, size_t *n, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		add(x, n, i, i, i == 0 ? 2.0 * (double)rows : 3);
		if (i > 0) {
			add(x, n, 0, i, 1);
			add(x, n, i, 0, 1);
		}
	}
}

/* A number of a pair's own, as good as random. */
static uint32_t mixed(size_t i, size_t j)
{
	uint32_t x = (uint32_t)(i << 8 | (j & 255)) * 2654435761u;

	x = (x ^ x >> 15) * 2246822519u;
	return x ^ x >> 13;
}

/* Rows of 1 to some 20 entries, in no order: symmetric, a quarter of the pairs
 * of rows that are at most REACH apart. */
static void add_uneven(struct sparse_entry *x, size_t *n, size_t rows)
{
	enum { REACH = 12 };

	for (size_t i = 0; i < rows; i++) {
		add(x, n, i, i, 2 * REACH + 1);
		for (size_t j = i + 1; j < rows && j <= i + REACH; j++) {
			if (mixed(i, j) & 3)
				continue;
			add(x, n, i, j, -1);
			add(x, n, j, i, -1);
		}
	}
}

struct matrix sparse_system(enum kind kind, enum dtype t, size_t g)
{
	const size_t rows = g * g;
	struct sparse_entry *x = calloc(40 * rows + 1, sizeof *x);
	struct matrix m = { .ndim = 2, .dim = { rows, rows } };
	struct err e = { 0 };
	size_t n = 0;

	if (kind == TREFETHEN)
		add_trefethen(x, &n, rows);
	else if (kind == LONG_ROW)
		add_arrow(x, &n, rows);
	else if (kind == UNEVEN)
		add_uneven(x, &n, rows);
	for (size_t i = 0; i < rows; i++)
		if (kind == DIAGONAL)
			add(x, &n, i, i, (double)(i % 9) + 1);
		else if (kind < TREFETHEN || kind == INDEFINITE ||
		         kind == NEUMANN)
			add_stencil(x, &n, g, i, kind);
	ck_ok(sparse_build(&m, x, n, test_pool, &e), &e);
	ck_ok(matrix_convert(&m, t, test_pool, &e), &e);
	free(x);
	return m;
}

double sparse_residual(const struct matrix *m, const struct matrix *b,
                       const struct matrix *x, size_t j)
{
	const size_t sides = b->ndim == 1 ? 1 : matrix_cols(b);
	long double above = 0, below = 0;

	for (size_t i = 0; i < m->dim[0]; i++) {
		const long double v = matrix_get(b, i * sides + j);
		long double r = v;

		for (int64_t k = sparse_starts(m)[i];
		     k < sparse_starts(m)[i + 1]; k++)
			r -= (long double)matrix_get(m, (size_t)k) *
			     matrix_get(x, (size_t)sparse_columns(m)[k] *
			                   sides + j);
		above += r * r;
		below += v * v;
	}
	return below > 0 ? (double)sqrtl(above / below) : (double)above;
}

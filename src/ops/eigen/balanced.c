/* balanced.c - copies the balanced matrix B = D^-1 P^T A P D, and transforms
 * its eigenvectors into those of A; see balance.h. Most matrices need no
 * scaling, D = I: these are copied by vector instructions. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "ops/eigen/balance.h"
#include "ops/eigen/parts.h"

enum {
	ROWS = EIGEN_TILE,		/* a tile of copies: every cache line of
					 * a column is written once */
	COLUMNS = 256,
	LANES = 8			/* numbers of a vector */
};

/* A matrix while it is copied: b has P and D, m the stack with A. */
struct task {
	const struct balance *b;
	const struct matrix *m;
	size_t index;			/* of the matrix in the stack */
	bool scaled;			/* D differs from I */
	double *to;			/* 2^-top B, column-major */
	int top, tops[EIGEN_PARTS];	/* floor(log2 |b|) for the largest
					 * element b of B, of parts of its
					 * rows; INT_MIN if b = 0 */
};

static int larger(int a, int b)
{
	return a > b ? a : b;
}

bool balance_is_scaled(const struct balance *b)
{
	bool any = false;

	for (size_t i = 0; i < b->n; i++)
		any |= b->power[i] != 0;
	return any;
}

static double largest_of(const double *x, size_t n)
{
	double lane[LANES] = { 0 }, most = 0;
	size_t j = 0;

	for (; j + LANES <= n; j += LANES)
		for (size_t k = 0; k < LANES; k++)
			lane[k] = fabs(x[j + k]) > lane[k] ? fabs(x[j + k]) :
			                                     lane[k];
	for (; j < n; j++)
		most = fabs(x[j]) > most ? fabs(x[j]) : most;
	for (size_t k = 0; k < LANES; k++)
		most = lane[k] > most ? lane[k] : most;
	return most;
}

/* Multiplies the n elements of x by 2^-top. It multiplies by two factors in
 * turn, because 2^-top itself may overflow or underflow in float64. */
static void shift(double *x, size_t n, int top)
{
	const double half = ldexp(1, -(top / 2));
	const double rest = ldexp(1, -(top - top / 2));

	for (size_t i = 0; i < n; i++)
		x[i] = x[i] * half * rest;
}

/* Returns the largest floor(log2 |b|) among `count` elements b of row i of B
 * from column j on; INT_MIN if all are 0. x has the elements of P^T A P. */
static int exponent(const struct task *t, const double *x, size_t i, size_t j,
                    size_t count)
{
	const int *const power = t->b->power;
	int top = INT_MIN;

	for (size_t k = 0; k < count; k++)
		if (x[k] != 0 && ilogb(x[k]) + power[j + k] - power[i] > top)
			top = ilogb(x[k]) + power[j + k] - power[i];
	return top;
}

/* Finds floor(log2 |b|) for the largest element b of a part of B's rows. */
static void find_top(void *arg, size_t part)
{
	struct task *const t = arg;
	const size_t n = t->b->n;
	const struct eigen_span rows = eigen_span(n, part);
	double row[COLUMNS], most = 0;
	int top = INT_MIN;

	for (size_t i = rows.first; i < rows.end; i++)
		for (size_t j = 0; j < n; j += COLUMNS) {
			const size_t count = size_min(COLUMNS, n - j);

			balance_row(t->b, t->m, t->index, i, j, count, row);
			if (t->scaled)
				top = larger(top, exponent(t, row, i, j,
				                           count));
			else
				most = fmax(most, largest_of(row, count));
		}
	t->tops[part] = most > 0 ? ilogb(most) : top;
}

/* Stores `count` elements of row i of 2^-top B, from column j on, in `to`. */
static void make_row(const struct task *t, size_t i, size_t j, size_t count,
                     double *to)
{
	const int *const power = t->b->power;

	balance_row(t->b, t->m, t->index, i, j, count, to);
	if (!t->scaled)
		shift(to, count, t->top);
	for (size_t k = 0; k < count && t->scaled; k++)
		to[k] = ldexp(to[k], power[j + k] - power[i] - t->top);
}

/* Stores the tile of 2^-top B at row i0 and column j0 in t->to. */
static void copy_tile(const struct task *t, size_t i0, size_t j0)
{
	const size_t n = t->b->n, rows = size_min(ROWS, n - i0);
	const size_t columns = size_min(COLUMNS, n - j0);
	double tile[ROWS][COLUMNS];

	for (size_t i = 0; i < rows; i++)
		make_row(t, i0 + i, j0, columns, tile[i]);
	for (size_t j = 0; j < columns; j++)
		for (size_t i = 0; i < rows; i++)
			t->to[(j0 + j) * n + i0 + i] = tile[i][j];
}

static void copy(void *arg, size_t part)
{
	const struct task *const t = arg;
	const size_t n = t->b->n;
	const struct eigen_span rows = eigen_span(n, part);

	for (size_t i = rows.first; i < rows.end; i += ROWS)
		for (size_t j = 0; j < n; j += COLUMNS)
			copy_tile(t, i, j);
}

int balance_copy(const struct lapack_call *c, const struct balance *b,
                 const struct matrix *m, size_t index, double *to)
{
	struct task t = { .b = b, .m = m, .index = index, .to = to,
	                  .scaled = balance_is_scaled(b), .top = INT_MIN };

	eigen_parts(c, find_top, &t);
	for (size_t i = 0; i < EIGEN_PARTS; i++)
		t.top = larger(t.top, t.tops[i]);
	t.top = t.top == INT_MIN ? 0 : t.top;
	eigen_parts(c, copy, &t);
	return t.top;
}

/* x = P x for each of the vectors in x: a real one, or the real and the
 * imaginary part of a complex one. */
static void put_back(const struct balance *b, int parts, double *x,
                     double *room)
{
	const size_t n = b->n;

	for (int k = 0; k < parts; k++)
		for (size_t i = 0; i < n; i++)
			room[(size_t)k * n + b->place[i]] =
			    x[(size_t)k * n + i];
	memcpy(x, room, (size_t)parts * n * sizeof *x);
}

int balance_back(const struct balance *b, enum balance_side side, int parts,
                 double *x, double *room)
{
	const int sign = side == BALANCE_RIGHT ? 1 : -1;
	const size_t n = b->n, all = n * (size_t)parts;
	const bool scaled = balance_is_scaled(b);
	int top = INT_MIN;

	for (size_t k = 0; k < all && scaled; k++)
		if (x[k] != 0 && ilogb(x[k]) + sign * b->power[k % n] > top)
			top = ilogb(x[k]) + sign * b->power[k % n];
	if (!scaled && largest_of(x, all) > 0)
		top = ilogb(largest_of(x, all));
	if (top == INT_MIN)
		top = 0;
	for (size_t k = 0; k < all && scaled; k++)
		x[k] = ldexp(x[k], sign * b->power[k % n] - top);
	if (!scaled)
		shift(x, all, top);
	put_back(b, parts, x, room);
	return top;
}

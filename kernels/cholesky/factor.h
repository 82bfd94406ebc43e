/* factor.h - A = L L^T of matrices of ROWS rows in registers and local memory.
 * The file that includes this one defines ROWS and TEAMS.
 *
 * Each row r of a matrix has TEAMS items, which share the row's parts of PART
 * columns: the item of team t owns the parts t, t + TEAMS, ... Element
 * own[q PART + c] of its registers is (r, (q TEAMS + t) PART + c). Of the
 * elements above the diagonal nothing is assumed, and L has none there.
 *
 *         b PART
 *      +---+---+------+    The team that owns part b has the corner, whose
 *      |   | C |      |    PART rows are published in local memory. Each of its
 *      |   +---+------+    items factors the corner in its own registers,
 *      |   |   |      |    computes its row of the part of L, and publishes
 *      |   | P |  A22 |    that. Then A22 -= P P^T.
 *      +---+---+------+
 *
 * So there are two barriers for PART columns.
 */
#include "blas/triangle.h"
#include "shared/cholesky_tile.h"

#define PART CHOLESKY_PART
#define PARTS (ROWS / PART)
#define OWN (ROWS / TEAMS)

/* The elements of a real4, in an expression with constant indices. */
#define PUT4(to, at, v) \
	((to)[(at)] = (v).s0, (to)[(at) + 1] = (v).s1, \
	 (to)[(at) + 2] = (v).s2, (to)[(at) + 3] = (v).s3)
#define GET4(from, at) \
	((real4)((from)[(at)], (from)[(at) + 1], (from)[(at) + 2], \
	         (from)[(at) + 3]))

/* Returns the square root of x, and 1 / sqrt(x) in *inverse; NaN unless x > 0.
 * Devices may be wrong by several ulp in rsqrt(); a Newton step each makes both
 * as exact as correctly rounded operations would. */
static real root(real x, real *inverse)
{
	const real first = rsqrt(x);
	const real y = fma(first / 2, fma(-x * first, first, (real)1), first);
	const real s = x * y;

	*inverse = y;
	return fma(y / 2, fma(-s, s, x), s);
}

/* Where an item is: its row and team, and the position of its matrix's first
 * row in the local memory that several matrices share. */
struct place {
	int row, team, base;
};

/* Local memory: the corner's rows, and PART columns of L, whose elements are
 * `pitch` apart. */
struct shelf {
	local real4 *corner, *part;
	int pitch;
};

/* Factors the corner. Returns the order of its first leading minor that is not
 * positive, or 0. */
static int factor_corner(real l[PART][PART], real inverse[PART])
{
	int bad = 0;

	UNROLL
	for (int c = 0; c < PART; c++) {
		if (bad == 0 && !(l[c][c] > 0))
			bad = c + 1;
		l[c][c] = root(l[c][c], &inverse[c]);
		UNROLL
		for (int i = c + 1; i < PART; i++)
			l[i][c] = quotient(l[i][c], l[c][c], inverse[c]);
		UNROLL
		for (int i = c + 1; i < PART; i++)
			UNROLL
			for (int k = c + 1; k <= i; k++)
				l[i][k] -= l[i][c] * l[k][c];
	}
	return bad;
}

/* Computes the item's row of a part of L, from the corner; `from` is the row's
 * number in the corner, negative above it, PART or more below it. */
static void solve_row(real l[PART][PART], const real inverse[PART], int from,
                      real *x)
{
	UNROLL
	for (int c = 0; c < PART; c++) {
		x[c] = from < c ? 0 : from == c ? l[c][c] :
		       quotient(x[c], l[c][c], inverse[c]);
		UNROLL
		for (int k = c + 1; k < PART; k++)
			x[k] -= x[c] * l[k][c];
	}
}

/* The owners of part b factor it. */
static int factor_part(const struct shelf *s, const struct place *at, int b,
                       real *x)
{
	local const real4 *corner = s->corner + at->base * (PART / 4);
	local real *part = (local real *)s->part;
	real l[PART][PART], inverse[PART];
	int bad;

	UNROLL
	for (int i = 0; i < PART; i++)
		UNROLL
		for (int k = 0; k < PART; k += 4)
			PUT4(l[i], k, corner[(i * PART + k) / 4]);
	bad = factor_corner(l, inverse);
	solve_row(l, inverse, at->row - b * PART, x);
	UNROLL
	for (int c = 0; c < PART; c++)
		part[c * s->pitch + at->base + at->row] = x[c];
	return bad ? b * PART + bad : 0;
}

/* Computes A22 -= P P^T for PART of the item's columns, the first of which is
 * `first`. */
static void update_part(const struct shelf *s, const struct place *at,
                        int first, real *x)
{
	local const real *part = (local const real *)s->part;
	real sum[PART] = { 0 };

	UNROLL
	for (int c = 0; c < PART; c++) {
		const int from = c * s->pitch + at->base;
		const real own = part[from + at->row];

		UNROLL
		for (int k = 0; k < PART; k += 4) {
			const real4 v = s->part[(from + first + k) / 4];

			sum[k] += own * v.s0;
			sum[k + 1] += own * v.s1;
			sum[k + 2] += own * v.s2;
			sum[k + 3] += own * v.s3;
		}
	}
	UNROLL
	for (int k = 0; k < PART; k++)
		x[k] -= sum[k];
}

/* Adds up the item's column of the part of L that was published last, row i
 * weighed by sign(i); the item's column is that of its row in the corner. */
#ifdef WEIGH
static wide weigh_column(const struct shelf *s, const struct place *at)
{
	local const real *column = (local const real *)s->part +
	    at->row % PART * s->pitch + at->base;
	wide sum = 0;

	for (int i = at->row; i < ROWS; i++)
		sum += WEIGH(i) * (wide)column[i];
	return sum;
}
#endif

/* Factors the matrix. Returns the order of the first leading minor that is not
 * positive, of those that end in a part that the item's team owns, or 0. With
 * WEIGH, *weight becomes element `row` of L^T x, where x_i is WEIGH(i). */
static int factor(const struct shelf *s, const struct place *at,
                  real own[OWN], wide *weight)
{
	int bad = 0;

	UNROLL
	for (int b = 0; b < PARTS; b++) {
		const bool owner = at->team == b % TEAMS;
		const int q = b / TEAMS * PART;

		if (owner && at->row / PART == b)
			UNROLL
			for (int k = 0; k < PART; k += 4)
				s->corner[((at->base + at->row % PART) * PART +
				           k) / 4] = GET4(own, q + k);
		barrier(CLK_LOCAL_MEM_FENCE);
		if (owner) {
			const int found = factor_part(s, at, b, own + q);

			bad = bad ? bad : found;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
#ifdef WEIGH
		if (at->row / PART == b)
			*weight = weigh_column(s, at);
#endif
		UNROLL
		for (int p = b / TEAMS; p < OWN / PART; p++) {
			const int part = p * TEAMS + at->team;

			if (part > b && at->row >= part * PART)
				update_part(s, at, part * PART,
				            own + p * PART);
		}
	}
	return bad;
}

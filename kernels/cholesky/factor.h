/* factor.h - A = L L^T for matrices of ROWS rows, in registers and local
 * memory. The including file defines ROWS and TEAMS.
 *
 * The columns are cut into parts of PART columns. Each row r of a matrix has
 * TEAMS items, one of each team; the item of team t owns the row's elements in
 * the parts t, t + TEAMS, ... Element own[q PART + c] of its registers is (r,
 * (q TEAMS + t) PART + c). The elements above the diagonal of A may be
 * anything.
 *
 *         b PART
 *      +---+---+------+    The team that owns part b copies the PART rows of
 *      |   | C |      |    the corner C to local memory. Each of its items
 *      |   +---+------+    factors the corner in its own registers, computes
 *      |   |   |      |    its row of the part of L, and copies the row to
 *      |   | P |  A22 |    local memory. Then all teams compute A22 -= P P^T.
 *      +---+---+------+
 *
 * This takes two barriers for every PART columns. The loop over the parts is
 * not unrolled, because its code would not fit the instruction cache. So that
 * the loop nevertheless indexes registers by constants, every work-item moves
 * its registers down by PART elements whenever each team has factored one part.
 */
#include "blas/four.h"
#include "cholesky/root.h"
#include "lib/unroll.h"
#include "shared/cholesky_tile.h"

#define PART CHOLESKY_PART
#define PARTS (ROWS / PART)
#define OWN (ROWS / TEAMS)

/* Where an item is: its row and team, and the position of its matrix's first
 * row in the local memory that several matrices share. */
struct place {
	int row, team, base;
};

/* The arrays in local memory: the rows of the corner C, and PART columns of L
 * with BLAS_PITCH elements from one column to the next. */
struct shelf {
	local real4 *corner, *part;
};

/* The destination of L: `count` matrices of `rows` rows and columns for the
 * work-group. The first begins at l, the others follow at distances of `step`
 * elements. The elements above the diagonal are written, too: as zeros or, if
 * `turned` is set, as those of L^T. */
struct target {
	global real *l;
	size_t step;
	int ld, rows, count;
	bool turned;
};

static struct shelf shelf_in(local real4 *room)
{
	return (struct shelf){ room, room + BLAS_NB * PART / 4 };
}

/* Factors the corner. Returns the order of its first leading minor that is not
 * positive, or 0. */
INLINE int factor_corner(real l[PART][PART], real inverse[PART])
{
	int bad = 0;

	UNROLL
	for (int c = 0; c < PART; c++) {
		if (bad == 0 && !(l[c][c] > 0))
			bad = c + 1;
		l[c][c] = root(l[c][c], &inverse[c]);
		UNROLL
		for (int i = 0; i < PART; i++)
			if (i > c)
				l[i][c] = quotient(l[i][c], l[c][c],
				                   inverse[c]);
		UNROLL
		for (int e = 0; e < PART * PART; e++) {
			const int i = e / PART, k = e % PART;

			if (k > c && i >= k)
				l[i][k] -= l[i][c] * l[k][c];
		}
	}
	return bad;
}

/* Computes the item's row of a part of L, from the corner; `from` is the row's
 * number in the corner, negative above it, PART or more below it. */
INLINE void solve_row(real l[PART][PART], const real inverse[PART], int from,
                      real *x)
{
	UNROLL
	for (int c = 0; c < PART; c++) {
		x[c] = from < c ? 0 : from == c ? l[c][c] :
		       quotient(x[c], l[c][c], inverse[c]);
		UNROLL
		for (int k = 0; k < PART; k++)
			if (k > c)
				x[k] -= x[c] * l[k][c];
	}
}

/* Factors part b; only the team that owns the part calls this. Returns the
 * order of the first leading minor that is not positive and ends in the part,
 * or 0. */
INLINE int factor_part(const struct shelf *s, const struct place *at, int b,
                       real *x)
{
	local const real4 *corner = s->corner + at->base * (PART / 4);
	local real *part = (local real *)s->part;
	real l[PART][PART], inverse[PART];
	int bad;

	UNROLL
	for (int e = 0; e < PART * PART / 4; e++)
		PUT4(l[e * 4 / PART], e * 4 % PART, corner[e]);
	bad = factor_corner(l, inverse);
	solve_row(l, inverse, at->row - b * PART, x);
	UNROLL
	for (int c = 0; c < PART; c++)
		part[c * BLAS_PITCH + at->base + at->row] = x[c];
	return bad ? b * PART + bad : 0;
}

/* Computes A22 -= P P^T for PART of the item's columns, the first of which is
 * `first`. */
INLINE void update_part(const struct shelf *s, const struct place *at,
                        int first, real *x)
{
	local const real *part = (local const real *)s->part;
	real sum[PART] = { 0 };

	UNROLL
	for (int e = 0; e < PART * PART / 4; e++) {
		const int c = e * 4 / PART, k = e * 4 % PART;
		const int from = c * BLAS_PITCH + at->base;
		const real own = part[from + at->row];
		const real4 v = s->part[(from + first + k) / 4];

		sum[k] += own * v.s0;
		sum[k + 1] += own * v.s1;
		sum[k + 2] += own * v.s2;
		sum[k + 3] += own * v.s3;
	}
	UNROLL
	for (int k = 0; k < PART; k++)
		x[k] -= sum[k];
}

/* Writes part b of L. */
static void write_part(const struct shelf *s, const struct target *to, int b)
{
	local const real *part = (local const real *)s->part;
	const int size = get_local_size(0), item = get_local_id(0);

	for (int e = item; e < BLAS_NB * PART; e += size) {
		const int at = e / PART, row = at % ROWS;
		const int c = b * PART + e % PART;

		if (at / ROWS < to->count && row < to->rows && c < to->rows &&
		    (row >= c || !to->turned))
			to->l[at / ROWS * to->step + (size_t)row * to->ld +
			      c] = part[e % PART * BLAS_PITCH + at];
	}
	for (int e = item; e < BLAS_NB * PART && to->turned; e += size) {
		const int row = e % BLAS_NB, c = b * PART + e / BLAS_NB;

		if (row < to->rows && row > c)
			to->l[(size_t)c * to->ld + row] =
			    part[e / BLAS_NB * BLAS_PITCH + row];
	}
}

/* Returns the sum over all rows i of WEIGH(i) L(i, c), where c is the item's
 * row number. Column c must be in the part of L that was last copied to local
 * memory. */
#ifdef WEIGH
static wide weigh_column(const struct shelf *s, const struct place *at)
{
	local const real *column = (local const real *)s->part +
	    at->row % PART * BLAS_PITCH + at->base;
	wide sum = 0;

	for (int i = at->row; i < ROWS; i++)
		sum += WEIGH(i) * (wide)column[i];
	return sum;
}
#endif

/* Factors the matrix, and writes L. Returns the order of the first leading
 * minor that is not positive, of those that end in a part that the item's team
 * owns, or 0. With WEIGH, *weight becomes element `row` of L^T x, where x_i is
 * WEIGH(i). */
INLINE int factor(const struct shelf *s, const struct place *at,
                  const struct target *to, real own[OWN], wide *weight)
{
	int bad = 0;

	for (int b = 0; b < PARTS; b++) {
		const bool owner = at->team == b % TEAMS;

		if (owner && at->row / PART == b)
			UNROLL
			for (int k = 0; k < PART; k += 4)
				s->corner[((at->base + at->row % PART) * PART +
				           k) / 4] = GET4(own, k);
		barrier(CLK_LOCAL_MEM_FENCE);
		if (owner) {
			const int found = factor_part(s, at, b, own);

			bad = bad ? bad : found;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		write_part(s, to, b);
#ifdef WEIGH
		if (at->row / PART == b)
			*weight = weigh_column(s, at);
#endif
		UNROLL
		for (int q = 0; q < OWN / PART; q++) {
			const int part = (b / TEAMS + q) * TEAMS + at->team;

			if (part > b && at->row >= part * PART)
				update_part(s, at, part * PART,
				            own + q * PART);
		}
		if (b % TEAMS == TEAMS - 1)
			UNROLL
			for (int k = 0; k < OWN - PART; k++)
				own[k] = own[k + PART];
	}
	return bad;
}

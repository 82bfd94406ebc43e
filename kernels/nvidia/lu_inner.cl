/* lu_inner.cl - what a panel means for the other columns of its block:
 * A22 -= L21 U12, as deep as a panel is wide, so that all of a tile's operands
 * have room in local memory and are asked for at once. float64 by matrix
 * instructions.
 *
 * Work-group (tile column, tile row, matrix) of ITEMS items. */
#include "lu_pivot.h"
#include "lu_tile.h"
#include "nvidia/ptx.h"

#define NB LU_NB
#define ITEMS LU_INNER_ITEMS
#define TALL LU_INNER_ROWS((int)sizeof(real))
#define WIDE LU_TILE
#define QUADS (NB / 4)			/* of a row of L, and of one of U */
#define ON (ITEMS / QUADS)		/* rows that are loaded at a time */
#define UNROLL _Pragma("unroll")

/* Rows longer than needed spread a column over the banks. */
struct operands {
	real l[TALL][NB + 4];
	real u[NB][WIDE + 4];
};

/* A tile of A22; those of its rows and columns that are there, of L21 and of
 * U12 beside it the first elements. */
struct tile {
	global real *a;
	global const real *l, *u;
	int rows, columns, n;
};

/* Of four elements of a row the first `count`; all of them, if whole. */
INLINE real4 quad_load(global const real *at, int count, bool whole)
{
	if (whole)
		return *(global const real4 *)at;
	return (real4)(count > 0 ? at[0] : 0, count > 1 ? at[1] : 0,
	               count > 2 ? at[2] : 0, count > 3 ? at[3] : 0);
}

INLINE void operands_load(local struct operands *s, const struct tile *t,
                          bool whole)
{
	const int q = get_local_id(0) % QUADS * 4, r = get_local_id(0) / QUADS;
	real4 l[TALL / ON], u[NB / ON];

	UNROLL
	for (int i = 0; i < TALL / ON; i++)
		l[i] = quad_load(t->l + (long)(r + i * ON) * t->n + q,
		                 r + i * ON < t->rows ? 4 : 0, whole);
	UNROLL
	for (int i = 0; i < NB / ON; i++)
		u[i] = quad_load(t->u + (long)(r + i * ON) * t->n + q,
		                 t->columns - q, whole);
	UNROLL
	for (int i = 0; i < TALL / ON; i++)
		*(local real4 *)&s->l[r + i * ON][q] = -l[i];
	UNROLL
	for (int i = 0; i < NB / ON; i++)
		*(local real4 *)&s->u[r + i * ON][q] = u[i];
}

#ifdef DTYPE_float64

/* A warp has HIGH x BROAD of a tile, an item of every 16 x 8 of it what
 * ptx_mma_f64() says. */
#define HIGH 16
#define BROAD 32
#define ACROSS (BROAD / 8)

INLINE void tile_lose(const struct tile *t, local struct operands *s,
                      bool whole)
{
	const int lane = get_local_id(0) % 32, warp = get_local_id(0) / 32;
	const int g = lane / 4, q = lane % 4;
	const int row = warp / (WIDE / BROAD) * HIGH + g;
	const int column = warp % (WIDE / BROAD) * BROAD;
	global double *a = t->a + (long)row * t->n + column + 2 * q;
	double x[ACROSS][4];

	UNROLL
	for (int e = 0; e < 2 * ACROSS; e++) {
		const int h = e % 2, c = e / 2 * 8;
		global const double *at = a + (long)(8 * h) * t->n + c;
		const int count = row + 8 * h < t->rows ?
		                  t->columns - column - c - 2 * q : 0;

		if (whole) {
			const double2 v = *(global const double2 *)at;

			x[e / 2][2 * h] = v.x;
			x[e / 2][2 * h + 1] = v.y;
		} else {
			x[e / 2][2 * h] = count > 0 ? at[0] : 0;
			x[e / 2][2 * h + 1] = count > 1 ? at[1] : 0;
		}
	}
	operands_load(s, t, whole);
	barrier(CLK_LOCAL_MEM_FENCE);
	_Pragma("unroll 2")
	for (int k = 0; k < NB; k += 8) {
		const double l[4] = {
			s->l[row][k + q], s->l[row + 8][k + q],
			s->l[row][k + q + 4], s->l[row + 8][k + q + 4]
		};

		UNROLL
		for (int c = 0; c < ACROSS; c++) {
			const double u[2] = {
				s->u[k + q][column + 8 * c + g],
				s->u[k + q + 4][column + 8 * c + g]
			};

			ptx_mma_f64(x[c], l, u);
		}
	}
	UNROLL
	for (int e = 0; e < 2 * ACROSS; e++) {
		const int h = e % 2, c = e / 2 * 8;
		global double *at = a + (long)(8 * h) * t->n + c;
		const int count = row + 8 * h < t->rows ?
		                  t->columns - column - c - 2 * q : 0;

		if (whole) {
			*(global double2 *)at = (double2)(x[e / 2][2 * h],
			                                  x[e / 2][2 * h + 1]);
			continue;
		}
		if (count > 0)
			at[0] = x[e / 2][2 * h];
		if (count > 1)
			at[1] = x[e / 2][2 * h + 1];
	}
}

#else

/* An item has every SIDE-th row, and four columns. */
#define SIDE (WIDE / 4)
#define EACH (TALL * SIDE / ITEMS)

INLINE void quad_store(global real *at, real4 x, int count, bool whole)
{
	if (whole) {
		*(global real4 *)at = x;
		return;
	}
	if (count > 0)
		at[0] = x.x;
	if (count > 1)
		at[1] = x.y;
	if (count > 2)
		at[2] = x.z;
	if (count > 3)
		at[3] = x.w;
}

INLINE void tile_lose(const struct tile *t, local struct operands *s,
                      bool whole)
{
	const int column = get_local_id(0) % SIDE * 4;
	const int row = get_local_id(0) / SIDE;
	global real *a = t->a + (long)row * t->n + column;
	real4 x[EACH];

	UNROLL
	for (int i = 0; i < EACH; i++)
		x[i] = quad_load(a + (long)(i * SIDE) * t->n,
		                 row + i * SIDE < t->rows ?
		                 t->columns - column : 0, whole);
	operands_load(s, t, whole);
	barrier(CLK_LOCAL_MEM_FENCE);
	_Pragma("unroll 2")
	for (int k = 0; k < NB; k += 4) {
		real4 u[4];

		UNROLL
		for (int e = 0; e < 4; e++)
			u[e] = *(local const real4 *)&s->u[k + e][column];
		UNROLL
		for (int i = 0; i < EACH; i++) {
			const real4 l = *(local const real4 *)
			    &s->l[row + i * SIDE][k];

			x[i] = fma(l.x, u[0], x[i]);
			x[i] = fma(l.y, u[1], x[i]);
			x[i] = fma(l.z, u[2], x[i]);
			x[i] = fma(l.w, u[3], x[i]);
		}
	}
	UNROLL
	for (int i = 0; i < EACH; i++)
		quad_store(a + (long)(i * SIDE) * t->n, x[i],
		           row + i * SIDE < t->rows ? t->columns - column : 0,
		           whole);
}

#endif

/* Of the panel at j in the columns before end. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void lu_inner_update(global real *restrict lu, int m, int n, int j,
                            int end)
{
	local struct operands s __attribute__((aligned(32)));
	const int row = j + NB + get_group_id(1) * TALL;
	const int column = j + NB + get_group_id(0) * WIDE;
	global real *a = lu + get_group_id(2) * (size_t)m * n;
	const struct tile t = {
		a + (size_t)row * n + column, a + (size_t)row * n + j,
		a + (size_t)j * n + column, m - row, end - column, n
	};

	PTX_ENTRY(".minnctapersm 2");
	if (t.rows >= TALL && t.columns >= WIDE && n % 4 == 0)
		tile_lose(&t, &s, true);
	else
		tile_lose(&t, &s, false);
}

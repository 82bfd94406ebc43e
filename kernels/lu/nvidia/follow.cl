/* follow.cl - applies a panel to the other columns of its block in one launch:
 * interchanges and U12 (lu/beside.h), and right of the panel the update A22 -=
 * L21 U12. That is only as deep as a panel is wide, so that all operands of a
 * tile fit local memory. float64 uses matrix instructions.
 *
 * Launch: work-group (strip of columns, or tile) of ITEMS items. The first
 * work-groups have strips of columns, and post when these are ready; the others
 * have tiles of A22, load their part of L21, and wait for the strips of their
 * columns. A tile waits only for work-groups of smaller numbers, which were
 * started before it and wait for nobody. */
#define BELOW_DIAGONAL
#include "lu/beside.h"
#include "lib/ptx.h"

#define TALL LU_FOLLOW_ROWS((int)sizeof(real))
#define WIDE LU_TILE
#define QUADS (NB / 4)			/* of a row of L, and of one of U */
#define ON (ITEMS / QUADS)		/* rows that are loaded at a time */
#define UNROLL _Pragma("unroll")

/* Padding of the rows spreads a column over the banks. */
struct operands {
	real l[TALL][NB + 4];
	real u[NB][WIDE + 4];
};

/* A tile of A22: its first element, and those of L21 and U12 beside it; how
 * many of its rows and columns are inside A; the word of the first of its
 * strips. */
struct tile {
	global real *a;
	global const real *l, *u;
	int rows, columns, n;
	global const uint *ready;
	uint step;			/* its value when the strip is ready */
};

/* Four elements of a row, of which the first `count` exist; all do if
 * `whole`. */
INLINE real4 quad_load(global const real *at, int count, bool whole)
{
	if (whole)
		return *(global const real4 *)at;
	return (real4)(count > 0 ? at[0] : 0, count > 1 ? at[1] : 0,
	               count > 2 ? at[2] : 0, count > 3 ? at[3] : 0);
}

INLINE void l_store(local struct operands *s, const struct tile *t, bool whole)
{
	const int q = get_local_id(0) % QUADS * 4, r = get_local_id(0) / QUADS;
	real4 l[TALL / ON];

	UNROLL
	for (int i = 0; i < TALL / ON; i++)
		l[i] = quad_load(t->l + (long)(r + i * ON) * t->n + q,
		                 r + i * ON < t->rows ? 4 : 0, whole);
	UNROLL
	for (int i = 0; i < TALL / ON; i++)
		*(local real4 *)&s->l[r + i * ON][q] = -l[i];
}

INLINE void u_load(real4 u[NB / ON], const struct tile *t, bool whole)
{
	const int q = get_local_id(0) % QUADS * 4, r = get_local_id(0) / QUADS;

	UNROLL
	for (int i = 0; i < NB / ON; i++)
		u[i] = quad_load(t->u + (long)(r + i * ON) * t->n + q,
		                 t->columns - q, whole);
}

INLINE void u_store(local struct operands *s, const real4 u[NB / ON])
{
	const int q = get_local_id(0) % QUADS * 4, r = get_local_id(0) / QUADS;

	UNROLL
	for (int i = 0; i < NB / ON; i++)
		*(local real4 *)&s->u[r + i * ON][q] = u[i];
}

/* Waits until all strips of the tile are ready; then their work-groups' rows
 * can be read. After LU_PATIENCE reads of a word the kernel ends with a fault
 * instead of hanging, because the strip will never be ready. */
INLINE void strips_wait(const struct tile *t)
{
	const int strip = get_local_id(0);

	if (strip * STRIP < min(t->columns, WIDE))
		for (int i = 0; ptx_read32(t->ready + strip) != t->step; i++)
			if (i == LU_PATIENCE)
				ptx_trap();
	ptx_fence();
	ptx_barrier();
}

#ifdef DTYPE_float64

/* A warp computes HIGH x BROAD of a tile; an item has of every 16 x 8 of it
 * what ptx_mma_f64() says. */
#define HIGH 16
#define BROAD 32
#define ACROSS (BROAD / 8)

INLINE void tile_update(const struct tile *t, local struct operands *s,
                      bool whole)
{
	const int lane = get_local_id(0) % 32, warp = get_local_id(0) / 32;
	const int g = lane / 4, q = lane % 4;
	const int row = warp / (WIDE / BROAD) * HIGH + g;
	const int column = warp % (WIDE / BROAD) * BROAD;
	global double *a = t->a + (long)row * t->n + column + 2 * q;
	double x[ACROSS][4];
	real4 b[NB / ON];

	l_store(s, t, whole);
	strips_wait(t);
	u_load(b, t, whole);
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
	u_store(s, b);
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

/* An item computes every SIDE-th row, four columns of it. */
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

INLINE void tile_update(const struct tile *t, local struct operands *s,
                      bool whole)
{
	const int column = get_local_id(0) % SIDE * 4;
	const int row = get_local_id(0) / SIDE;
	global real *a = t->a + (long)row * t->n + column;
	real4 x[EACH], b[NB / ON];

	l_store(s, t, whole);
	strips_wait(t);
	u_load(b, t, whole);
	UNROLL
	for (int i = 0; i < EACH; i++)
		x[i] = quad_load(a + (long)(i * SIDE) * t->n,
		                 row + i * SIDE < t->rows ?
		                 t->columns - column : 0, whole);
	u_store(s, b);
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

/* Applies the panel to a strip of columns. c is its first column, counted
 * without those of the panel. */
INLINE void strip_apply(global real *a, int m, int n, int j, int c, int end,
                         local struct shared *s, global uint *ready)
{
	const bool right = c >= j;

	strip_apply_panel(a, m, n, j, right ? c + NB : c, end, s);
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	if (right && get_local_id(0) == 0) {
		ptx_fence();
		ptx_write32(ready + (c + NB) / STRIP, j / NB + 1);
	}
}

/* Applies the panel at j to the columns begin to end, which include its own NB
 * and others right of it. Its moves are kept for block.cl, unless kept is NULL.
 * ready has a word a strip; only this step sets it to j / NB + 1. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void lu_follow(global real *a, int m, int n, int j, int begin,
                      int end, global const int *restrict moves,
                      global int *restrict kept, global uint *ready)
{
	local union {
		struct shared strip;
		struct operands tile;
	} s __attribute__((aligned(32)));
	const int strips = (end - begin - NB + STRIP - 1) / STRIP;
	const int across = (end - j - NB + WIDE - 1) / WIDE;
	const int id = (int)get_group_id(0) - strips;
	const int row = j + NB + id / across * TALL;
	const int column = j + NB + id % across * WIDE;

	PTX_ENTRY(".minnctapersm 2");
	if (id < 0) {
		moves_load(s.strip.to, moves);
		if (kept && get_group_id(0) == 0)
			moves_keep(kept, 0, m, n, j, &s.strip);
		strip_apply(a, m, n, j, begin + (id + strips) * STRIP, end,
		             &s.strip, ready);
		return;
	}
	const struct tile t = {
		a + (size_t)row * n + column, a + (size_t)row * n + j,
		a + (size_t)j * n + column, m - row, end - column, n,
		ready + column / STRIP, j / NB + 1
	};

	if (t.rows >= TALL && t.columns >= WIDE && n % 4 == 0)
		tile_update(&t, &s.tile, true);
	else
		tile_update(&t, &s.tile, false);
}

/* lu_update.cl - A22 -= L21 U12 in float64 by NVIDIA's matrix instructions.
 * Work-group (tile column, tile row, matrix) of ITEMS items.
 *
 * A warp has WIDE x NARROW of a TILE x TILE tile, in blocks of 16 x 8: of
 * row g and column q of lane 4 g + q, an operand's element e is L[g + 8 (e %
 * 2), q + 4 (e / 2)] or U[q + 4 e, g], a sum's is [g + 8 (e / 2), 2 q + e % 2].
 */
#include "lu_pivot.h"
#include "lu_tile.h"

#define TILE LU_MMA_TILE
#define ITEMS LU_MMA_ITEMS
#define SLAB 8			/* products at a time */
#define WIDE 64
#define NARROW 32
#define BLOCKS 4		/* of a warp, both ways */
#define EACH (TILE * SLAB / ITEMS)	/* elements of a slab an item loads */

/* Rows longer than needed spread a slab over the banks. */
struct slab {
	real l[TILE][SLAB + 2];
	real u[SLAB][TILE + 4];
};

/* Where a tile lies, and where it ends. */
struct tile {
	global real *a;			/* of its matrix */
	int m, n, j, row, column;
};

#ifdef DTYPE_float64
INLINE void multiply_add(double d[4], const double a[4], const double b[2])
{
	__asm__ volatile(
	    "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
	    "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
	    : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
	    : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]),
	      "d"(b[1]));
}

/* The warp's elements gain a slab's products. */
INLINE void multiply(double sum[BLOCKS][BLOCKS][4], local const struct slab *s,
                     int row, int column, int g, int q)
{
	double b[BLOCKS][2];

	_Pragma("unroll")
	for (int j = 0; j < BLOCKS; j++)
		_Pragma("unroll")
		for (int e = 0; e < 2; e++)
			b[j][e] = s->u[q + 4 * e][column + 8 * j + g];
	_Pragma("unroll")
	for (int i = 0; i < BLOCKS; i++) {
		double a[4];

		_Pragma("unroll")
		for (int e = 0; e < 4; e++)
			a[e] = s->l[row + 16 * i + g + e % 2 * 8]
			           [q + e / 2 * 4];
		_Pragma("unroll")
		for (int j = 0; j < BLOCKS; j++)
			multiply_add(sum[i][j], a, b[j]);
	}
}

/* The item's elements of a slab of L and U, products k and on; zeros beyond
 * the edges. */
INLINE void slab_load(const struct tile *t, int k, real *l, real *u)
{
	const int id = get_local_id(0);
	const int row = t->row + id / SLAB, column = t->column + id % TILE;
	global const real *below = t->a + (size_t)row * t->n + t->j + k +
	                           id % SLAB;
	global const real *right = t->a + (size_t)(t->j + k + id / TILE) *
	                           t->n + column;

	_Pragma("unroll")
	for (int i = 0; i < EACH; i++) {
		l[i] = row + i * (ITEMS / SLAB) < t->m ?
		       below[(size_t)(i * (ITEMS / SLAB)) * t->n] : 0;
		u[i] = column < t->n ?
		       right[(size_t)(i * (ITEMS / TILE)) * t->n] : 0;
	}
}

/* With L's sign changed: then products are added. */
INLINE void slab_store(local struct slab *s, const real *l, const real *u)
{
	const int id = get_local_id(0);

	_Pragma("unroll")
	for (int i = 0; i < EACH; i++) {
		const int e = id + i * ITEMS;

		s->l[e / SLAB][e % SLAB] = -l[i];
		s->u[e / TILE][e % TILE] = u[i];
	}
}

/* An item's elements of A22, the first at row and column; zeros beyond the
 * edges. */
INLINE void tile_load(const struct tile *t, real x[BLOCKS][BLOCKS][4],
                      int row, int column)
{
	_Pragma("unroll")
	for (int i = 0; i < BLOCKS * 2; i++) {
		const int r = row + 8 * i;
		global const real *a = t->a + (size_t)r * t->n + column;

		_Pragma("unroll")
		for (int j = 0; j < BLOCKS * 2; j++) {
			const int c = 8 * (j / 2) + j % 2;

			x[i / 2][j / 2][i % 2 * 2 + j % 2] =
			    r < t->m && column + c < t->n ? a[c] : 0;
		}
	}
}

INLINE void tile_store(const struct tile *t,
                       const real x[BLOCKS][BLOCKS][4], int row, int column)
{
	_Pragma("unroll")
	for (int i = 0; i < BLOCKS * 2; i++) {
		const int r = row + 8 * i;
		global real *a = t->a + (size_t)r * t->n + column;

		_Pragma("unroll")
		for (int j = 0; j < BLOCKS * 2; j++) {
			const int c = 8 * (j / 2) + j % 2;

			if (r < t->m && column + c < t->n)
				a[c] = x[i / 2][j / 2][i % 2 * 2 + j % 2];
		}
	}
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void lu_update_f64(global real *restrict lu, int m, int n, int j,
                          int depth)
{
	local struct slab s[2] __attribute__((aligned(16)));
	const int id = get_local_id(0), warp = id / 32;
	const int down = (m - j - depth + TILE - 1) / TILE;
	const int across = (n - j - depth + TILE - 1) / TILE;
	const int g = id % 32 / 4, q = id % 4;
	const struct tile t = {
		lu + get_group_id(0) / (down * across) * (size_t)m * n, m, n, j,
		j + depth + (int)get_group_id(0) % down * TILE,
		j + depth + (int)get_group_id(0) / down % across * TILE
	};
	const int row = warp / 4 * WIDE, column = warp % 4 * NARROW;
	const int first = t.row + row + g, left = t.column + column + 2 * q;
	real x[BLOCKS][BLOCKS][4], l[EACH], u[EACH];

	slab_load(&t, 0, l, u);
	tile_load(&t, x, first, left);
	for (int k = 0; k < depth; k += SLAB) {
		local struct slab *now = &s[k / SLAB % 2];

		slab_store(now, l, u);
		barrier(CLK_LOCAL_MEM_FENCE);
		if (k + SLAB < depth)
			slab_load(&t, k + SLAB, l, u);
		multiply(x, now, row, column, g, q);
	}
	tile_store(&t, x, first, left);
}
#endif

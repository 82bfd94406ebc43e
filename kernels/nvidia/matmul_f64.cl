/* matmul_f64.cl - C = A B in float64 on the tensor cores, for a stack of
 * products; operands as in matmul.cl.
 *
 * A work-group has a tile of ROWS x COLS, a warp WARP_M x WARP_N of it. One
 * warpgroup more copies SLAB of k at a time to local memory in the
 * background, STAGES slabs ahead, zeros beyond the edges: pairs of elements
 * where they lie side by side and aligned, else one by one, so that any steps
 * between them will do. What is side by side in memory is so there, but quads
 * of elements are exchanged so that half a warp always reads from sixteen
 * different banks. */
#include "real.h"
#include "matmul_tensor.h"
#include "nvidia/ptx.h"

#if defined(DTYPE_float64)

#define ROWS TENSOR_ROWS
#define COLS TENSOR_F64_COLS
#define ITEMS TENSOR_F64_ITEMS
#define WARP_M 64
#define WARP_N 32
#define MULTIPLIERS (32 * (ROWS / WARP_M) * (COLS / WARP_N))
#define LOADERS (ITEMS - MULTIPLIERS)
#define SLAB 8
#define STAGES 3
#define PART_A (ROWS * SLAB)
#define STAGE ((ROWS + COLS) * SLAB)
#define DOWN (WARP_M / 16)
#define ACROSS (WARP_N / 8)
#define BAND 8			/* rows of tiles that are done together */

/* Registers of an item when copying, multiplying: all of a compute unit's
 * (504 of 512, by three warpgroups), but no more, or it waits for ever. */
#define REGISTERS_LOADING 72
#define REGISTERS_MULTIPLYING 216

/* Barriers, by stage. */
#define FULL(t) (1 + (t) % STAGES)
#define EMPTY(t) (1 + STAGES + (t) % STAGES)

/* Lines are rows of A, columns of B. */
struct factor {
	const global double *x;		/* the tile's first element */
	long line_step, k_step;
	int last, depth;		/* lines end with `last`, k at depth */
	bool pairs;
};

/* Of an element in its part of a slab; `along`: k lies side by side. */
INLINE int place(int line, int k, int lines, bool along)
{
	return along ? line * SLAB + (k ^ (line & 2) << 1) :
	    k * lines + (line ^ (k & 3) << 2);
}

/* Slab t in units of so many elements, of which none or, unless `whole`, some
 * are beyond an edge. */
INLINE void copy_units(uint to, const struct factor *f, int t, bool along,
                       int unit, bool whole)
{
	const int item = get_local_id(0) - MULTIPLIERS, lines = ROWS;
	const int row = (along ? SLAB : lines) / unit;	/* units side by side */
	const int line = along ? item / row : item % row * unit;
	const int k = along ? item % row * unit : item / row;
	const int lines_on = along ? LOADERS / row : 0;
	const int k_on = along ? 0 : LOADERS / row;
	const long on = lines_on * f->line_step + k_on * f->k_step;
	const global double *x = f->x + line * f->line_step +
	    (t * SLAB + k) * f->k_step;

	#pragma unroll
	for (int i = 0; i < lines * SLAB / unit / LOADERS; i++, x += on) {
		const int l = line + i * lines_on, p = k + i * k_on;
		const uint at = to + 8 * place(l, p, lines, along);

		if (unit == 2)
			ptx_copy16(at, x, true);
		else
			ptx_copy8(at, x, whole || (l <= f->last &&
			          t * SLAB + p < f->depth));
	}
}

INLINE void copy(uint to, const struct factor *f, int t)
{
	const bool whole = f->last >= ROWS - 1 && (t + 1) * SLAB <= f->depth;

	if (f->k_step == 1) {
		if (whole && f->pairs)
			copy_units(to, f, t, true, 2, true);
		else
			copy_units(to, f, t, true, 1, false);
	} else {
		if (whole && f->pairs)
			copy_units(to, f, t, false, 2, true);
		else
			copy_units(to, f, t, false, 1, false);
	}
}

/* Slab t - STAGES + 1 is told to be full before slab t begins to be copied
 * over the one that has been multiplied meanwhile. */
INLINE void load(const local double *slab, const struct factor *a,
                 const struct factor *b, int slabs)
{
	for (int t = 0; t < slabs + STAGES - 1; t++) {
		const uint to = ptx_local(slab + t % STAGES * STAGE);

		if (t >= STAGES - 1) {
			ptx_copies_wait(STAGES - 2);
			ptx_arrive(FULL(t - STAGES + 1), ITEMS);
		}
		if (t >= STAGES && t < slabs)
			ptx_meet(EMPTY(t), ITEMS);
		if (t < slabs) {
			copy(to, a, t);
			copy(to + 8 * PART_A, b, t);
		}
		ptx_copies_commit();
	}
}

/* A warp's part of four of k, in its items' registers. */
struct fragments {
	double a[DOWN][2], b[ACROSS];
};

/* Where an item's first elements are, and how the slabs lie. */
struct position {
	int row, col;
	bool along_a, along_b;
};

INLINE void fetch(struct fragments *f, const local double *slab, int k,
                  const struct position *at)
{
	const int p = k + get_local_id(0) % 4;

	#pragma unroll
	for (int i = 0; i < 2 * DOWN; i++)
		f->a[i / 2][i % 2] = slab[place(at->row + 8 * i, p, ROWS,
		                                at->along_a)];
	#pragma unroll
	for (int j = 0; j < ACROSS; j++)
		f->b[j] = slab[PART_A + place(at->col + 8 * j, p, COLS,
		                              at->along_b)];
}

/* sum += A B */
INLINE void multiply(double sum[DOWN][ACROSS][4], const struct fragments *f)
{
	#pragma unroll
	for (int i = 0; i < DOWN; i++)
		#pragma unroll
		for (int j = 0; j < ACROSS; j++)
			ptx_mma_f64(sum[i][j], f->a[i], f->b[j]);
}

/* While one step is multiplied, the next one's fragments are fetched. */
INLINE void multiply_all(double sum[DOWN][ACROSS][4],
                         const local double *slab, int slabs,
                         const struct position *at)
{
	struct fragments even, odd;

	ptx_meet(FULL(0), ITEMS);
	fetch(&even, slab, 0, at);
	for (int t = 0; t < slabs; t++) {
		fetch(&odd, slab + t % STAGES * STAGE, 4, at);
		multiply(sum, &even);
		if (t + STAGES < slabs)
			ptx_arrive(EMPTY(t), ITEMS);
		if (t + 1 < slabs)
			ptx_meet(FULL(t + 1), ITEMS);
		fetch(&even, slab + (t + 1) % STAGES * STAGE, 0, at);
		multiply(sum, &odd);
	}
}

/* The slabs lie as the factors do. */
INLINE void multiply_any(double sum[DOWN][ACROSS][4],
                         const local double *slab, int slabs, int row, int col,
                         bool along_a, bool along_b)
{
	const struct position kk = { row, col, true, true };
	const struct position kn = { row, col, true, false };
	const struct position mk = { row, col, false, true };
	const struct position mn = { row, col, false, false };

	if (along_a && along_b)
		multiply_all(sum, slab, slabs, &kk);
	else if (along_a)
		multiply_all(sum, slab, slabs, &kn);
	else if (along_b)
		multiply_all(sum, slab, slabs, &mk);
	else
		multiply_all(sum, slab, slabs, &mn);
}

/* c: the tile's first element. */
INLINE void store(global double *c, double sum[DOWN][ACROSS][4], int row,
                  int col, int last_row, int last_col, int n)
{
	#pragma unroll
	for (int i = 0; i < DOWN; i++)
		#pragma unroll
		for (int j = 0; j < ACROSS; j++)
			#pragma unroll
			for (int e = 0; e < 4; e++) {
				const int y = row + 16 * i + e / 2 * 8;
				const int x = col + 8 * j + e % 2;

				if (y <= last_row && x <= last_col)
					c[(long)y * n + x] = sum[i][j][e];
			}
}

INLINE struct factor factor_of(const global double *x, long line_step,
                               long k_step, int last, int depth)
{
	const struct factor f = {
		x, line_step, k_step, last, depth,
		k_step == 1 ? line_step % 2 == 0 :
		    line_step == 1 && k_step % 2 == 0,
	};
	return f;
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void matmul_tensor_f64(
	const global double *restrict a, const global double *restrict b,
	global double *restrict c, const global int2 *restrict places,
	int stack, int m, int n, int k, long a_row, long a_col, long b_row,
	long b_col, int depth)
{
	local double slab[STAGES * STAGE] __attribute__((aligned(128)));
	const int item = get_local_id(0), q = item % 4, g = item / 4 % 8;
	const int warp = item / 32;
	const int across = (n + COLS - 1) / COLS;
	const int down = (m + ROWS - 1) / ROWS;
	const int id = get_group_id(0) % (across * down);
	const size_t product = get_group_id(0) / (across * down);
	const int band = id / (BAND * across), in = id % (BAND * across);
	const int height = min(BAND, down - band * BAND);
	const int i0 = (band * BAND + in % height) * ROWS;
	const int j0 = in / height * COLS;
	const int2 from = stack > 1 ? places[product % stack] : (int2)(0, 0);
	const int p0 = product / stack * depth, p = min(depth, k - p0);
	const int slabs = (p + SLAB - 1) / SLAB;

	PTX_ENTRY(".minnctapersm 1");
	if (item >= MULTIPLIERS) {
		const struct factor x = factor_of(a + (size_t)from.x * m * k +
		    i0 * a_row + p0 * a_col, a_row, a_col, m - 1 - i0, p);
		const struct factor y = factor_of(b + (size_t)from.y * k * n +
		    j0 * b_col + p0 * b_row, b_col, b_row, n - 1 - j0, p);

		ptx_registers_fewer(REGISTERS_LOADING);
		load(slab, &x, &y, slabs);
	} else {
		const int row = warp / (COLS / WARP_N) * WARP_M + g;
		const int col = warp % (COLS / WARP_N) * WARP_N;
		double sum[DOWN][ACROSS][4] = { { { 0 } } };

		ptx_registers_more(REGISTERS_MULTIPLYING);
		multiply_any(sum, slab, slabs, row, col + g, a_col == 1,
		             b_row == 1);
		store(c + product * m * n + (long)i0 * n + j0, sum, row,
		      col + 2 * q, m - 1 - i0, n - 1 - j0, n);
	}
}

#endif

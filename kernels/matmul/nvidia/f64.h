/* f64.h - C = A B or C -= A B in float64 on the tensor cores, for a stack of
 * products; operands as in matmul.cl. One file for each size of tile includes
 * this one and defines ROWS x COLS, the tile of a work-group; WARP_M x WARP_N,
 * the part of a warp; STAGES, the slabs in local memory; SLAB, the k of a slab;
 * and the numbers of registers. An additional warpgroup copies slabs to local
 * memory while the others multiply. */
#include "lib/real.h"
#include "lib/ptx.h"
#include "shared/matmul_tensor.h"
#include "matmul/nvidia/f64_share.h"
#include "matmul/nvidia/f64_load.h"

#if defined(DTYPE_float64)

#define STEP 8			/* k of one instruction */
#define DOWN (WARP_M / 8)
#define UPPER (DOWN / 2)
#define ACROSS (WARP_N / 16)

/* A warp's operands of a step, in its items' registers. Item 4 g + q has k = q
 * and q + 4 of row g of every 8 rows of A, and of columns 2 g and 2 g + 1 of
 * every 16 columns of B. The instruction takes columns of C for its rows, so
 * that two neighbouring elements of a row of C are contiguous both in memory
 * and in registers. */
struct fragments {
	double a[DOWN][2], b[ACROSS][4];
};

/* The places of an item's first elements in a slab, and the order of the slabs.
 * All other elements are at a fixed distance from one of these: in every other
 * step of k if k is contiguous, and in every other 8 rows of A if rows are
 * contiguous. */
struct position {
	int a[4], b[4];
	bool along_a, along_b;
};

INLINE struct position position_of(int row, int col, int q, bool along_a,
                                   bool along_b)
{
	struct position at = { .along_a = along_a, .along_b = along_b };

	#pragma unroll
	for (int e = 0; e < 4; e++) {
		at.a[e] = along_a ? place(row, q + 4 * e, ROWS, true, false) :
		    place(row + 8 * (e % 2), q, ROWS, false, false);
		at.b[e] = PART_A + place(col, along_b ? q + 4 * e : q, COLS,
		                         along_b, true);
	}
	return at;
}

INLINE void fetch_a(struct fragments *f, const local double *slab,
                    const struct position *at, int step, int from, int to)
{
	#pragma unroll
	for (int i = from; i < to; i++)
		#pragma unroll
		for (int h = 0; h < 2; h++)
			f->a[i][h] = slab[at->along_a ?
			    at->a[step % 2 * 2 + h] + step / 2 * 2 * STEP +
			    8 * i * SLAB :
			    at->a[i % 2] + (step * STEP + 4 * h) * ROWS +
			    i / 2 * 16];
}

INLINE void fetch_b(struct fragments *f, const local double *slab,
                    const struct position *at, int step)
{
	#pragma unroll
	for (int j = 0; j < ACROSS; j++)
		#pragma unroll
		for (int h = 0; h < 2; h++)
			if (at->along_b) {
				const local double *x = slab +
				    at->b[step % 2 * 2 + h] +
				    step / 2 * 2 * STEP + 16 * j * SLAB;

				f->b[j][2 * h] = x[0];
				f->b[j][2 * h + 1] = x[SLAB];
			} else {
				const double2 x = *(const local double2 *)
				    (slab + at->b[0] +
				     (step * STEP + 4 * h) * COLS + 16 * j);

				f->b[j][2 * h] = x.x;
				f->b[j][2 * h + 1] = x.y;
			}
}

/* sum += A B, for some of the warp's rows. */
INLINE void multiply(double sum[DOWN][ACROSS][4], const struct fragments *f,
                     int from, int to)
{
	#pragma unroll
	for (int i = from; i < to; i++)
		#pragma unroll
		for (int j = 0; j < ACROSS; j++)
			ptx_mma_f64(sum[i][j], f->b[j], f->a[i]);
}

/* Multiplies the lower half of the step `now`, then the upper half of the step
 * `next`, so that the fragments of `next` are loaded while `now` is
 * multiplied. */
INLINE void multiply_step(double sum[DOWN][ACROSS][4],
                          const struct fragments *now, struct fragments *next,
                          const local double *slab, int step,
                          const struct position *at)
{
	fetch_b(next, slab, at, step);
	fetch_a(next, slab, at, step, 0, UPPER);
	multiply(sum, now, UPPER, DOWN);
	fetch_a(next, slab, at, step, UPPER, DOWN);
	multiply(sum, next, 0, UPPER);
}

/* sum = A B of a tile. In its first step multiply_step() multiplies zeros,
 * because there is no earlier step whose lower half remains. */
INLINE void multiply_tile(double sum[DOWN][ACROSS][4], const struct stages *x,
                          struct turn *now, int slabs,
                          const struct position *at)
{
	struct fragments even, odd = { { { 0 } }, { { 0 } } };

	for (int t = 0; t < slabs; t++) {
		const local double *slab = x->slab + now->stage * STAGE;

		ptx_signal_wait(x->full + 8 * now->stage, now->round & 1);
		#pragma unroll
		for (int s = 0; s < SLAB / STEP; s += 2) {
			multiply_step(sum, &odd, &even, slab, s, at);
			multiply_step(sum, &even, &odd, slab, s + 1, at);
		}
		if (get_local_id(0) % 32 == 0)
			ptx_signal_arrive(x->empty + 8 * now->stage);
		*now = turn_after(*now);
	}
	multiply(sum, &odd, UPPER, DOWN);
}

/* Where a tile is stored: its first element, its last row and column. */
struct place {
	global double *c;
	int last_row, last_col, step;
	bool pairs;
};

INLINE struct place place_of(const struct product *x, const struct tile *t)
{
	const struct place p = {
		x->c + (t->product * x->m + t->i0) * x->c_row + t->j0,
		x->m - 1 - t->i0, x->n - 1 - t->j0, x->c_row,
		x->c_row % 2 == 0 && ((long)x->c & 15) == 0,
	};
	return p;
}

/* Sets sum to -C, in rows 2 q and 2 q + 1 of every 8 from `row` on and in
 * columns 2 g and 2 g + 1 of every 16 from `col` on. For a whole tile all
 * elements are loaded before the first one is used. */
INLINE void begin(double sum[DOWN][ACROSS][4], const struct place *p, int row,
                  int col)
{
	if (p->pairs && p->last_row >= ROWS - 1 && p->last_col >= COLS - 1) {
		#pragma unroll
		for (int e = 0; e < 2 * DOWN * ACROSS; e++) {
			const int i = e / 2 / ACROSS, j = e / 2 % ACROSS;
			const double2 v = *(const global double2 *)(p->c + col +
			    16 * j + (long)(row + 8 * i + e % 2) * p->step);

			sum[i][j][e % 2] = v.x;
			sum[i][j][2 + e % 2] = v.y;
		}
	} else {
		#pragma unroll
		for (int e = 0; e < 4 * DOWN * ACROSS; e++) {
			const int i = e / 4 / ACROSS, j = e / 4 % ACROSS;
			const int y = row + 8 * i + e % 2;
			const int x = col + 16 * j + e / 2 % 2;

			if (y <= p->last_row && x <= p->last_col)
				sum[i][j][e % 4] = p->c[(long)y * p->step + x];
		}
	}
	#pragma unroll
	for (int e = 0; e < 4 * DOWN * ACROSS; e++)
		sum[e / 4 / ACROSS][e / 4 % ACROSS][e % 4] *= -1;
}

INLINE void store(const double sum[DOWN][ACROSS][4], const struct place *p,
                  int row, int col, double sign)
{
	#pragma unroll
	for (int e = 0; e < 2 * DOWN * ACROSS; e++) {
		const int i = e / 2 / ACROSS, j = e / 2 % ACROSS, h = e % 2;
		const int y = row + 8 * i + h, x = col + 16 * j;
		const double2 v = { sum[i][j][h], sum[i][j][2 + h] };
		global double *to = p->c + (long)y * p->step + x;

		if (y > p->last_row || x > p->last_col)
			continue;
		if (p->pairs && x < p->last_col) {
			*(global double2 *)to = sign * v;
			continue;
		}
		to[0] = sign * v.x;
		if (x < p->last_col)
			to[1] = sign * v.y;
	}
}

/* Slabs are in the order of the operands: k is contiguous in A's if along_a, in
 * B's if along_b. A work-group that does not begin with a tile's first slab
 * stores its partial sums in `fix_up`, for another kernel to add. */
INLINE void multiply_all(const struct stages *at, const struct product *x,
                         global double *fix_up, bool along_a, bool along_b)
{
	const int item = get_local_id(0), q = item % 4, g = item / 4 % 8;
	const int row = item / 32 / (COLS / WARP_N) * WARP_M;
	const int col = item / 32 % (COLS / WARP_N) * WARP_N + 2 * g;
	const struct position first = position_of(row + g, col, q, along_a,
	                                          along_b);
	const struct place partial = {
		fix_up + (long)get_group_id(0) * ROWS * COLS, ROWS - 1,
		COLS - 1, COLS, true
	};
	struct turn now = { 0, 0 };

	for (struct share w = share_first(x); w.tile < tiles_of(x);
	     w = share_after(x, w)) {
		const struct tile t = tile_of(x, w.tile);
		const struct place to = w.from > 0 ? partial : place_of(x, &t);
		double sum[DOWN][ACROSS][4] = { { { 0 } } };

		if (!is_wanted(x, &t))
			continue;
		if (x->minus && w.from == 0)
			begin(sum, &to, ptx_opaque(row + 2 * q),
			      ptx_opaque(col));
		multiply_tile(sum, at, &now, w.to - w.from, &first);
		store(sum, &to, ptx_opaque(row + 2 * q), ptx_opaque(col),
		      x->minus ? -1 : 1);
	}
}

/* Any number of work-groups compute tiles `first` to `end` together. Element
 * (0, 0) of the operands and of C lies at a_at, b_at and c_at. If wide is not
 * 0, `again` tells which tiles are computed: none, unless its first word is
 * `when`. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void NAME(
	const global double *restrict a, const global double *restrict b,
	global double *restrict c, const global int2 *restrict places,
	int stack, int m, int n, int k, long a_row, long a_col, long b_row,
	long b_col, long a_at, long b_at, long c_at, int c_row, int depth,
	int minus, global double *restrict fix_up, int stream_k, int first,
	int end, const global uint *again, long again_at, int wide,
	int when)
{
	local double slab[STAGES * STAGE] __attribute__((aligned(128)));
	local ulong full[STAGES], empty[STAGES];
	const struct stages at = { slab, ptx_local(full), ptx_local(empty) };
	const struct product x = {
		a + a_at, b + b_at, c + c_at, places, stack, m, n, k, ROWS,
		COLS, SLAB, a_row, a_col, b_row, b_col, c_row, depth, stream_k,
		get_num_groups(0), first, end, minus != 0,
		again + again_at + 1, wide
	};
	const int item = get_local_id(0);

	PTX_ENTRY(ENTRY);
	if (wide > 0 && again[again_at] != when)
		return;
	if (item < STAGES) {
		ptx_signal_init(at.full + 8 * item, LOADERS);
		ptx_signal_init(at.empty + 8 * item, MULTIPLIERS / 32);
	}
	ptx_barrier();
	if (item >= MULTIPLIERS) {
#ifdef REGISTERS_LOADING
		ptx_registers_fewer(REGISTERS_LOADING);
#endif
		load(&at, &x);
		return;
	}
#ifdef REGISTERS_LOADING
	ptx_registers_more(REGISTERS_MULTIPLYING);
#endif
	if (a_col == 1 && b_row == 1)
		multiply_all(&at, &x, fix_up, true, true);
	else if (a_col == 1)
		multiply_all(&at, &x, fix_up, true, false);
	else if (b_row == 1)
		multiply_all(&at, &x, fix_up, false, true);
	else
		multiply_all(&at, &x, fix_up, false, false);
}

#endif

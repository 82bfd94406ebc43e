/* matmul_tf32_shallow.h - the same product for matmul_tf32.h where k, or a part
 * of it, is so short that all of a tile's slabs fit in local memory at once,
 * and the tiles are too few for packing to pay: a work-group packs its own. */

#define GROUP TENSOR_SHALLOW_ITEMS
#define AHEAD 4			/* slabs that are loaded together */
#define OF_LINE (AHEAD * BLOCKS)	/* fours of a line in them */

/* Place of an item's i-th four: the line, and which of the line. */
INLINE int2 place_of(int i, int lines, bool along)
{
	const int id = get_local_id(0) + i * GROUP;

	return along ? (int2)(id / OF_LINE, id % OF_LINE) :
	               (int2)(id % lines, id / lines);
}

/* AHEAD slabs of a tile's lines, from p on. */
INLINE void load(float4 *v, const struct side *f, int p, int lines)
{
	#pragma unroll
	for (int i = 0; i < lines * OF_LINE / GROUP; i++) {
		const int2 at = place_of(i, lines, f->along_k == 1);

		v[i] = quad_of(f, at.x, p + 4 * at.y);
	}
}

INLINE void keep(local float *slab, const float4 *v, int lines, bool along,
                 bool of_b)
{
	#pragma unroll
	for (int i = 0; i < lines * OF_LINE / GROUP; i++) {
		const int2 at = place_of(i, lines, along);
		local float *to = slab + at.y / BLOCKS * STAGE +
		    (of_b ? SLAB_A : 0) + (at.y % BLOCKS * lines + at.x) * 4;

		vstore4(of_b ? part_b(v[i], false) : part_a(v[i]), 0, to);
		if (of_b && TENSOR_PARTS == 2)
			vstore4(part_b(v[i], true), 0, to + PART_B);
	}
}

/* As multiply_plainly, of operands as they are. */
INLINE void multiply_sides(float sum[SUMS], const struct side *a,
                           const struct side *b, int i, int j)
{
	const global float *x0 = a->x + min(i, a->last) * a->line;
	const global float *x1 = a->x + min(i + 8, a->last) * a->line;

	#pragma unroll
	for (int e = 0; e < SUMS; e++)
		sum[e] = 0;
	for (int p = 0; p < a->k; p++) {
		const global float *y = b->x + p * b->along_k;
		const float u = x0[p * a->along_k], v = x1[p * a->along_k];

		#pragma unroll
		for (int e = 0; e < SUMS; e++)
			sum[e] = fma(e / 2 % 2 ? v : u, y[b->line *
			    min(j + e / 4 * 8 + e % 2, b->last)], sum[e]);
	}
}

/* A work-group a tile, tiles of the stack's products after each other, then
 * those of the next part of k, of `depth` <= STAGES slabs; operands as in
 * matmul.cl. */
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void TENSOR_SHALLOW(
	const global float *restrict a, const global float *restrict b,
	global float *restrict c, const global int2 *restrict place,
	int stack, int m, int n, int k, long a_row, long a_col, long b_row,
	long b_col, int depth)
{
	local float slab[STAGES * STAGE] __attribute__((aligned(128)));
	const int across = (n + COLS - 1) / COLS;
	const int down = (m + ROWS - 1) / ROWS;
	const int id = get_group_id(0) % (across * down);
	const size_t product = get_group_id(0) / (across * down);
	const int row = id / across * ROWS, col = id % across * COLS;
	const int2 from = stack > 1 ? place[product % stack] : (int2)(0, 0);
	const int p0 = product / stack * depth, p = min(depth, k - p0);
	const struct side x = {
		a + (size_t)from.x * m * k + row * a_row + p0 * a_col,
		a_row, a_col, m - 1 - row, p
	};
	const struct side y = {
		b + (size_t)from.y * k * n + col * b_col + p0 * b_row,
		b_col, b_row, n - 1 - col, p
	};
	const struct ring r = { slab, 0, 0 };
	const int slabs = (p + 2 * SLAB - 1) / (2 * SLAB) * 2;
	const int item = get_local_id(0);
	const int i = item / 32 * 16 + item / 4 % 8, j = item % 4 * 2;
	float sum[TENSOR_HALVES][SUMS] = { { 0 } };

	for (int t = 0; t < slabs; t += AHEAD) {
		float4 u[ROWS * OF_LINE / GROUP], v[COLS * OF_LINE / GROUP];

		load(u, &x, t * SLAB, ROWS);
		load(v, &y, t * SLAB, COLS);
		keep(slab + t * STAGE, u, ROWS, a_col == 1, false);
		keep(slab + t * STAGE, v, COLS, b_row == 1, true);
	}
	ptx_fence_local();
	ptx_barrier();
	consume(sum, &r, 0, slabs, false);
	#pragma unroll
	for (int h = 0; h < TENSOR_HALVES; h++) {
		if (any_bad(sum[h]))
			multiply_sides(sum[h], &x, &y, i, j + 128 * h);
		store(c + product * m * n + (long)row * n + col, sum[h], i,
		      j + 128 * h, x.last, y.last, n, false);
	}
}

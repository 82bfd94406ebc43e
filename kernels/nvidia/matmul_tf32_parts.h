/* matmul_tf32_parts.h - the way of A and B from memory to the tensor cores, for
 * matmul_tf32.h: loaded, split into their parts, B's in local memory, A's in
 * registers. */

struct factor {
	const global float *x;	/* first row (or column) and k of the tile */
	long line, along_k;	/* steps */
	int last, k;		/* lines of the tile end there; as does k */
	bool quads;		/* four along k are an aligned vector */
};

/* x in TF32, to the nearest. */
INLINE float tf32_of(float x)
{
	return as_float((as_uint(x) + 0x1000u) & 0xffffe000u);
}

/* x or a part of it; `bad` becomes NaN if it has none: TF32 ends at 2^-136,
 * so that lo would lack digits of elements that are not 2^22 times that. */
INLINE uint part_of(float x, int part, float *bad)
{
	const float hi = tf32_of(x);

	if (part > 0)
		return as_uint(x - hi);
	*bad = fma(hi, 0.0f, *bad);
	if (TENSOR_PARTS == 2 &&
	    2 * as_uint(x) - 1 < 2 * as_uint(0x1p-114f) - 1)
		*bad = NAN;
	return as_uint(hi);
}

INLINE const global float *line_of(const struct factor *f, int line)
{
	return f->x + min(line, f->last) * ptx_opaque(f->line);
}

/* Element p of a line and those after it, zeros beyond k. */
INLINE void load_four(float y[4], const struct factor *f,
                      const global float *x, int p)
{
	x += p * f->along_k;
	#pragma unroll
	for (int i = 0; i < 4; i++, x += f->along_k)
		y[i] = p + i < f->k ? *x : 0;
}

INLINE void load_quad(float y[4], const struct factor *f,
                      const global float *x, int p)
{
	const float4 v = p < f->k ? vload4(0, x + p) : (float4)(0);

	y[0] = v.x;
	y[1] = v.y;
	y[2] = v.z;
	y[3] = v.w;
}

/* The item's part of B's slab t: lines or, where four lie side by side,
 * quarters of more of them. Block j has k = j, j + 4, j + 8, j + 12. */
INLINE void load_b(float y[QUADS][4], const struct factor *b, int t,
                   bool quads)
{
	const int item = get_local_id(0) % WARPGROUP;

	if (quads) {
		#pragma unroll
		for (int i = 0; i < QUADS; i++)
			load_quad(y[i], b, line_of(b, (item + i * WARPGROUP) /
			          4), t * SLAB + item % 4 * 4);
		return;
	}
	#pragma unroll
	for (int h = 0; h < TENSOR_HALVES; h++) {
		const long step = ptx_opaque(b->along_k);
		const global float *x = line_of(b, item + h * WARPGROUP) +
		    t * SLAB * step;

		#pragma unroll
		for (int p = 0; p < SLAB; p++, x += step)
			y[p % 4 * TENSOR_HALVES + h][p / 4] =
			    t * SLAB + p < b->k ? *x : 0;
	}
}

INLINE void store_b(local uint *to, float y[QUADS][4], bool quads, float *bad)
{
	const int item = get_local_id(0) % WARPGROUP;

	#pragma unroll
	for (int i = 0; i < QUADS; i++)
		#pragma unroll
		for (int part = 0; part < TENSOR_PARTS; part++) {
			const int id = item + i * WARPGROUP;
			local uint *z = to + part * PART;
			uint x[4];

			#pragma unroll
			for (int e = 0; e < 4; e++)
				x[e] = part_of(y[i][e], part, bad);
			if (!quads) {
				vstore4((uint4)(x[0], x[1], x[2], x[3]), id,
				        z);
				continue;
			}
			#pragma unroll
			for (int e = 0; e < 4; e++)
				z[e * K_STEP + id] = x[e];
		}
}

/* Every second slab, from t on. The fence waits for loads too, so that none
 * are under way but those of the other warpgroup. */
INLINE void produce(local uint *slab, const struct factor *b, int t, int slabs,
                    float *bad, bool quads)
{
	float y[QUADS][4];

	load_b(y, b, t, quads);
	for (; t < slabs; t += 2) {
		if (t >= STAGES)
			ptx_meet(EMPTY(t), MEETING);
		store_b(slab + t % STAGES * STAGE, y, quads, bad);
		ptx_fence_local();
		ptx_arrive(FULL(t), MEETING);
		load_b(y, b, t + 2, quads);
	}
}

/* Rows g and g + 8 of A's slab. */
INLINE void load_a(float y[2][4], const struct factor *a, int t, bool quads)
{
	const int item = get_local_id(0), q = item % 4;
	const int row = item / 32 * 16 + item / 4 % 8;

	#pragma unroll
	for (int h = 0; h < 2; h++)
		if (quads)
			load_quad(y[h], a, line_of(a, row + 8 * h),
			          t * SLAB + 4 * q);
		else
			load_four(y[h], a, line_of(a, row + 8 * h),
			          t * SLAB + 4 * q);
}

/* The parts of A's slab, by k-steps of 8. */
struct parts {
	uint part[TENSOR_PARTS][2][4];
};

INLINE void split_a(struct parts *a, float y[2][4], float *bad)
{
	#pragma unroll
	for (int s = 0; s < 2; s++)
		#pragma unroll
		for (int i = 0; i < 4; i++)
			#pragma unroll
			for (int part = 0; part < TENSOR_PARTS; part++)
				a->part[part][s][i] = part_of(
				    y[i % 2][2 * s + i / 2], part, bad);
}

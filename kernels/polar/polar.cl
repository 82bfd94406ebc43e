/* polar.cl - the kernels of the polar decomposition (src/ops/polar/polar.h)
 * other than matrix products. Every matrix of the iteration has elements of
 * type `wide`; only A and the results are `real`. A kernel whose comment does
 * not give a launch has one work-item for each of `count` elements. */
#include "lib/real.h"
#include "lib/wide.h"
#include "shared/polar_state.h"

/* The upper 32 bits of |x|, which order numbers as their magnitudes do, with
 * infinity and NaN above all others. */
static int magnitude(real x)
{
#ifdef DTYPE_float64
	return (int)(as_ulong(fabs(x)) >> 32);
#else
	return as_int(fabs(x));
#endif
}

/* Returns the power of 2 that brings the largest element of A to about 1, given
 * the upper 32 bits of that element's magnitude. */
static wide unit_of(int largest)
{
	const int exponent = POLAR_EXPONENT(largest, sizeof(real));

#ifdef cl_khr_fp64
	return as_double((long)(1023 + exponent) << 52);
#else
	return as_float((127 + exponent) << 23);
#endif
}

/* Raises state[POLAR_LARGEST] to the magnitude of the largest of the `count`
 * elements from a[at] on. There may be any number of work-groups; `best` has an
 * element for each work-item of a group. */
kernel void polar_scan(global const real *restrict a, long at, long count,
                       volatile global int *state, local int *best)
{
	const int i = get_local_id(0), items = get_local_size(0);
	int most = 0;

	for (size_t e = get_global_id(0); e < count; e += get_global_size(0))
		most = max(most, magnitude(a[at + e]));
	best[i] = most;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int step = items / 2; step > 0; step /= 2) {
		if (i < step)
			best[i] = max(best[i], best[i + step]);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (i == 0)
		atomic_max(&state[POLAR_LARGEST], best[0]);
}

/* B = A or A^T, times the power of 2 of unit_of(). B has `cols` columns; its
 * element (i, j) comes from a[at + i down + j along]. */
kernel void polar_load(global const real *restrict a, long at, long down,
                       long along, int cols, long count,
                       global const int *restrict state,
                       global wide *restrict b)
{
	const size_t e = get_global_id(0);

	if (e < count)
		b[e] = a[at + e / cols * down + e % cols * along] *
		       unit_of(state[POLAR_LARGEST]);
}

/* G = the sum of `blocks` matrices of `count` elements. */
kernel void polar_sum(global const wide *restrict parts, long count,
                      int blocks, global wide *restrict g)
{
	const size_t e = get_global_id(0);
	wide sum = 0;

	for (int b = 0; b < blocks && e < count; b++)
		sum += parts[b * count + e];
	if (e < count)
		g[e] = sum;
}

/* Raises state[POLAR_SQUARE], the bits of a float, to the largest row sum of
 * magnitudes of the n x n matrix G, rounded up. There is a work-group for each
 * row; `sums` has an element for each work-item of a group. */
kernel void polar_row_sums(global const wide *restrict g, int n,
                           volatile global int *state, local wide *sums)
{
	const int i = get_local_id(0), items = get_local_size(0);
	wide sum = 0;

	g += get_group_id(0) * (size_t)n;
	for (int j = i; j < n; j += items)
		sum += fabs(g[j]);
	sums[i] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int step = items / 2; step > 0; step /= 2) {
		if (i < step)
			sums[i] += sums[i + step];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (i == 0)
		atomic_max(&state[POLAR_SQUARE],
		           as_int((float)sums[0] * (1 + 4 * FLT_EPSILON)));
}

/* A pseudorandom number in [-1, 1), the same for the same i: the finalizer of
 * MurmurHash3. */
static wide noise_at(uint i)
{
	i = (i ^ i >> 16) * 0x85ebca6bu;
	i = (i ^ i >> 13) * 0xc2b2ae35u;
	return (wide)(int)(i ^ i >> 16) / 2147483648.0f;
}

/* X = B / alpha + noise R, where alpha^2 is state[POLAR_SQUARE], and R is a
 * fixed pseudorandom matrix. */
kernel void polar_start(global const wide *restrict b, long count, wide noise,
                        global const int *restrict state,
                        global wide *restrict x)
{
	const size_t e = get_global_id(0);
	const wide square = as_float(state[POLAR_SQUARE]);

	if (e >= count)
		return;
	x[e] = square > 0 ? b[e] / sqrt(square) : 0;
	if (noise > 0)
		x[e] += noise * noise_at((uint)e + 1);
}

/* G = p I + q G for an n x n matrix */
kernel void polar_shift(global wide *restrict g, int n, long count, wide p,
                        wide q)
{
	const size_t e = get_global_id(0);

	if (e < count)
		g[e] = q * g[e] + (e % (n + 1) == 0 ? p : 0);
}

/* Sets state[POLAR_FAR] to 1 if an element of G - I is larger than `most` or
 * NaN. */
kernel void polar_check(global const wide *restrict g, int n, long count,
                        wide most, global int *restrict state)
{
	const size_t e = get_global_id(0);

	if (e < count && !(fabs(g[e] - (e % (n + 1) == 0)) <= most))
		state[POLAR_FAR] = 1;
}

/* H = (G + G^T) / 2 for the n x n matrix G. */
kernel void polar_symmetrize(global const wide *restrict g, int n, long count,
                             global real *restrict h)
{
	const size_t e = get_global_id(0);

	if (e < count)
		h[e] = (g[e] + g[e % n * n + e / n]) / 2;
}

/* Y = X in the type of A. */
kernel void polar_round(global const wide *restrict x, long count,
                        global real *restrict y)
{
	const size_t e = get_global_id(0);

	if (e < count)
		y[e] = x[e];
}

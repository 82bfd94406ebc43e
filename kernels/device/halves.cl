/* halves.cl - converts float16 and bfloat16 elements to float32, exactly, and
 * back, by rounding to nearest even. The kernels compute in integers, because a
 * device may flush subnormal numbers and need not have 16-bit floats. Launch:
 * any number N of items; each converts every N-th element. */

#define INFINITE 0x7f800000u		/* the bits of an infinite float32 */

/* float16 has 5 exponent bits, biased by 15, and 10 fraction bits. */
static inline uint wide_of_half(uint h)
{
	const uint sign = (h & 0x8000u) << 16, size = h & 0x7fffu;

	if (size >= 0x7c00u)
		return sign | INFINITE | size << 13;
	if (size >= 0x0400u)
		return sign | ((size << 13) + (112u << 23));
	return sign | as_uint((float)size * 0x1p-24f);
}

/* x / 2^n to nearest even; 1 <= n <= 31, x < 2^31. */
static inline uint rounded(uint x, uint n)
{
	return (x + ((1u << (n - 1)) - 1) + (x >> n & 1)) >> n;
}

static inline uint half_of(uint f)
{
	const uint sign = f >> 16 & 0x8000u, size = f & 0x7fffffffu;
	const uint exponent = size >> 23;

	if (size > INFINITE)			/* a NaN becomes a quiet one */
		return sign | 0x7e00u | (size >> 13 & 0x03ffu);
	if (exponent >= 113)
		return sign | min(rounded(size, 13) - (112u << 10), 0x7c00u);
	if (exponent < 102)			/* below half the least one */
		return sign;
	return sign | rounded((size & 0x7fffffu) | 0x800000u, 126 - exponent);
}

static inline uint bfloat_of(uint f)
{
	if ((f & 0x7fffffffu) > INFINITE)
		return f >> 16 | 0x0040u;
	return (f + 0x7fffu + (f >> 16 & 1)) >> 16;
}

#define EACH(i, n) \
	for (long i = get_global_id(0); i < (n); i += get_global_size(0))

kernel void widen_float16(global const ushort *restrict from,
                          global uint *restrict to, long n)
{
	EACH(i, n)
		to[i] = wide_of_half(from[i]);
}

kernel void widen_bfloat16(global const ushort *restrict from,
                           global uint *restrict to, long n)
{
	EACH(i, n)
		to[i] = (uint)from[i] << 16;
}

kernel void round_float16(global const uint *restrict from,
                          global ushort *restrict to, long n)
{
	EACH(i, n)
		to[i] = (ushort)half_of(from[i]);
}

kernel void round_bfloat16(global const uint *restrict from,
                           global ushort *restrict to, long n)
{
	EACH(i, n)
		to[i] = (ushort)bfloat_of(from[i]);
}

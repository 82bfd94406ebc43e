/* peak.cl - measures how fast a device reads and multiplies, the lower bound of
 * every kernel's time. */
#include "lib/real.h"

/* Item g sums `count` vectors, from vector count * g on. The sums are stored so
 * that the compiler cannot leave out the reads. */
kernel void peak_read(global const real *x, global real *sums, int count)
{
	size_t g = get_global_id(0);
	realv s = 0;

	x += g * count * VW;
	for (int i = 0; i < count; i++, x += VW) {
		FETCH_AHEAD(x + 64 * VW);
		s += VLOAD(x);
	}
	VSTORE(s, sums + g * VW);
}

/* Sums n pieces of 64 bytes: neighbouring items read neighbouring 16 bytes, and
 * each item issues eight reads before it waits for the first. */
#define AT_ONCE 8
kernel void peak_stream(global const int4 *x, global int *sums, long n)
{
	const long items = get_global_size(0);
	long at = get_global_id(0);
	int4 s = 0;

	n *= 64 / sizeof(int4);
	for (; at + (AT_ONCE - 1) * items < n; at += AT_ONCE * items) {
		int4 v[AT_ONCE];

#pragma unroll
		for (int i = 0; i < AT_ONCE; i++)
			v[i] = x[at + i * items];
#pragma unroll
		for (int i = 0; i < AT_ONCE; i++)
			s ^= v[i];
	}
	for (; at < n; at += items)
		s ^= x[at];
	sums[get_global_id(0)] = s.x ^ s.y ^ s.z ^ s.w;
}

#define EACH_CHAIN(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) \
	X(10) X(11)
#define CHAIN_BEGIN(i) realv c##i = VLOAD(sums) + i;
#define CHAIN_STEP(i) c##i = c##i * a + b;
#define CHAIN_ADD(i) s += c##i;

/* `rounds` multiply-adds in each of twelve chains of vectors. */
kernel void peak_multiply_add(global real *sums, int rounds, int seed)
{
	realv a = (realv)1 / (seed + 2), b = (realv)1 / (seed + 3), s = 0;

	EACH_CHAIN(CHAIN_BEGIN)
	for (int i = 0; i < rounds; i++) {
		EACH_CHAIN(CHAIN_STEP)
	}
	EACH_CHAIN(CHAIN_ADD)
	VSTORE(s, sums + (get_global_id(0) + 1) * VW);
}

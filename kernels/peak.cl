/* peak.cl - how fast a device reads and multiplies: the floor below which no
 * kernel gets. */
#include "real.h"

/* Item g sums the `count` vectors from g apart on, `step` apart; whole
 * vectors of x only. The sums are stored so that nothing is left out. */
kernel void peak_read(global const real *x, global real *sums, int count,
                      long apart, long step)
{
	size_t g = get_global_id(0);
	realv s = 0;

	x += g * apart * VW;
	for (int i = 0; i < count; i++, x += step * VW) {
		FETCH_AHEAD(x + 64 * VW);
		s += VLOAD(x);
	}
	VSTORE(s, sums + g * VW);
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

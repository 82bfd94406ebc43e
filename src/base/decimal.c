/* decimal.c - see decimal.h. */
#include <string.h>

#include "base/decimal.h"

static const uint64_t power5[DECIMAL_POWER + 1] = {
	1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625,
	48828125, 244140625, 1220703125, 6103515625, 30517578125,
	152587890625, 762939453125, 3814697265625, 19073486328125,
	95367431640625, 476837158203125, 2384185791015625, 11920928955078125,
	59604644775390625, 298023223876953125, 1490116119384765625,
	7450580596923828125,
};

/* Returns 2^e, which must be a normal double. */
static double power2(int e)
{
	const uint64_t bits = (uint64_t)(e + 1023) << 52;
	double x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

/* Returns q 2^e, rounded once, by the conversion to double. more: nonzero bits
 * were cut off below q, which then has 62 or 63 bits. They set its last bit,
 * which is far below the rounded ones and so only breaks ties (sticky bit). */
static double rounded(uint64_t q, int more, int e)
{
	return (double)(int64_t)(q | (uint64_t)more) * power2(e);
}

/* Computes m 5^e exactly in 128 bits and rounds from its first 63 bits. */
static double times(uint64_t m, int e)
{
	const wide_t product = (wide_t)m * power5[e];
	const uint64_t high = (uint64_t)(product >> 64);
	const int drop = high ? 65 - __builtin_clzll(high) :
	                 (int)(product >> 63);

	return rounded((uint64_t)(product >> drop),
	               (product & (((wide_t)1 << drop) - 1)) != 0, drop + e);
}

/* Divides m by 5^e. Both are shifted until bit 63 is set, so that the quotient
 * of 2^62 m by 5^e has 62 or 63 bits; the remainder sets the sticky bit. */
static double over(uint64_t m, int e)
{
	const int a = __builtin_clzll(m), b = __builtin_clzll(power5[e]);
	const uint64_t divisor = power5[e] << b;
	const wide_t n = (wide_t)(m << a) << 62;
	const uint64_t q = (uint64_t)(n / divisor);

	return rounded(q, (uint64_t)n != q * divisor, b - a - 62 - e);
}

double decimal_scale(uint64_t m, int e)
{
	return e < 0 ? over(m, -e) : times(m, e);
}

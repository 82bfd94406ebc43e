/* half.c - see half.h. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "matrix/half.h"

enum { DOUBLE_BITS = 52, DOUBLE_BIAS = 1023 };

static float float_of(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

/* The function has no branches, so that compilers vectorise the loops that call
 * it. A float32's bias is 112 more; the product with 2^112 also makes
 * subnormals normal. */
float half_value(uint16_t bits)
{
	const uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
	const uint32_t special = (bits & 0x7c00) == 0x7c00 ? 0x7f800000 : 0;
	const float x = float_of((uint32_t)(bits & 0x7fff) << 13) * 0x1p112f;
	uint32_t u;

	memcpy(&u, &x, sizeof u);
	return float_of(u | special | sign);
}

float bfloat_value(uint16_t bits)
{
	return float_of((uint32_t)bits << 16);
}

/* Rounds x to a type of 16 bits with `fraction` fraction bits. */
static inline uint16_t round_to(double x, int fraction)
{
	const int drop = DOUBLE_BITS - fraction;
	const int bias = (1 << (14 - fraction)) - 1;
	const uint64_t infinity = (uint64_t)(2 * bias + 1) << fraction;
	uint64_t u, sign, r;

	memcpy(&u, &x, sizeof u);
	sign = u >> 48 & 0x8000;
	u &= ~(uint64_t)0 >> 1;
	if (isnan(x))
		r = infinity | (u >> drop & ((1u << fraction) - 1)) |
		    1u << (fraction - 1);
	else if (fabs(x) < ldexp(1, 1 - bias))	/* below all normal numbers */
		r = (uint64_t)rint(fabs(x) * ldexp(1, bias - 1 + fraction));
	else
		r = ((u + (((uint64_t)1 << (drop - 1)) - 1) + (u >> drop & 1))
		     >> drop) - ((uint64_t)(DOUBLE_BIAS - bias) << fraction);
	return (uint16_t)(sign | (r < infinity || isnan(x) ? r : infinity));
}

uint16_t half_of(double x)
{
	return round_to(x, 10);
}

uint16_t bfloat_of(double x)
{
	return round_to(x, 7);
}

size_t half_print(char *to, enum dtype d, float x)
{
	return d == FLOAT16 ? number_print_short(to, x, 10, -14) :
	                      number_print_short(to, x, 7, -126);
}

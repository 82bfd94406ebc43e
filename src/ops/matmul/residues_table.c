/* residues_table.c - the constants of products by residues: the moduli, powers
 * of two modulo each of them, and the weights of the Chinese remainder
 * theorem. */
#include <math.h>
#include <string.h>

#include "ops/matmul/residues.h"

/* The largest numbers up to 256 of which no two have a common divisor. */
static const unsigned moduli[RESIDUES_MOST] = {
	256, 255, 253, 251, 247, 241, 239, 233, 229, 227, 223, 217, 211, 199,
	197, 193, 191, 181
};

/* For each modulus the table has POWERS powers of two, 2^0, 2^BITS, 2^(2 BITS),
 * ..., and -2^OFFSET, all modulo that modulus. */
enum { POWERS = 12, BITS = 8, OFFSET = 72 };

static unsigned power_of_two(unsigned e, unsigned p)
{
	unsigned x = 1 % p;

	while (e-- > 0)
		x = 2 * x % p;
	return x;
}

/* Returns x modulo p as the number nearest to 0. */
static int centred(unsigned x, unsigned p)
{
	return (int)x - (x > (p - 1) / 2 ? (int)p : 0);
}

static void about_modulus(uint32_t *to, unsigned p)
{
	to[0] = p;
	for (unsigned i = 0; i < POWERS; i++) {
		const int x = centred(power_of_two(BITS * i, p), p);

		to[1 + i / 4] |= (uint32_t)(x & 255) << i % 4 * BITS;
	}
	to[4] = (uint32_t)centred(p - power_of_two(OFFSET, p), p);
}

/* Returns q with q (P / p_l) = 1 modulo p_l, P the product of s moduli. */
static unsigned inverse(int s, int l)
{
	const unsigned p = moduli[l];
	unsigned rest = 1, q = 1;

	for (int i = 0; i < s; i++)
		if (i != l)
			rest = rest * moduli[i] % p;
	while (rest * q % p != 1)
		q++;
	return q;
}

/* Stores q / p as a fraction of three words, the lowest first, rounded. */
static void fraction(uint32_t *to, unsigned q, unsigned p)
{
	uint64_t rest = q;

	for (int i = 2; i >= 0; i--) {
		rest <<= 32;
		to[i] = (uint32_t)(rest / p);
		rest %= p;
	}
	if (2 * rest >= p && ++to[0] == 0 && ++to[1] == 0)
		to[2]++;
}

/* Returns P / 2^96 for s moduli; *low is added to it. */
static double product_of_moduli(int s, double *low)
{
	double high = 0x1p-96;

	*low = 0;
	for (int l = 0; l < s; l++) {
		const double p = moduli[l], x = high * p;

		*low = *low * p + fma(high, p, -x);
		high = x;
	}
	return high;
}

/* Returns the largest 2-norm of a scaled line: a little less than sqrt(P / 2),
 * from P / 2^96. */
static float top_of(double product)
{
	return (float)(sqrt(product / 2) * 0x1p48 * (1 - 0x1p-10));
}

/* A line's factor 2^alpha is the largest one with which its 2-norm, enlarged by
 * at most SLACK for rounding errors, is at most `top`. Hence 2^-alpha_i < 2
 * SLACK |a_i|_2 / top. With |b_j|_1 <= sqrt(k) |b_j|_2, this and its like for
 * columns give E <= 2 SLACK sqrt(k) |a_i|_2 |b_j|_2 / top. The product of the
 * two rounding errors, and the rounding of c, are added. */
double residues_fast_bound(size_t k)
{
	static const double SLACK = 1.01;
	double low, top;

	top = top_of(product_of_moduli(RESIDUES_LEAST, &low));
	return 2 * SLACK * sqrt((double)k) / top +
	       (double)k * (SLACK / top) * (SLACK / top) + 0x1p-52;
}

static void about_number(uint32_t *to, int s)
{
	double low;
	const double high = product_of_moduli(s, &low);
	const float top = top_of(high);

	memcpy(to, &top, sizeof top);
	memcpy(to + 2, &(double){ high + low }, sizeof high);
	memcpy(to + 4, &(double){ low - (high + low - high) }, sizeof low);
	for (int l = 0; l < s; l++)
		fraction(to + 6 + 3 * l, inverse(s, l), moduli[l]);
}

void residues_table(uint32_t table[RESIDUES_WORDS])
{
	memset(table, 0, RESIDUES_WORDS * sizeof *table);
	for (int l = 0; l < RESIDUES_MOST; l++)
		about_modulus(table + l * RESIDUES_OF_MODULUS, moduli[l]);
	for (int s = RESIDUES_LEAST; s <= RESIDUES_MOST; s++)
		about_number(table + RESIDUES_TABLE + (s - RESIDUES_LEAST) *
		             RESIDUES_OF_NUMBER, s);
}

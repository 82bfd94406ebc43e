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

static void about_number(uint32_t *to, int s)
{
	double high = 0x1p-96, low = 0;
	float top;

	for (int l = 0; l < s; l++) {
		const double p = moduli[l], x = high * p;

		low = low * p + fma(high, p, -x);
		high = x;
	}
	top = (float)(sqrt(high / 2) * 0x1p48 * (1 - 0x1p-10));
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

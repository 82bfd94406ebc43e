/* decimal_shortest.c - see decimal.h: by R. Giulietti, The Schubfach way to
 * render doubles, 2020.
 *
 * With k such that 10^k is at most as wide as the gap round v = c 2^q, at
 * least one multiple of 10^k lies in it, and at most one of 10^(k+1). What is
 * compared is 4 v 10^-k and the gap's two ends, as integers whose last bit is
 * set when something was cut off ("rounded to odd"); 128 bits of 10^-k are
 * enough for that.
 */
#include <stdbool.h>

#include "base/decimal.h"

enum {
	LEAST = -292, MOST = 324,	/* powers of 10 that doubles need */
	WORDS = 32, ONE = 16,		/* words of a big number, the lowest
					 * first; word ONE counts units */
};

/* The first 128 bits of 10^k, rounded up; set before main(). */
static wide_t power10[MOST - LEAST + 1];

/* floor(log2(10^k)), floor(log10(2^q)), floor(log10(3/4 2^q)) */
static int log2_of_10(int k)
{
	return k * 1741647 >> 19;
}

static int log10_of_2(int q, bool three_quarters)
{
	return (q * 1262611 - (three_quarters ? 524031 : 0)) >> 22;
}

static void times_5(uint64_t big[WORDS])
{
	wide_t carry = 0;

	for (int i = 0; i < WORDS; i++) {
		carry += (wide_t)big[i] * 5;
		big[i] = (uint64_t)carry;
		carry >>= 64;
	}
}

static void over_5(uint64_t big[WORDS])
{
	wide_t rest = 0;

	for (int i = WORDS - 1; i >= 0; i--) {
		rest = rest << 64 | big[i];
		big[i] = (uint64_t)(rest / 5);
		rest %= 5;
	}
}

/* Returns the first 128 significant bits, rounded up. */
static wide_t first_bits(const uint64_t big[WORDS])
{
	uint64_t others;
	int top = WORDS - 1, shift;
	wide_t x;

	while (!big[top])
		top--;
	shift = __builtin_clzll(big[top]);
	x = ((wide_t)big[top] << 64 | big[top - 1]) << shift;
	x |= (((wide_t)big[top - 2] << shift) >> 64);
	others = big[top - 2] << shift;
	for (int i = 0; i < top - 2; i++)
		others |= big[i];
	return x + (others != 0);
}

__attribute__((constructor)) static void fill_power10(void)
{
	uint64_t up[WORDS] = { [ONE] = 1 }, down[WORDS] = { [ONE] = 1 };

	for (int k = 0; k <= MOST; k++, times_5(up))
		power10[k - LEAST] = first_bits(up);
	for (int k = -1; k >= LEAST; k--) {
		over_5(down);
		power10[k - LEAST] = first_bits(down);
	}
}

/* Returns g x / 2^128, rounded to odd. g is above its true value by less than
 * 1, so a fraction whose first word is 1 may really be 0 and does not count as
 * cut off. short_product() does the same. */
static uint64_t product(wide_t g, uint64_t x)
{
	const wide_t low = (wide_t)(uint64_t)g * x;
	const wide_t sum = (wide_t)(uint64_t)(g >> 64) * x +
	                   (uint64_t)(low >> 64);

	return (uint64_t)(sum >> 64) | ((uint64_t)sum > 1);
}

/* Returns g x / 2^64, rounded to odd, for an x of 32 bits. */
static uint64_t short_product(uint64_t g, uint64_t x)
{
	const wide_t y = (wide_t)g * x;

	return (uint64_t)(y >> 64) | ((uint64_t)y >> 32 > 1);
}

/* Chooses the decimal. v is 4 c 2^q 10^-k; from and to are the ends, in the
 * same scale, of the interval that reads back as c 2^q. Without branches,
 * because they would depend on random digits and be mispredicted. */
static struct decimal choose(uint64_t from, uint64_t v, uint64_t to, int k)
{
	const uint64_t s = v / 4, t = s / 10;
	const uint64_t below = from <= 40 * t, above = 40 * t + 40 <= to;
	const uint64_t here = from <= 4 * s, next = 4 * s + 4 <= to;
	const uint64_t half = v + (s & 1) > 4 * s + 2;
	const uint64_t is_short = (t != 0) & (below ^ above);
	const uint64_t near = s + ((here ^ next) ? next : half);

	return (struct decimal){ near + (t + above - near) * is_short,
	                         k + (int)is_short };
}

/* The interval excludes its ends if c is odd, since ties round to even. */
struct decimal decimal_of_double(uint64_t c, int q, int low)
{
	const int k = log10_of_2(q, low), h = q + log2_of_10(-k) + 1;
	const wide_t g = power10[-k - LEAST];
	const uint64_t x = 4 * c, odd = c & 1;

	return choose(product(g, (x - 2 + (uint64_t)low) << h) + odd,
	              product(g, x << h), product(g, (x + 2) << h) - odd, k);
}

struct decimal decimal_of_float(uint32_t c, int q, int low)
{
	const int k = log10_of_2(q, low), h = q + log2_of_10(-k) + 1;
	const uint64_t g = (uint64_t)(power10[-k - LEAST] >> 64) + 1;
	const uint64_t x = 4 * (uint64_t)c, odd = c & 1;

	return choose(short_product(g, (x - 2 + (uint64_t)low) << h) + odd,
	              short_product(g, x << h),
	              short_product(g, (x + 2) << h) - odd, k);
}

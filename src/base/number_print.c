/* number_print.c - see number.h: lays out the shortest digits with point and
 * exponent. Like C++'s to_chars(), it uses an exponent only if the text becomes
 * shorter by it. */
#include <endian.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/decimal.h"
#include "base/number.h"

enum {
	DIGITS = 17, FEW = 9,		/* most of a double; of a float */
	DOUBLE_BITS = 52, DOUBLE_BIAS = 1075,
	FLOAT_BITS = 23, FLOAT_BIAS = 150,
};

static const uint64_t power[] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000,
	1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000,
	100000000000000, 1000000000000000, 10000000000000000,
	100000000000000000,
};

/* Returns 8 digits as text, the first digit in the lowest byte. It splits x
 * into halves, pairs and single digits; one multiplication divides all parts
 * at once. */
static inline uint64_t text_of_8(uint64_t x)
{
	uint64_t y = x / 10000;

	x = y | (x - 10000 * y) << 32;
	y = (x * 5243 >> 19) & 0x0000007f0000007f;
	x = y | (x - 100 * y) << 16;
	y = (x * 103 >> 10) & 0x000f000f000f000f;
	return y | (x - 10 * y) << 8 | 0x3030303030303030;
}

static void store(char *to, wide_t text)
{
	const uint64_t word[] = { htole64((uint64_t)text),
	                          htole64((uint64_t)(text >> 64)) };

	memcpy(to, word, sizeof word);
}

static int count_digits(uint64_t m)
{
	const int n = (64 - __builtin_clzll(m)) * 1233 >> 12;

	return n + (m >= power[n]);
}

static void strip_zeros(struct decimal *d)
{
	while (d->m % 10 == 0) {
		d->m /= 10;
		d->e++;
	}
}

/* e+05 */
static char *put_exponent(char *to, int e)
{
	const int x = e < 0 ? -e : e;

	*to++ = 'e';
	*to++ = e < 0 ? '-' : '+';
	if (x >= 100)
		*to++ = (char)('0' + x / 100);
	*to++ = (char)('0' + x / 10 % 10);
	*to++ = (char)('0' + x % 10);
	return to;
}

/* Writes the first of m's n digits, and returns the following ones as 16
 * characters, filled up with zeros. */
static wide_t text_of(uint64_t m, int n, char *first)
{
	const wide_t zeros = 0x3030303030303030;

	if (n <= FEW) {
		m *= power[FEW - n];
		*first = (char)('0' + m / power[8]);
		return zeros << 64 | text_of_8(m % power[8]);
	}
	m *= power[DIGITS - n];
	*first = (char)('0' + m / power[16]);
	m %= power[16];
	return (wide_t)text_of_8(m % power[8]) << 64 | text_of_8(m / power[8]);
}

/* 0.00123. Like the next two, it stores all 17 digits, and returns the end of
 * the n that count. */
static char *put_small(char *to, int e, int n, char first, wide_t rest)
{
	memcpy(to, "0.000", 5);
	to[1 - e] = first;
	store(to + 2 - e, rest);
	return to + 1 - e + n;
}

/* 123.45 or 12300 */
static char *put_plain(char *to, int e, int n, char first, wide_t rest)
{
	to[0] = first;
	store(to + 1, rest);
	memset(to + DIGITS, '0', 5);
	if (e + 1 >= n)
		return to + e + 1;
	to[e + 1] = '.';
	store(to + e + 2, rest >> 8 * e);
	return to + n + 1;
}

/* 1.2345e+67 */
static char *put_scientific(char *to, int e, int n, char first, wide_t rest)
{
	to[0] = first;
	to[1] = '.';
	store(to + 2, rest);
	return put_exponent(to + n + (n > 1), e);
}

/* Writes d, whose m has at most DIGITS digits, the last of them not 0, and
 * returns the end of the text; bytes after it are undefined. */
static char *put(char *to, struct decimal d)
{
	const int n = count_digits(d.m), e = d.e + n - 1;
	const int most = n + (n > 1) + 3;	/* of e when plain is shorter */
	char first;
	const wide_t rest = text_of(d.m, n, &first);

	if (e < 0 && e >= -3 - (n > 1))
		return put_small(to, e, n, first, rest);
	if (e >= 0 && e <= most)
		return put_plain(to, e, n, first, rest);
	return put_scientific(to, e, n, first, rest);
}

/* Many JSON parsers read "-0" as the integer 0, which loses the sign. */
static size_t zero(char *to, bool negative)
{
	memcpy(to, negative ? "-0.0" : "0   ", 4);
	return negative ? 4 : 1;
}

static bool is_whole(uint64_t c, int q)
{
	return q <= 0 && q >= -DOUBLE_BITS &&
	       !(c & ((UINT64_C(1) << -q) - 1));
}

static size_t print(char *to, bool negative, struct decimal d)
{
	const char *from = to;

	*to = '-';
	to += negative;
	strip_zeros(&d);
	return (size_t)(put(to, d) - from);
}

/* x is c 2^q; c contains the implicit bit `one` unless x is subnormal. low: x
 * is a power of 2, so that the next number below is nearer than the one
 * above. */
size_t number_print_double(char to[NUMBER_TEXT], double x)
{
	const uint64_t one = (uint64_t)1 << DOUBLE_BITS;
	uint64_t bits, c;
	int exponent, q, low;

	memcpy(&bits, &x, sizeof bits);
	if (x == 0)
		return zero(to, bits != 0);
	c = bits & (one - 1);
	exponent = (int)(bits >> DOUBLE_BITS & 0x7ff);
	low = c == 0 && exponent > 1;
	c |= exponent ? one : 0;
	q = (exponent ? exponent : 1) - DOUBLE_BIAS;
	return print(to, bits >> 63, is_whole(c, q) ?
	             (struct decimal){ c >> -q, 0 } :
	             decimal_of_double(c, q, low));
}

size_t number_print_float(char to[NUMBER_TEXT], float x)
{
	const uint32_t one = (uint32_t)1 << FLOAT_BITS;
	uint32_t bits, c;
	int exponent, q, low;

	memcpy(&bits, &x, sizeof bits);
	if (x == 0)
		return zero(to, bits != 0);
	c = bits & (one - 1);
	exponent = (int)(bits >> FLOAT_BITS & 0xff);
	low = c == 0 && exponent > 1;
	c |= exponent ? one : 0;
	q = (exponent ? exponent : 1) - FLOAT_BIAS;
	return print(to, bits >> 31, is_whole(c, q) ?
	             (struct decimal){ c >> -q, 0 } :
	             decimal_of_float(c, q, low));
}

size_t number_print_short(char to[NUMBER_TEXT], float x, int fraction_bits,
                          int least_exponent)
{
	const double one = ldexp(1, fraction_bits);
	int exponent, q, low;
	uint32_t c;

	if (x == 0)
		return zero(to, signbit(x));
	frexpf(x, &exponent);
	q = (exponent - 1 > least_exponent ? exponent - 1 : least_exponent) -
	    fraction_bits;
	c = (uint32_t)ldexp(fabs(x), -q);
	low = c == one && q + fraction_bits > least_exponent;
	return print(to, x < 0, is_whole(c, q) ?
	             (struct decimal){ c >> -q, 0 } :
	             decimal_of_float(c, q, low));
}

/* json_number.c - see json_number.h.
 *
 * One pass checks the grammar and gathers the digits, those after the point
 * sixteen at a time. The number m 10^e becomes a double in one of three ways,
 * all correctly rounded: by one multiplication or division if m and 10^|e| are
 * exact doubles (W. D. Clinger, How to Read Floating Point Numbers Accurately,
 * 1990); by decimal_scale() if m and 5^|e| are 64-bit integers; or by
 * number_parse().
 */
#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/decimal.h"
#include "base/number.h"
#include "format/json_number.h"

enum {
	MOST_DIGITS = 19,		/* of any 64-bit m */
	RUN = 16,			/* digits read at once */
	EXACT_POWER = 22,		/* 10^22 is a double */
	EXPONENT_MOST = 10000,
};

static const uint64_t exact_m = 1000000000000000;	/* below 2^53 */

/* The number m 10^exponent that was read, if it had not too many digits. */
struct scan {
	uint64_t m;
	long digits, exponent;
};

static uint64_t load(const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return le64toh(v);
}

/* Marks bytes that are no digits, after '0' was taken off each by XOR: bit i is
 * for byte i. Only the first bit that is set is reliable. (This and the next:
 * L. Lamport, Multiple Byte Processing with Full-Word Instructions, 1975.) */
static unsigned no_digits(uint64_t v)
{
	v = ((v + 0x7676767676767676) | v) & 0x8080808080808080;
	return (unsigned)((v >> 7) * 0x0102040810204080 >> 56);
}

/* The number whose 8 decimal digits the bytes are, the first digit lowest. */
static uint64_t value_of_8(uint64_t v)
{
	v = (v * 10 + (v >> 8)) & 0x00ff00ff00ff00ff;
	v = (v * 100 + (v >> 16)) & 0x0000ffff0000ffff;
	return (v * 10000 + (v >> 32)) & 0xffffffff;
}

/* Reads up to RUN digits from p on into *m and returns their number. RUN bytes
 * must be readable. No branch depends on the number of digits. */
static int run(const char *p, uint64_t *m)
{
	static const uint64_t power[RUN + 1] = {
		1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000,
		1000000000, 10000000000, 100000000000, 1000000000000,
		10000000000000, 100000000000000, 1000000000000000,
		10000000000000000,
	};
	const uint64_t zeros = 0x3030303030303030;
	const uint64_t low = load(p) ^ zeros, high = load(p + 8) ^ zeros;
	const int n = __builtin_ctz(no_digits(low) | no_digits(high) << 8 |
	                            1u << RUN);
	wide_t v = (wide_t)high << 64 | low;

	if (n == 0)
		return 0;
	v <<= 8 * (RUN - n);
	*m = *m * power[n] + value_of_8((uint64_t)v) * power[8] +
	     value_of_8((uint64_t)(v >> 64));
	return n;
}

static const char *digits(const char *p, const char *end, uint64_t *m)
{
	unsigned d;

	while (p < end && (d = (unsigned)(*p - '0')) <= 9) {
		*m = *m * 10 + d;
		p++;
	}
	return p;
}

static const char *fraction(const char *p, const char *end,
                            struct scan *s)
{
	const char *to = p;

	if (end - p >= RUN)
		to += run(p, &s->m);
	if (to == p || to - p == RUN)
		to = digits(to, end, &s->m);
	s->digits += to - p;
	s->exponent -= to - p;
	return to == p ? NULL : to;
}

static const char *exponent(const char *p, const char *end,
                            struct scan *s)
{
	bool negative = p < end && *p == '-';
	const char *from;
	long e = 0;

	p += p < end && (*p == '-' || *p == '+');
	for (from = p; p < end && *p >= '0' && *p <= '9'; p++)
		if (e < EXPONENT_MOST)
			e = 10 * e + (*p - '0');
	s->exponent += negative ? -e : e;
	return p == from ? NULL : p;
}

/* The number of digits after leading zeros. */
static long significant(const char *p, const char *to, const struct scan *s)
{
	long n = s->digits;

	for (; p < to && (*p == '0' || *p == '.'); p++)
		n -= *p == '0';
	return n;
}

static bool is_exact(const struct scan *s)
{
	return s->m < exact_m && s->exponent >= -EXACT_POWER &&
	       s->exponent <= EXACT_POWER;
}

static double exact(const struct scan *s)
{
	static const double power[EXACT_POWER + 1] = {
		1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
		1e22,
	};
	const double m = (double)(int64_t)s->m;

	return s->exponent < 0 ? m / power[-s->exponent] :
	       m * power[s->exponent];
}

/* The value of the text from `from`, which is after the sign, to `to`. */
static double value(const struct scan *s, const char *from, const char *to)
{
	double x;

	if (s->digits <= MOST_DIGITS ||
	    significant(from, to, s) <= MOST_DIGITS) {
		if (is_exact(s))
			return exact(s);
		if (s->m && s->exponent >= -DECIMAL_POWER &&
		    s->exponent <= DECIMAL_POWER)
			return decimal_scale(s->m, (int)s->exponent);
	}
	number_parse(from, to, &x);
	return x;
}

const char *json_number(const char *p, const char *end, double *x)
{
	const int negative = p < end && *p == '-';
	const char *from = p += negative;
	struct scan s = { 0 };

	p = digits(p, end, &s.m);
	s.digits = p - from;
	if (p == from || (*from == '0' && s.digits > 1))
		return NULL;
	if (p < end && *p == '.')
		p = fraction(p + 1, end, &s);
	if (p && p < end && (*p | 32) == 'e')
		p = exponent(p + 1, end, &s);
	if (!p)
		return NULL;
	*x = value(&s, from, p) * (1 - 2 * negative);
	return p;
}

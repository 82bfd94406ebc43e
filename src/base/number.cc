/* number.cc - see number.h. The one C++ file: only <charconv> reads any
 * number exactly and without a locale. */
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/number.h"

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Is the magnitude of that valid number, which no double holds, large rather
 * than small? By the decimal exponent of its first digit that is not 0. */
static bool large(const char *p, const char *to)
{
	long exponent = 0, lead = 0;
	bool point = false, nonzero = false;

	if (p < to && *p == '-')
		p++;
	for (; p < to && (digit(*p) || *p == '.'); p++) {
		if (*p == '.')
			point = true;
		else if ((nonzero = nonzero || *p != '0'))
			lead += !point;
		else
			lead -= point;
	}
	if (p < to && (*p | 32) == 'e' && ++p < to) {
		bool negative = *p == '-';

		for (p += *p == '-' || *p == '+'; p < to && digit(*p); p++)
			if (exponent < 100000000)
				exponent = 10 * exponent + (*p - '0');
		exponent = negative ? -exponent : exponent;
	}
	return exponent + lead > 0;
}

const char *number_parse(const char *from, const char *to, double *x)
{
	auto r = std::from_chars(from, to, *x);

	if (r.ec == std::errc::invalid_argument)
		return nullptr;
	if (r.ec == std::errc::result_out_of_range) {
		*x = large(from, r.ptr) ? HUGE_VAL : 0;
		if (*from == '-')
			*x = -*x;
	}
	return r.ptr;
}

/* number.cc - see number.h. The only C++ file, because only <charconv> parses
 * numbers exactly and independent of the locale. */
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/number.h"

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Did the number, which is out of a double's range, overflow rather than
 * underflow? The decimal exponent of its first nonzero digit decides. */
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

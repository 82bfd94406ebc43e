/* decimal.h - decimal numbers of 64 bits, and doubles and floats. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdint.h>

__extension__ typedef unsigned __int128 wide_t;

enum { DECIMAL_POWER = 27 };		/* 5^27 has 63 bits */

/* m 10^e */
struct decimal {
	uint64_t m;
	int e;
};

/* m 10^e, correctly rounded; m > 0, |e| <= DECIMAL_POWER. */
double decimal_scale(uint64_t m, int e);

/* The shortest decimal within the half gaps round c 2^q, c > 0, which is a
 * double or a float, and of the shortest the nearest; its m may end with
 * zeros. low: the gap below is half as wide as the one above. */
struct decimal decimal_of_double(uint64_t c, int q, int low);
struct decimal decimal_of_float(uint32_t c, int q, int low);

#endif

/* decimal.h - converts between 64-bit decimal numbers and doubles or floats. */
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

/* Returns m 10^e, correctly rounded; m > 0, |e| <= DECIMAL_POWER. */
double decimal_scale(uint64_t m, int e);

/* Returns the shortest decimal that reads back as c 2^q, a positive double, or
 * float or number of fewer bits than a float; of several equally short ones,
 * the nearest. Its m may end with zeros. low is 1 if the gap to the next number
 * below is half as wide as the gap above (c 2^q is a power of 2), else 0. */
struct decimal decimal_of_double(uint64_t c, int q, int low);
struct decimal decimal_of_float(uint32_t c, int q, int low);

#endif

/* power.h - numbers whose power of two is kept apart, as it may be beyond
 * float64's range. */
#ifndef BASE_POWER_H
#define BASE_POWER_H

#include <math.h>
#include <stdint.h>

/* Returns x 2^power; 0 or infinity where that is out of range. */
static inline double power_ldexp(double x, int64_t power)
{
	const int64_t far = 4096;	/* exceeds float64's exponents */

	return ldexp(x, (int)(power > far ? far : power < -far ? -far : power));
}

#endif

/* polar_state.h - the 32-bit integers that the kernels of the polar
 * decomposition and the host share. Kernels and C include it. */
#ifndef SHARED_POLAR_STATE_H
#define SHARED_POLAR_STATE_H

enum {
	POLAR_LARGEST,			/* the upper 32 bits of the magnitude of
					 * A's largest element */
	POLAR_SQUARE,			/* a float: a bound of |A|^2, scaled */
	POLAR_FAR,			/* not 0 if U is not orthogonal */
	POLAR_STATE			/* how many integers there are */
};

/* The biased exponent of a number of `bytes` bytes, given its upper 32 bits,
 * and that of infinity and NaN. */
#define POLAR_BIASED(high, bytes) ((bytes) == 8 ? (high) >> 20 : (high) >> 23)
#define POLAR_NONFINITE(bytes) ((bytes) == 8 ? 2047 : 255)

/* The exponent of the power of 2 that A is multiplied by. It is at least -1022,
 * so that the power is a normal number. */
#define POLAR_EXPONENT(high, bytes)                                          \
	(((bytes) == 8 ? 1023 : 127) - POLAR_BIASED(high, bytes) <           \
	 ((bytes) == 8 ? -1022 : -126) ? ((bytes) == 8 ? -1022 : -126) :     \
	 (((bytes) == 8 ? 1023 : 127) - POLAR_BIASED(high, bytes)))

#endif

/* cast.h - the kernels that convert elements to the type that the kernels are
 * compiled for: to[i] = from[i], rounded to nearest even. Launch: any number N
 * of items; each converts every N-th element. */
#include "lib/real.h"

/* Makes kernel NAME for elements of type FROM, which it converts as VALUE, an
 * expression of from[i]. */
#define CAST(NAME, FROM, VALUE)                                              \
	kernel void NAME(global const FROM *restrict from,                   \
	                 global real *restrict to, long n)                   \
	{                                                                    \
		for (long i = get_global_id(0); i < n;                       \
		     i += get_global_size(0))                                \
			to[i] = (real)(VALUE);                               \
	}

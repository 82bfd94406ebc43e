/* host_tall.c - see host_tall.h. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "ops/qr/host_tall.h"

enum {
	ASPECT = 4,			/* m is at least so many times n */
	MOST = 512,			/* columns */
	LEAST = 1 << 16,		/* elements; LAPACK is as fast for
					 * fewer */
	SLICES = 16,			/* of rows, which threads take. Sums
					 * are added in their order, so that Q
					 * and R do not depend on threads */
	CHUNK = 1 << 17,		/* elements that a slice takes at once:
					 * they fit into the cache */
	STRIP = 64,			/* columns */
	PASSES = 3			/* after which LAPACK factors A, unless
					 * G is near I */
};

/* G is near I if |G - I| is at most this in the Frobenius norm. Then no
 * singular value of Q is below 0.86 or above 1.12, and the next pass makes Q
 * orthogonal to rounding errors. */
static const double NEAR = 0.25;

bool host_tall_fits(const struct qr_sizes *z)
{
	return !z->pivots && !z->raw && z->columns == z->n && z->n > 0 &&
	       z->n <= MOST && z->m / ASPECT >= z->n && z->m >= LEAST / z->n;
}

size_t host_tall_room(const struct qr_sizes *z)
{
	return (SLICES + 3) * z->n * z->n + z->n;
}

#define LAPACK_BODY "ops/qr/host_tall_real.h"
#include "ops/lapack/each_type.h"

/* identity.cl - n x n identity matrices, one after the other, of `count`
 * elements together. Launch: an item for each element. */
#include "lib/real.h"

kernel void blas_identity(global real *restrict x, int n, long count)
{
	const size_t at = get_global_id(0);

	if (at < count)
		x[at] = at / n % n == at % n;
}

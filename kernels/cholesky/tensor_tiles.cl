/* tensor_tiles.cl - the factorization of tiles.h in float64, whose sums the
 * tensor cores of NVIDIA's devices compute. */
#include "cholesky/tensor_sum.h"
#ifdef DTYPE_float64
#define TILES cholesky_tensor_tiles
#include "cholesky/tiles.h"
#endif

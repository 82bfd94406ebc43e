/* tiles.cl - the factorization of tiles.h for any device. */
#define TILES cholesky_tiles
#include "cholesky/sum.h"
#include "cholesky/tiles.h"

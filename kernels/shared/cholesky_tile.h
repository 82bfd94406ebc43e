/* cholesky_tile.h - sizes that the kernels of cholesky share with the host.
 * Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_CHOLESKY_TILE_H
#define KERNELS_SHARED_CHOLESKY_TILE_H

#include "shared/blas_tile.h"

/* The matrix is cut into tiles of CHOLESKY_NB rows and columns. A work-group
 * with two items for each row computes a tile. */
#define CHOLESKY_NB BLAS_NB
#define CHOLESKY_TEAMS 2
#define CHOLESKY_ITEMS BLAS_ITEMS

/* Sizes of kernels/cholesky/tiles.h: a work-group of CHOLESKY_TILE_ITEMS items
 * computes a tile of L. Its local memory of CHOLESKY_TILE_ROOM elements holds
 * CHOLESKY_DEPTH columns of two tiles or, later, a whole tile and 8 columns. */
#define CHOLESKY_TILE_ITEMS 256
#define CHOLESKY_DEPTH 32
#define CHOLESKY_TILE_ROOM (CHOLESKY_NB * (CHOLESKY_NB + 8))

/* A tile on the diagonal is factored in parts of this many columns. */
#define CHOLESKY_PART 8

/* Matrices of up to this many rows are factored and judged by a single launch.
 * A work-group has CHOLESKY_SMALL_ITEMS items, one for each row of as many
 * matrices of 16, 32 or 64 rows as that makes. */
#define CHOLESKY_SMALL 64
#define CHOLESKY_SMALL_ITEMS 64

/* A work-group of this many items copies a row, clears CHOLESKY_CLEAR rows, or
 * judges a matrix. */
#define CHOLESKY_LANES 64
#define CHOLESKY_CLEAR 8

/* A work-group adds up this many columns of L, each with CHOLESKY_DEEP items,
 * to CHOLESKY_TERMS numbers. */
#define CHOLESKY_COLUMNS 32
#define CHOLESKY_DEEP 8
#define CHOLESKY_TERMS 3

/* The state of a call: an int32_t for each of these, then for each matrix the
 * order of its first leading minor that is not positive, or 0, then for each
 * matrix whether it contains a NaN or an infinity. The worst ratio is that of
 * the matrices that have not failed, the bits of a float. */
enum cholesky_verdict { VERDICT_FAILURES, VERDICT_WORST, VERDICT_NUMBERS };

#endif

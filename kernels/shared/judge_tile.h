/* judge_tile.h - sizes that kernels/qr/spread.cl shares with the host. Included
 * by C and by OpenCL C. */
#ifndef KERNELS_SHARED_JUDGE_TILE_H
#define KERNELS_SHARED_JUDGE_TILE_H

/* A work-group has JUDGE_ROWS x JUDGE_LANES items; those of a row sum it
 * together. JUDGE_CHUNK columns of the vectors are in local memory at once. */
#define JUDGE_ROWS 16
#define JUDGE_LANES 16
#define JUDGE_CHUNK 256

/* Rows of at most JUDGE_SHORT elements are multiplied in tiles of JUDGE_TILE
 * rows and columns. */
#define JUDGE_SHORT 512
#define JUDGE_TILE 64

/* Transposed products: a work-group has JUDGE_COLUMNS columns. */
#define JUDGE_COLUMNS 32

/* The vectors that are multiplied together, and their pairs. */
#define JUDGE_BESIDE 4
#define JUDGE_PAIRS 6

#endif

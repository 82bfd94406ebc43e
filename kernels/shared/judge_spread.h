/* judge_spread.h - sizes that kernels/qr/spread.cl shares with the host.
 * Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_JUDGE_SPREAD_H
#define KERNELS_SHARED_JUDGE_SPREAD_H

/* A work-group has SPREAD_ROWS x SPREAD_LANES items; those of a row sum it
 * together. SPREAD_CHUNK columns of the vectors are in local memory at once. */
#define SPREAD_ROWS 16
#define SPREAD_LANES 16
#define SPREAD_CHUNK 256

/* Rows of at most SPREAD_SHORT elements are multiplied in tiles of SPREAD_TILE
 * rows and columns. */
#define SPREAD_SHORT 512
#define SPREAD_TILE 64

/* The vectors that are multiplied together, and their pairs. */
#define SPREAD_BESIDE 4
#define SPREAD_PAIRS 6

#endif

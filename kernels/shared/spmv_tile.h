/* spmv_tile.h - sizes of spmv's kernels that the host needs too. Included by C
 * and by OpenCL C. */
#ifndef KERNELS_SHARED_SPMV_TILE_H
#define KERNELS_SHARED_SPMV_TILE_H

/* CPU: the entries and ends of rows that a work-group takes. */
#define SPMV_SHARE 16384

/* Anywhere: items of a work-group, and of a team; entries that an item loads
 * before it waits; the most entries of a row per lane, and per team; entries of
 * a piece of a longer row. */
#define SPMV_GROUP 128
#define SPMV_TEAM 32
#define SPMV_AHEAD 4
#define SPMV_EACH 8
#define SPMV_LONG 1024

/* COO: neighbouring entries that an item takes. */
#define SPMV_RUN 32

/* CPU: rows of a slice, as many as a vector has float64 numbers, and slices
 * that a work-group takes. */
#define SPMV_SELL 8
#define SPMV_SELL_EACH 1024

/* Elsewhere: rows of a slice. */
#define SPMV_SLICE 32

#endif

/* spmv_tile.h - sizes of spmv's kernels, which the host must know too.
 * Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_SPMV_TILE_H
#define KERNELS_SHARED_SPMV_TILE_H

/* CPU: entries and ends of rows that one work-group takes. */
#define SPMV_SHARE 16384

/* Anywhere: items of a work-group, and of a team; entries that an item has on
 * their way at a time; entries of a row that a lane takes at most, and a team;
 * of a piece of a longer row. */
#define SPMV_GROUP 128
#define SPMV_TEAM 32
#define SPMV_AHEAD 4
#define SPMV_EACH 8
#define SPMV_LONG 1024

/* Neighbouring entries that one item takes. */
#define SPMV_RUN 32

/* Rows of a slice. */
#define SPMV_SLICE 32

#endif

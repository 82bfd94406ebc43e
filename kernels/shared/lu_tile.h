/* lu_tile.h - sizes that the kernels of the tiled lu share with the host.
 * Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_LU_TILE_H
#define KERNELS_SHARED_LU_TILE_H

/* Columns of a panel. */
#define LU_NB 64

/* A panel in registers: the work-items of a group, fewer for a low panel whose
 * elements have that many bytes; the items that share a row; the columns and
 * rows that a group keeps. */
#define LU_WARP_ITEMS(bytes) (8 * (int)(bytes))
#define LU_RESIDENT_ITEMS 128
#define LU_SPREAD_ITEMS 256
#define LU_SPREAD_SPAN 4	/* items share a row */
#define LU_COLUMNS 8		/* columns of a group that keeps all rows */
#define LU_GRID_COLUMNS 8	/* columns of a group that keeps some rows */
#define LU_GRID_DEEP 8		/* such groups above each other, at most */
#define LU_RESIDENT_ROWS(items, bytes) ((items) * 8 / (bytes))

/* A panel too tall for registers: work-items of a group, and its rows. */
#define LU_TALL_ITEMS 256
#define LU_TALL_ROWS 64

/* The largest matrices, in rows and columns, whose rows have two items each. */
#define LU_SMALL 16

/* Bytes of the message by which each of several groups proposes a pivot. */
#define LU_MESSAGE(bytes) (2 * LU_NB * (bytes))

/* Bytes of the rows that the groups of a grid exchange. */
#define LU_GRID_ROWS(bytes) \
	(2 * LU_NB * (LU_NB + 2 * LU_GRID_DEEP * (LU_SPREAD_ITEMS / 32)) * \
	 (bytes))

/* Bytes of the messages between work-groups that keep columns of a panel with
 * that many rows: pivots, and two buffers of multipliers. */
#define LU_PIVOTS 256
#define LU_POSTS(rows, bytes) (LU_PIVOTS + 2 * LU_NB * (rows) * (bytes))

/* Applying a panel to other columns: work-items of a group, and the columns of
 * its strip. */
#define LU_ROWS_ITEMS 256
#define LU_STRIP(bytes) (128 / (int)(bytes))

/* The update of the trailing matrix: a tile of TILE x TILE elements by SIDE x
 * SIDE items. */
#define LU_TILE 64
#define LU_TILE_SIDE 16

/* The same on NVIDIA's devices: TILE columns, and more rows if elements are
 * short. */
#define LU_FOLLOW_ROWS(bytes) (512 / (int)(bytes))

/* Rows of a work-group where several groups solve together, and its right-hand
 * sides: one, and the probes beside it (solve_told.h). */
#define LU_SPREAD_ROWS 64
#define LU_SPREAD_COLUMNS 5

/* Where tensor cores update the trailing matrix, so many columns of panels are
 * applied at once, if at least REST columns are left. */
#define LU_BLOCK(bytes) (2048 / (int)(bytes))
#define LU_REST 2048

#endif

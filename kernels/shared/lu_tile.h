/* lu_tile.h - sizes that the kernels of the tiled lu share with the host.
 * Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_LU_TILE_H
#define KERNELS_SHARED_LU_TILE_H

/* Columns of a panel. */
#define LU_NB 64

/* A panel in registers: work-items of a group, those of a low one for elements
 * of that many bytes; rows they keep together. */
#define LU_WARP_ITEMS(bytes) (8 * (int)(bytes))
#define LU_RESIDENT_ITEMS 128
#define LU_SPREAD_ITEMS 256
#define LU_SPREAD_SPAN 4	/* of them keep a row */
#define LU_COLUMNS 8		/* a group keeps, of all rows */
#define LU_GRID_COLUMNS 8	/* a group keeps, of some rows, and so many */
#define LU_GRID_DEEP 8		/* groups at most below each other */
#define LU_RESIDENT_ROWS(items, bytes) ((items) * 8 / (bytes))

/* A panel that is too tall for that: work-items of a group, and its rows. */
#define LU_TALL_ITEMS 256
#define LU_TALL_ROWS 64

/* Rows and columns of a matrix whose rows have two items each. */
#define LU_SMALL 16

/* Bytes of the message in which one of several groups proposes a pivot. */
#define LU_MESSAGE(bytes) (2 * LU_NB * (bytes))

/* Bytes of the rows that groups of a grid tell each other. */
#define LU_GRID_ROWS(bytes) \
	(2 * LU_NB * (LU_NB + 2 * LU_GRID_DEEP * (LU_SPREAD_ITEMS / 32)) * \
	 (bytes))

/* What work-groups tell each other that keep columns of a panel of so many
 * rows: pivots, and two posts of multipliers. */
#define LU_PIVOTS 256
#define LU_POSTS(rows, bytes) (LU_PIVOTS + 2 * LU_NB * (rows) * (bytes))

/* What a panel does to other columns: items of a strip of so many. */
#define LU_ROWS_ITEMS 256
#define LU_STRIP(bytes) (128 / (int)(bytes))

/* The update of the trailing matrix: TILE x TILE by SIDE x SIDE items. */
#define LU_TILE 64
#define LU_TILE_SIDE 16

/* The same on NVIDIA, of TILE columns and more rows of short elements. */
#define LU_FOLLOW_ROWS(bytes) (512 / (int)(bytes))

/* Rows that a work-group solves, where several do it together, of so many
 * right-hand sides: one, and the probes beside it (solve_told.h). */
#define LU_SPREAD_ROWS 64
#define LU_SPREAD_COLUMNS 5

/* Columns of the panels whose updates of what lies beyond are made at once
 * where tensor cores do that; and how many must lie beyond. */
#define LU_BLOCK(bytes) (2048 / (int)(bytes))
#define LU_REST 2048

#endif

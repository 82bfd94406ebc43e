/* lu_tile.h - sizes that the kernels of the tiled lu share with the host.
 * Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_LU_TILE_H
#define KERNELS_SHARED_LU_TILE_H

/* Columns of a panel. */
#define LU_NB 64

/* A panel in registers: work-items of a work-group (LU_WARP_ITEMS: of one for
 * up to 64 rows, with elements of so many bytes); rows that a work-group
 * keeps. */
#define LU_WARP_ITEMS(bytes) (8 * (int)(bytes))
#define LU_RESIDENT_ITEMS 128
#define LU_SPREAD_ITEMS 256
#define LU_SPREAD_SPAN 4	/* work-items that keep a row together */
#define LU_COLUMNS 8		/* that a group keeps if spread by columns */
#define LU_GRID_HEIGHT 8	/* work-groups in a column of the grid */
#define LU_RESIDENT_ROWS(items, bytes) ((items) * 8 / (bytes))

/* A panel too high for registers: work-items of a work-group, and its rows. */
#define LU_TALL_ITEMS 256
#define LU_TALL_ROWS 64

/* The largest matrices, in rows and columns, whose rows have two items each. */
#define LU_SMALL 16

/* Bytes of the message in which a work-group posts its pivot candidate. */
#define LU_MESSAGE(bytes) (2 * LU_NB * (bytes))

/* Bytes of pivot rows and of candidates that the work-groups of a grid post. */
#define LU_GRID_BYTES(bytes) \
	(2 * LU_NB * (LU_NB + 2 * LU_GRID_HEIGHT * (LU_SPREAD_ITEMS / 32)) * \
	 (bytes))

/* Bytes of the pivots' places that lu_columns_* post, before two buffers of
 * LU_NB columns of multipliers. */
#define LU_PIVOTS 256

/* How often a work-group reads a message that has not arrived before it ends
 * its kernel with a fault, which takes seconds. */
#define LU_PATIENCE (1 << 24)

/* A panel applied to other columns: work-items of a work-group, and the columns
 * of the strip that it updates. */
#define LU_ROWS_ITEMS 256
#define LU_STRIP(bytes) (128 / (int)(bytes))

/* The update of the trailing matrix: a tile of TILE x TILE elements by SIDE x
 * SIDE items. */
#define LU_TILE 64
#define LU_TILE_SIDE 16

/* The rows of such a tile in lu_follow, by the size of an element; it has
 * LU_TILE columns. */
#define LU_FOLLOW_ROWS(bytes) (512 / (int)(bytes))

/* Substitution by co-resident work-groups: rows that a work-group solves, and
 * right-hand sides: one, and the probes beside it (solve_told.h). */
#define LU_SPREAD_ROWS 64
#define LU_SPREAD_COLUMNS 5

/* Columns of a block of panels, whose update of the columns beyond is deferred
 * (ops/lu/deferred.h), and how many pivots must lie beyond the block. */
#define LU_BLOCK(bytes) (2048 / (int)(bytes))
#define LU_REST 2048

#endif

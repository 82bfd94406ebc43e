/* matmul_tile.h - tile sizes of matmul's kernels that the host needs too.
 * Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_MATMUL_TILE_H
#define KERNELS_SHARED_MATMUL_TILE_H

/* CPU: a micro-tile is STRIP rows by one panel of two 64-byte vectors, its
 * products are summed DEPTH at a time; packed A of a work-group takes at
 * most BLOCK bytes, so that it stays in the second-level cache beside CHUNK
 * panels of B. Where a single launch packs as it goes, a work-group packs up to
 * WIDE panels and SMALL_KC rows of each at a time, but no more than ROOM rows
 * of panels in all. A work-item adds the split-K sums of SUM elements. */
#define MATMUL_STRIP 12
#define MATMUL_PANEL_BYTES 128
#define MATMUL_DEPTH 256
#define MATMUL_CHUNK 16
#define MATMUL_WIDE 8
#define MATMUL_SMALL_KC 1024
#define MATMUL_ROOM 2048
#define MATMUL_SUM 4096
#define MATMUL_BLOCK_BYTES (480 * 1024)

/* CPU, many small products in one launch: rows of a micro-tile. */
#define MATMUL_BATCH_STRIP 8

/* CPU, a matrix times a vector: rows that are read side by side, and columns
 * whose sums stay in the first-level cache. */
#define MATVEC_ROWS 4
#define MATVEC_CHUNK 2048

/* Anywhere: SIDE x SIDE items make a tile of TILE x TILE elements, DEPTH
 * products at a time. */
#define MATMUL_TILE 64
#define MATMUL_TILE_SIDE 16
#define MATMUL_TILE_DEPTH 16

/* Anywhere, a dot product: work-items of a group. */
#define MATMUL_DOT_GROUP 128

/* Anywhere, thin products: rows and columns of an item; items of a work-group
 * of matmul_few; items of a work-group of matmul_flat along a row of C, and
 * along a column. */
#define MATMUL_THIN_ROWS 8
#define MATMUL_THIN_COLS 4
#define MATMUL_FEW_GROUP 128
#define MATMUL_FLAT_LANES 64
#define MATMUL_FLAT_TALL 2

#endif

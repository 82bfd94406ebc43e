/* blas_tile.h - tile sizes of the kernels in kernels/blas that the host needs
 * too. Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_BLAS_TILE_H
#define KERNELS_SHARED_BLAS_TILE_H

/* BLAS_SIDE x BLAS_SIDE items compute a tile of C; BLAS_DEPTH columns of op(A)
 * at a time are in local memory. */
#define BLAS_SIDE 16
#define BLAS_DEPTH 16

/* Triangular systems are solved in tiles of BLAS_NB rows and right-hand sides,
 * by work-groups of BLAS_ITEMS items. */
#define BLAS_NB 64
#define BLAS_ITEMS (2 * BLAS_NB)

/* A tile is solved and multiplied in slices of this many columns. In local
 * memory the elements of a column of a slice are BLAS_PITCH apart from those of
 * the next, so that items that read a row do not all use one bank. */
#define BLAS_SLICE 8
#define BLAS_PITCH (BLAS_NB + 4)

/* The local memory of a work-group, in elements: a triangular tile, of BLAS_NB
 * columns, each from the multiple of 4 at or above its diagonal element on; the
 * inverses of its diagonal; two slices; and a flag. */
#define BLAS_TRIANGLE (BLAS_NB * (BLAS_NB + 4) / 2)
#define BLAS_SLICES (BLAS_TRIANGLE + BLAS_NB)
#define BLAS_FLAG (BLAS_SLICES + 2 * BLAS_SLICE * BLAS_PITCH)
#define BLAS_ROOM (BLAS_FLAG + 4)

/* Sizes of kernels/blas/trsm_wide.cl: a work-group of BLAS_WIDE_ITEMS items
 * solves for BLAS_WIDE_SIDES right-hand sides, with BLAS_WIDE_DEPTH columns of
 * T at a time in local memory. Its local memory, in elements, has room for a
 * tile of T, the reciprocals of its diagonal, and eight rows of right-hand
 * sides. */
#define BLAS_WIDE_ITEMS 256
#define BLAS_WIDE_SIDES 32
#define BLAS_WIDE_DEPTH 32
#define BLAS_WIDE_ROOM (BLAS_NB * (BLAS_PITCH + 1) + 8 * BLAS_WIDE_SIDES)

/* CPU: the rows and the panels of columns (matmul_tile.h) of a block of C. The
 * panels' packed rows, MATMUL_DEPTH of each, stay in the second-level cache. */
#define BLAS_CPU_ROWS 240
#define BLAS_CPU_PANELS 8

#endif

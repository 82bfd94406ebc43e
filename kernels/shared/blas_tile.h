/* blas_tile.h - tile sizes of the kernels in kernels/blas that the host needs
 * too. Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_BLAS_TILE_H
#define KERNELS_SHARED_BLAS_TILE_H

/* BLAS_SIDE x BLAS_SIDE items compute a tile of C; BLAS_DEPTH columns of op(A)
 * at a time are in local memory. */
#define BLAS_SIDE 16
#define BLAS_DEPTH 16

/* Triangular systems are solved in blocks of BLAS_NB rows. A work-group has
 * BLAS_SIDES right-hand sides, one for each item. */
#define BLAS_NB 64
#define BLAS_SIDES 128

/* The elements of a triangular block in local memory: BLAS_NB columns, each
 * from the multiple of 4 at or above its diagonal element on. The inverses of
 * the diagonal follow them. */
#define BLAS_TRIANGLE (BLAS_NB * (BLAS_NB + 4) / 2)
#define BLAS_TRIANGLE_ROOM (BLAS_TRIANGLE + BLAS_NB)

#endif

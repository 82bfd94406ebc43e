/* blas_tile.h - tile sizes of the kernels in kernels/blas that the host needs
 * too. Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_BLAS_TILE_H
#define KERNELS_SHARED_BLAS_TILE_H

/* SIDE x SIDE items compute a tile of C, DEPTH products at a time. */
#define BLAS_SIDE 16
#define BLAS_DEPTH 16

/* A triangle is solved by blocks of BLAS_NB rows. A work-group takes BLAS_NB
 * right-hand sides, each kept by BLAS_TEAMS items. */
#define BLAS_NB 64
#define BLAS_TEAMS 4

#endif

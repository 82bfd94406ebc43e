/* cholesky_tile.h - sizes that the kernels of cholesky share with the host.
 * Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_CHOLESKY_TILE_H
#define KERNELS_SHARED_CHOLESKY_TILE_H

/* A panel has this many columns. One launch factors a matrix of up to this many
 * rows. */
#define CHOLESKY_NB 64

/* A work-group of this many items copies a row, or adds up the numbers of a
 * matrix. */
#define CHOLESKY_LANES 64

/* An item adds up the contributions of this many rows of L to an element of L^T
 * x. */
#define CHOLESKY_CHUNK 256

/* The numbers that cholesky_judge computes for a matrix: x^T A x, |L^T x|^2,
 * and trace A. */
enum cholesky_told { TOLD_QUADRATIC, TOLD_SQUARE, TOLD_TRACE, TOLD_NUMBERS };

#endif

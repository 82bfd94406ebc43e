/* cholesky_tile.h - sizes that the kernels of cholesky share with the host.
 * Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_CHOLESKY_TILE_H
#define KERNELS_SHARED_CHOLESKY_TILE_H

/* Columns of a panel, and the largest matrix that is factored in one launch. */
#define CHOLESKY_NB 64

/* Work-items that copy a row, and that add up the numbers of a matrix. */
#define CHOLESKY_LANES 64

/* Rows of L whose contributions to L^T x an item adds up. */
#define CHOLESKY_CHUNK 256

/* What cholesky_judge tells of a matrix: x^T A x, |L^T x|^2, and trace A. */
enum cholesky_told { TOLD_QUADRATIC, TOLD_SQUARE, TOLD_TRACE, TOLD_NUMBERS };

#endif

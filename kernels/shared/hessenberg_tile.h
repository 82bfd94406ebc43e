/* hessenberg_tile.h - sizes that the kernels of the Hessenberg reduction and
 * their launches share. Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_HESSENBERG_TILE_H
#define KERNELS_SHARED_HESSENBERG_TILE_H

/* Columns of a panel; work-items of a work-group, HESS_TEAMS teams of HESS_NB;
 * rows of a work-group of hess_reflect. */
#define HESS_NB 32
#define HESS_TEAMS 8
#define HESS_GROUP (HESS_NB * HESS_TEAMS)
#define HESS_BLOCK 64

/* Rows that a team of hess_multiply takes, at most. */
#define HESS_ROWS 4

/* Elements of a row of partial sums of HESS_NB lanes in local memory, one more
 * than there are lanes, so that the sums of different rows lie in different
 * banks. */
#define HESS_LANES (HESS_NB + 1)

/* Numbers that hess_reflect and hess_multiply keep for the next launch:
 * tau, 1 / (alpha - beta), V^T v, and T^T V^T b. */
#define HESS_TAU 0
#define HESS_INVERSE 1
#define HESS_ALONG 2
#define HESS_LEFT (HESS_ALONG + HESS_NB)
#define HESS_TOLD (HESS_LEFT + HESS_NB)

#endif

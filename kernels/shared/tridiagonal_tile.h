/* tridiagonal_tile.h - the sizes of kernels/tridiagonal's work-groups, which
 * src/ops/tridiagonal needs for its launches. */
#ifndef SHARED_TRIDIAGONAL_TILE_H
#define SHARED_TRIDIAGONAL_TILE_H

#define SYTRD_ITEMS 256			/* work-items of a work-group */
#define SYTRD_TEAM 32			/* items that multiply a row together:
					 * a warp of an NVIDIA GPU */
#define SYTRD_ROWS 32			/* rows of w that a group computes */
#define SYTRD_MOST 32			/* columns of a panel */

#define ORMTR_BLOCK 256			/* reflectors applied at once */
#define ORMTR_LEAF 64			/* reflectors of one triangle T that
					 * a single work-group makes */

#define LOAD_TILE 32			/* rows and columns of a group of
					 * tridiagonal_look and _load */

#define SIGN_LANES 32			/* columns of a group of
					 * tridiagonal_signs */
#define SIGN_TEAMS 8			/* SYTRD_ITEMS / SIGN_LANES */

#endif

/* tridiagonal_tile.h - the sizes of kernels/tridiagonal's work-groups, which
 * src/ops/tridiagonal needs for its launches. */
#ifndef SHARED_TRIDIAGONAL_TILE_H
#define SHARED_TRIDIAGONAL_TILE_H

#define SYTRD_ITEMS 256			/* work-items of a work-group */
#define SYTRD_TEAM 32			/* items that sum a row together */
#define SYTRD_TEAMS 8			/* SYTRD_ITEMS / SYTRD_TEAM */
#define SYTRD_ROWS 64			/* rows of a group of sytrd_column */
#define SYTRD_SLICES 4			/* SYTRD_ITEMS / SYTRD_ROWS */
#define SYTRD_MOST 64			/* columns of a panel, at most */

#define ORMTR_BLOCK 256			/* reflectors applied at once */
#define ORMTR_LEAF 64			/* reflectors of one triangle T that
					 * a single work-group makes */

#define LOAD_TILE 32			/* rows and columns of a group of
					 * tridiagonal_look and _load */

#define SIGN_LANES 32			/* columns of a group of
					 * tridiagonal_signs */
#define SIGN_TEAMS 8			/* SYTRD_ITEMS / SIGN_LANES */

#endif

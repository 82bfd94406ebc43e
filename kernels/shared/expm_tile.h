/* expm_tile.h - what expm's kernels and their launches share. Included by C and
 * by OpenCL C. */
#ifndef KERNELS_SHARED_EXPM_TILE_H
#define KERNELS_SHARED_EXPM_TILE_H

#define EXPM_GROUP 64		/* items that share a row */
#define EXPM_TILE 16		/* of a transposition */

/* Bits: a triangle beside the diagonal has an element that is not 0. */
#define EXPM_BELOW 1
#define EXPM_ABOVE 2

#endif

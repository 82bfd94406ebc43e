/* kron_tile.h - sizes that kron's kernels and their launches share. Included by
 * C and by OpenCL C. */
#ifndef KERNELS_SHARED_KRON_TILE_H
#define KERNELS_SHARED_KRON_TILE_H

/* Anywhere: work-items of a group, and rows that one writes. */
#define KRON_GROUP 128
#define KRON_ROWS 16

#endif

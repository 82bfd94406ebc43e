/* kron_tile.h - sizes that kron's kernels and their launches share. Included by
 * C and by OpenCL C. */
#ifndef KERNELS_SHARED_KRON_TILE_H
#define KERNELS_SHARED_KRON_TILE_H

/* Any device: work-items of a work-group, and rows that a work-item writes. */
#define KRON_GROUP 128
#define KRON_ROWS 16

#endif

/* seed_reduce_shape.h - the chapter's sizes that host and kernels share.
 * Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_SEED_REDUCE_SHAPE_H
#define KERNELS_SHARED_SEED_REDUCE_SHAPE_H

/* Elements a work-item takes: of a block, and by loads of a sub-group, which
 * are SEED_LOAD elements an item wide. */
#define SEED_EACH 32
#define SEED_EACH_LOADED 256
#define SEED_LOAD 8

#endif

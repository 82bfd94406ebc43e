/* seed_reduce_shape.h - sizes of the chapter's reductions, for host and
 * kernels. Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_SEED_REDUCE_SHAPE_H
#define KERNELS_SHARED_SEED_REDUCE_SHAPE_H

/* Elements that a work-item takes: of a block, and by sub-group loads, each of
 * which reads SEED_LOAD elements per item. */
#define SEED_EACH 32
#define SEED_EACH_LOADED 256
#define SEED_LOAD 8

#endif

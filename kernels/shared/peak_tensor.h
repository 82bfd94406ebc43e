/* peak_tensor.h - the shape of the products that peak_tensor makes. Included
 * by C and by OpenCL C. */
#ifndef KERNELS_SHARED_PEAK_TENSOR_H
#define KERNELS_SHARED_PEAK_TENSOR_H

#define PEAK_ITEMS 128

/* A round's, in a row; of each work-group in float32, warp in float64. */
#define PEAK_PRODUCTS 8

/* Multiply-adds of a work-group's product, or its four warps' ones, and how
 * deep it is. */
#define PEAK_ADDS_F32 (64 * 128 * 8)
#define PEAK_DEPTH_F32 8
#define PEAK_ADDS_F64 (4 * 16 * 8 * 8)
#define PEAK_DEPTH_F64 8

#endif

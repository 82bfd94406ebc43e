/* peak_tensor.h - the shape of the products that peak_tensor makes. Included
 * by C and by OpenCL C. */
#ifndef KERNELS_SHARED_PEAK_TENSOR_H
#define KERNELS_SHARED_PEAK_TENSOR_H

#define PEAK_ITEMS 128

/* Products that a round makes one after the other: per work-group in float32,
 * per warp in float64. */
#define PEAK_PRODUCTS 8

/* Multiply-adds of a work-group's product, or of those of its four warps, and
 * the product's depth. */
#define PEAK_ADDS_F32 (64 * 192 * 16)
#define PEAK_DEPTH_F32 16
#define PEAK_ADDS_F64 (4 * 16 * 8 * 8)
#define PEAK_DEPTH_F64 8

#endif

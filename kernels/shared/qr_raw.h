/* qr_raw.h - sizes that kernels/qr/raw.cl shares with the host. Included by C
 * and by OpenCL C. */
#ifndef KERNELS_SHARED_QR_RAW_H
#define KERNELS_SHARED_QR_RAW_H

/* Reflections that are applied together, and items of a work-group. */
#define RAW_NB 32
#define RAW_ITEMS 256

/* Vectors that a work-group changes, and numbers of their products with the
 * reflections of a block. */
#define RAW_BESIDE 4
#define RAW_PRODUCTS (RAW_NB * RAW_BESIDE)
#define RAW_SQUARE (RAW_NB * RAW_NB)

#endif

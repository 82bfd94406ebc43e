/* matmul_integer.h - tile sizes of matmul's kernels for integers that the host
 * needs too. Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_MATMUL_INTEGER_H
#define KERNELS_SHARED_MATMUL_INTEGER_H

/* CPU: a work-item computes up to ROWS rows of a panel of PANEL columns, in
 * micro-tiles of STRIP rows, DEPTH products at a time. */
#define INTEGER_STRIP 6
#define INTEGER_PANEL 16
#define INTEGER_DEPTH 256
#define INTEGER_ROWS 96

/* Anywhere: SIDE x SIDE items make a tile of TILE x TILE elements. A group of
 * GROUP items looks for the longest element, or computes elements one by
 * one. */
#define INTEGER_TILE 64
#define INTEGER_SIDE 16
#define INTEGER_GROUP 64

/* The value of `beyond` when the type holds every element. */
#define INTEGER_NONE 0x7fffffff

#endif

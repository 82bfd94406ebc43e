/* tf32x3.cl - C = A B in float32 as three products in TF32. */
#define TENSOR_KERNEL matmul_tensor_3xtf32
#define TENSOR_PACK matmul_pack_3xtf32
#define TENSOR_PARTS 2
#define TENSOR_HALVES 1
#include "matmul/nvidia/tf32.h"

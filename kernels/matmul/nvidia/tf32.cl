/* tf32.cl - C = A B with operands rounded to TF32. */
#define TENSOR_KERNEL matmul_tensor_tf32
#define TENSOR_PACK matmul_pack_tf32
#define TENSOR_PARTS 1
#define TENSOR_HALVES 2
#include "matmul/nvidia/tf32.h"

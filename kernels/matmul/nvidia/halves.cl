/* halves.cl - C = A B by float16, as precise as in TF32. */
#define PRODUCT matmul_tensor_halves
#define TERMS 1
#include "matmul/nvidia/pairs_product.h"

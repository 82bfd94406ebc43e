/* pairs.cl - C = A B in float32 by pairs of float16. */
#define PRODUCT matmul_tensor_pairs
#define TERMS 2
#include "matmul/nvidia/pairs_product.h"

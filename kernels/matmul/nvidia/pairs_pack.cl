/* pairs_pack.cl - packs A and B as pairs of float16. */
#define PACK matmul_pairs_pack
#define TERMS 2
#include "matmul/nvidia/pairs_pack.h"

/* halves_pack.cl - packs A and B as float16. */
#define PACK matmul_halves_pack
#define TERMS 1
#include "matmul/nvidia/pairs_pack.h"

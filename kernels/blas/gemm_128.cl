/* gemm_128.cl - blas/gemm.h with tiles of 128 x 128 elements. */
#define TILE 128
#define NAME blas_gemm_128
#include "blas/gemm.h"

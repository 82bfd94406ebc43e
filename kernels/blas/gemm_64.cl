/* gemm_64.cl - blas/gemm.h with tiles of 64 x 64 elements. */
#define TILE 64
#define NAME blas_gemm_64
#include "blas/gemm.h"

/* f64_64x64.cl - C = A B in float64, tiles of 64 x 64. */
#define NAME matmul_tensor_f64_64x64
#define ROWS 64
#define COLS 64
#define WARP_M 32
#define WARP_N 32
#define SLAB 16
#define STAGES 5
#define REGISTERS_LOADING 72
#define REGISTERS_MULTIPLYING 184
#define ENTRY ".minnctapersm 2"
#include "matmul/nvidia/f64.h"

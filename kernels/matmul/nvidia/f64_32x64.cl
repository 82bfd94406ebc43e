/* f64_32x64.cl - C = A B in float64, tiles of 32 x 64. */
#define NAME matmul_tensor_f64_32x64
#define ROWS 32
#define COLS 64
#define WARP_M 16
#define WARP_N 32
#define SLAB 32
#define STAGES 4
#define ENTRY ".minnctapersm 2"
#include "matmul/nvidia/f64.h"

/* f64_128x64.cl - C = A B in float64, tiles of 128 x 64. */
#define NAME matmul_tensor_f64_128x64
#define ROWS 128
#define COLS 64
#define WARP_M 32
#define WARP_N 32
#define SLAB 32
#define STAGES 4
#define REGISTERS_LOADING 72
#define REGISTERS_MULTIPLYING 216
#define ENTRY ".minnctapersm 1"
#include "matmul/nvidia/f64.h"

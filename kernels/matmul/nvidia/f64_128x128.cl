/* f64_128x128.cl - C = A B in float64, tiles of 128 x 128. */
#define NAME matmul_tensor_f64_128x128
#define ROWS 128
#define COLS 128
#define WARP_M 64
#define WARP_N 32
#define SLAB 16
#define STAGES 5
#define REGISTERS_LOADING 72
#define REGISTERS_MULTIPLYING 216
#define ENTRY ".minnctapersm 1"
#include "matmul/nvidia/f64.h"

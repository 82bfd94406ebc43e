/* f64_32x32.cl - C = A B in float64, tiles of 32 x 32. */
#define NAME matmul_tensor_f64_32x32
#define ROWS 32
#define COLS 32
#define WARP_M 16
#define WARP_N 16
#define SLAB 32
#define STAGES 5
#define ENTRY ".minnctapersm 2"
#include "matmul/nvidia/f64.h"

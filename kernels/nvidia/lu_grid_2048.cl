/* lu_grid_2048.cl - a panel of up to 2048 rows, by a grid of multiprocessors. */
#define ROWS 2
#define DEEP 4
#define LU_GRID lu_grid_2048

#include "nvidia/lu_grid.h"

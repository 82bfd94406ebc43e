/* grid_8192.cl - a panel of up to 8192 rows, by a grid of work-groups. */
#define ROWS 4
#define HEIGHT 8
#define LU_GRID lu_grid_8192

#include "lu/nvidia/grid.h"

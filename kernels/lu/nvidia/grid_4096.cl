/* grid_4096.cl - a panel of up to 4096 rows, by a grid of work-groups. */
#define ROWS 4
#define HEIGHT 4
#define LU_GRID lu_grid_4096

#include "lu/nvidia/grid.h"

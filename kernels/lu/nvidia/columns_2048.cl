/* columns_2048.cl - a panel of up to 2048 rows, spread by columns. */
#define ROWS 8
#define LU_COLUMNS_PANEL lu_columns_2048

#include "lu/nvidia/columns.h"

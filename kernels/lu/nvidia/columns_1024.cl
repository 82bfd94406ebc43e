/* columns_1024.cl - a panel of up to 1024 rows, spread by columns. */
#define ROWS 4
#define LU_COLUMNS_PANEL lu_columns_1024

#include "lu/nvidia/columns.h"

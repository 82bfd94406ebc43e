/* columns_512.cl - a panel of up to 512 rows, spread by columns. */
#define ROWS 2
#define LU_COLUMNS_PANEL lu_columns_512

#include "lu/nvidia/columns.h"

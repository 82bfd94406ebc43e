/* columns_256.cl - a panel of up to 256 rows, spread by columns. */
#define ROWS 1
#define LU_COLUMNS_PANEL lu_columns_256

#include "lu/nvidia/columns.h"

/* columns_1536.cl - a panel of up to 1536 rows, spread by columns. */
#define ROWS 6
#define LU_COLUMNS_PANEL lu_columns_1536

#include "lu/nvidia/columns.h"

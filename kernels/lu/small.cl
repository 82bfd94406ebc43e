/* small.cl - factors a whole small matrix in the registers of a sub-group, two
 * items a row. */
#include "shared/lu_tile.h"

#define NB LU_SMALL
#define ITEMS (2 * LU_SMALL)
#define ROWS 1
#define LU_ALONE lu_small_panel

#include "lu/alone.h"

/* warp.cl - factors a panel of up to 64 rows in the registers of no more items
 * than these rows fill, so that many matrices of a stack run at once. */
#include "lib/real.h"
#include "shared/lu_tile.h"

#define NB LU_NB
#define ITEMS LU_WARP_ITEMS(sizeof(real))
#define LU_ALONE lu_warp_panel

#include "lu/alone.h"

/* warp.cl - a low panel, of 64 rows, in the registers of no more items than
 * they fill: of the matrices of a stack many at once. */
#include "lib/real.h"
#include "shared/lu_tile.h"

#define NB LU_NB
#define ITEMS LU_WARP_ITEMS(sizeof(real))
#define LU_ALONE lu_warp_panel

#include "lu/alone.h"

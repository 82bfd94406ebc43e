/* lu_warp.cl - a low panel in the registers of the fewest items that make a
 * sub-group anywhere: of the matrices of a stack many at once. */
#include "lu_tile.h"

#define NB LU_NB
#define ITEMS LU_WARP_ITEMS
#define LU_ALONE lu_warp_panel

#include "lu_alone.h"

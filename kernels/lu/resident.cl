/* resident.cl - a panel in the registers of one work-group, for any
 * device. */
#include "shared/lu_tile.h"

#define NB LU_NB
#define ITEMS LU_RESIDENT_ITEMS
#define LU_ALONE lu_resident_panel

#include "lu/alone.h"

/* resident.c - see resident.h. */
#include <limits.h>

#include "base/size.h"
#include "ops/lu/resident.h"
#include "shared/lu_tile.h"

static const struct lu_resident residents[] = {
	{ "lu_small_panel", { 2 * LU_SMALL, 2 * LU_SMALL },
	  { LU_SMALL, LU_SMALL }, LU_SMALL },
	{ "lu_warp_panel", { LU_WARP_ITEMS(4), LU_WARP_ITEMS(8) },
	  { LU_RESIDENT_ROWS(LU_WARP_ITEMS(4), 4),
	    LU_RESIDENT_ROWS(LU_WARP_ITEMS(8), 8) }, INT_MAX },
	{ "lu_resident_panel", { LU_RESIDENT_ITEMS, LU_RESIDENT_ITEMS },
	  { LU_RESIDENT_ROWS(LU_RESIDENT_ITEMS, 4),
	    LU_RESIDENT_ROWS(LU_RESIDENT_ITEMS, 8) }, INT_MAX },
};

const struct lu_resident *lu_resident_for(size_t rows, size_t columns,
                                          size_t each)
{
	for (size_t i = 0; i < COUNT(residents); i++)
		if (rows <= (size_t)residents[i].rows[each == 8] &&
		    columns <= (size_t)residents[i].columns)
			return &residents[i];
	return NULL;
}

/* quarter.cl - a panel spread over co-resident work-groups, each of which keeps
 * a quarter of the rows as in lu_spread_panel. */
#define ROWS ((int)(8 / sizeof(real)))
#define LU_SPREAD lu_spread_quarter

#include "lu/nvidia/spread.h"

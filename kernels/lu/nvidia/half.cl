/* half.cl - a panel spread over co-resident work-groups, each of which keeps
 * half as many rows as in lu_spread_panel. */
#define ROWS ((int)(16 / sizeof(real)))
#define LU_SPREAD lu_spread_half

#include "lu/nvidia/spread.h"

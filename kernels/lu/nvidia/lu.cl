/* lu.cl - a panel spread over co-resident work-groups, each of which keeps as
 * many rows as registers hold. */
#define ROWS ((int)(32 / sizeof(real)))
#define LU_SPREAD lu_spread_panel

#include "lu/nvidia/spread.h"

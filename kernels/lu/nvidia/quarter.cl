/* quarter.cl - a panel spread over multiprocessors, for work-groups that
 * keep a quarter of lu_spread_panel's height. */
#define ROWS ((int)(8 / sizeof(real)))
#define LU_SPREAD lu_spread_quarter

#include "lu/nvidia/spread.h"

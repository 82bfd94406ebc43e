/* half.cl - a panel spread over multiprocessors, for work-groups that
 * keep a half of lu_spread_panel's height. */
#define ROWS ((int)(16 / sizeof(real)))
#define LU_SPREAD lu_spread_half

#include "lu/nvidia/spread.h"

/* cast_float64.cl - the conversion from float64, compiled only for devices that
 * have float64: see cast.h. */
#define FP64
#include "device/cast.h"

CAST(cast_float64, double, from[i])

/* cast.cl - conversions from the types that every device has: see cast.h. */
#include "device/cast.h"

CAST(cast_float32, float, from[i])
CAST(cast_int32, int, from[i])
CAST(cast_int64, long, from[i])
CAST(cast_bool, uchar, from[i] != 0)

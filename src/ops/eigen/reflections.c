/* reflections.c - see reflections.h. */
#include <string.h>

#include "base/size.h"
#include "ops/eigen/reflections.h"

enum { BLOCK = 64 };			/* reflections at a time */

size_t reflections_room(size_t n, size_t columns)
{
	return BLOCK * (n + columns + BLOCK);
}

#define LAPACK_BODY "ops/eigen/reflections_real.h"
#include "ops/lapack/each_type.h"

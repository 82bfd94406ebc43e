/* complex_refine.c - see complex_refine.h. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "ops/lapack/exported.h"
#include "ops/solve/complex_refine.h"

enum { WIDTH = 32, STEPS = 5 };

size_t complex_refine_room(size_t n, size_t sides)
{
	return n * size_min(sides, WIDTH) *
	       (sizeof(cplx) + 2 * sizeof(double));
}

#define LAPACK_BODY "ops/solve/complex_refine_body.h"
#include "ops/lapack/each_complex.h"

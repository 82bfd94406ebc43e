/* factor.c - see host.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/pages.h"
#include "ops/solve/host.h"

/* The number of columns that sytrf updates together. With workspace for fewer,
 * sytrf is slower. */
enum { SYMMETRIC_BLOCK = 64 };

#define LAPACK_BODY "ops/solve/factor_real.h"
#include "ops/lapack/each_type.h"

struct failure_detail solve_factor(const struct lapack *l, enum dtype t,
                                   struct prepared *p)
{
	return t == FLOAT32 ? factor_s(l, p) : factor_d(l, p);
}

/* complex_solver.c - see complex_solver.h. */
#include <complex.h>
#include <math.h>

#include "ops/lapack/exported.h"
#include "ops/solve/complex_solver.h"

#define LAPACK_BODY "ops/solve/complex_solver_body.h"
#include "ops/lapack/each_complex.h"

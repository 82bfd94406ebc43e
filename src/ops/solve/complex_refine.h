/* complex_refine.h - iterative refinement of complex systems from the factors
 * of A, as LAPACK's xGERFS does it, but of many right-hand sides at a time. In
 * both types; see ops/lapack/complex.h. */
#ifndef OPS_SOLVE_COMPLEX_REFINE_H
#define OPS_SOLVE_COMPLEX_REFINE_H

#include "ops/solve/complex_solver.h"

/* The backward error at which refinement by factors in complex64 ends. That of
 * a rounded solution is up to a quarter of it. */
#define COMPLEX_FEW_ROUNDINGS (2 * DBL_EPSILON)

/* The bytes of room that are needed. */
size_t complex_refine_room(size_t n, size_t sides);

#define LAPACK_BODY "ops/solve/complex_refine_typed.h"
#include "ops/lapack/each_complex.h"

#endif

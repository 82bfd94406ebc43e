/* complex_solver.h - what follows from a complex matrix's factors: solutions,
 * and estimates of norms. In both types; see ops/lapack/complex.h. */
#ifndef OPS_SOLVE_COMPLEX_SOLVER_H
#define OPS_SOLVE_COMPLEX_SOLVER_H

#include "ops/lapack/complex.h"

/* Columns that are solved for at a time by factors in complex64. */
enum { COMPLEX_NARROW = 32 };

#define LAPACK_BODY "ops/solve/complex_solver_typed.h"
#include "ops/lapack/each_complex.h"

#endif

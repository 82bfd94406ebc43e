/* sparse.h - sparse systems for the tests of iterations. */
#ifndef TESTS_OPS_SOLVE_SPARSE_H
#define TESTS_OPS_SOLVE_SPARSE_H

#include "matrix/sparse.h"
#include "tests/ops/op.h"

enum kind { LAPLACIAN, ANISOTROPIC, CONVECTION, TREFETHEN, INDEFINITE, NEUMANN,
            LONG_ROW, DIAGONAL, UNEVEN };

enum { X, ITERATIONS, CONVERGED, HISTORY };

/* A sparse matrix of g * g rows. */
struct matrix sparse_system(enum kind kind, enum dtype t, size_t g);

/* |b - A x| / |b| of column j, in long double. */
double sparse_residual(const struct matrix *m, const struct matrix *b,
                       const struct matrix *x, size_t j);

#endif

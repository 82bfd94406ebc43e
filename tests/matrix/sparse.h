/* sparse.h - shared by the tests of sparse matrices. */
#ifndef TESTS_MATRIX_SPARSE_H
#define TESTS_MATRIX_SPARSE_H

#include "matrix/sparse.h"

/* Asserts that m is that sparse matrix, entry by entry. */
void sparse_holds(const struct matrix *m, size_t rows, size_t cols,
                  const int64_t *starts, const int32_t *columns,
                  const double *values);

#endif

/* rows.h - the benchmark's rows, for its tests. */
#ifndef TESTS_BENCH_ROWS_H
#define TESTS_BENCH_ROWS_H

#include "bench/rows.h"
#include "tests/test.h"

/* The first row of that work, which must exist. */
const struct bench_row *bench_row_of(const char *work);

/* A float64 matrix of these values. */
struct matrix bench_matrix(const double *values, size_t rows, size_t cols);

/* The operands of a row's first call with dim[0] = m, and memory for its
 * outputs. */
struct args bench_made(const char *work, size_t m);

/* Makes element i of a result wrong by so much. */
void bench_add(struct matrix *m, size_t i, double by);

#endif

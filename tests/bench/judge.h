/* judge.h - what the tests of the benchmark's judges share. */
#ifndef TESTS_BENCH_JUDGE_H
#define TESTS_BENCH_JUDGE_H

#include "bench/rows.h"

/* A float64 matrix of these values. */
struct matrix test_matrix(const double *values, size_t rows, size_t cols);

/* The row that prints that work; the test fails if there is none. */
const struct bench_row *test_row(const char *work);

#endif

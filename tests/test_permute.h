/* test_permute.h - shared by the tests of permute. */
#ifndef TESTS_TEST_PERMUTE_H
#define TESTS_TEST_PERMUTE_H

#include "test_op.h"

/* A permutation of n by Knuth's shuffle, the same for the same seed. */
struct matrix shuffled(size_t n, uint64_t seed);

/* test_op_permute_sparse.c */
void permute_sparse_matrices(TCase *t);

#endif

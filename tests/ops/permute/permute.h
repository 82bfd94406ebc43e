/* permute.h - shared by the tests of permute. */
#ifndef TESTS_OPS_PERMUTE_PERMUTE_H
#define TESTS_OPS_PERMUTE_PERMUTE_H

#include "tests/ops/op.h"

/* A permutation of n by Knuth's shuffle, the same for the same seed. */
struct matrix shuffled(size_t n, uint64_t seed);

/* sparse.c */
void permute_sparse_matrices(TCase *t);

#endif

/* test_spmv.h - shared by the tests of spmv. */
#ifndef TESTS_TEST_SPMV_H
#define TESTS_TEST_SPMV_H

#include "test_op.h"

void spmv_zeros_tests(TCase *c);

#endif

/* hessenberg.h - tests of operation eigen that are part of this folder's
 * case. */
#ifndef TESTS_OPS_HESSENBERG_HESSENBERG_H
#define TESTS_OPS_HESSENBERG_HESSENBERG_H

#include "tests/ops/op.h"

void hessenberg_eigen_tests(TCase *c);

#endif

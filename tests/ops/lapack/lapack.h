/* lapack.h - groups of tests of the calls of LAPACK. */
#ifndef TESTS_OPS_LAPACK_LAPACK_H
#define TESTS_OPS_LAPACK_LAPACK_H

#include <check.h>

void lapack_lahqr_tests(TCase *c);	/* lahqr.c */

#endif

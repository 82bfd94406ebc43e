/* expm.h - the parts of the tests of operation expm. */
#ifndef TESTS_OPS_EXPM_EXPM_H
#define TESTS_OPS_EXPM_EXPM_H

#include <check.h>

void expm_complex_tests(TCase *c);

#endif

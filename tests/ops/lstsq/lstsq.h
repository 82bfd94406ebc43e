/* lstsq.h - the tests of lstsq that stand in files of their own. */
#ifndef TESTS_OPS_LSTSQ_LSTSQ_H
#define TESTS_OPS_LSTSQ_LSTSQ_H

#include "tests/ops/op.h"

void lstsq_add_normal_tests(TCase *c);
void lstsq_add_rank_tests(TCase *c);

#endif

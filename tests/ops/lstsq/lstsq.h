/* lstsq.h - the tests of lstsq that stand in files of their own. */
#ifndef TESTS_OPS_LSTSQ_LSTSQ_H
#define TESTS_OPS_LSTSQ_LSTSQ_H

#include "tests/ops/op.h"

void lstsq_add_normal_tests(TCase *c);
void lstsq_add_rank_tests(TCase *c);

/* rank.c: makes xGELSD and xGELSS fail, as they do if they do not converge,
 * until lstsq_unblock_svd(). */
void lstsq_block_svd(void);
void lstsq_unblock_svd(void);

#endif

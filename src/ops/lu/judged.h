/* judged.h - the residual of factors that are in no answer, for operations that
 * use them on their way. */
#ifndef OPS_LU_JUDGED_H
#define OPS_LU_JUDGED_H

#include "ops/lu/factor.h"
#include "ops/lu/residual.h"

/* Makes p, int64, with A[p] = L U of every matrix, from f->swaps. */
struct buf lu_permutation(struct seq *s, const struct factors *f);
void lu_permutation_need(struct need *n, const struct factors *f);
#define LU_PERMUTATION_KERNELS "lu_finish lu_permutation"

/* lu_residual() of the packed factors f with the permutation p. */
int lu_judge(struct seq *s, struct args *a, const struct factors *f,
             struct buf p);
void lu_judge_need(struct need *n, const struct sheet *d,
                   const struct args *a, const struct factors *f);

#endif

/* judged.h - the permutation and the residual of LU factors, for operations
 * that do not answer these factors. */
#ifndef OPS_LU_JUDGED_H
#define OPS_LU_JUDGED_H

#include "ops/lu/factor.h"
#include "ops/lu/residual.h"

/* Returns p, int64_t[stack][m], with A[p] = L U for every matrix, computed from
 * f->swaps. */
struct buf lu_permutation(struct seq *s, const struct factors *f);
void lu_permutation_need(struct need *n, const struct factors *f);
#define LU_PERMUTATION_KERNELS "lu_finish lu_permutation"

/* Calls lu_residual() for the packed factors f with the permutation p. */
int lu_judge(struct seq *s, struct args *a, const struct factors *f,
             struct buf p);
void lu_judge_need(struct need *n, const struct sheet *d,
                   const struct args *a, const struct factors *f);

#endif

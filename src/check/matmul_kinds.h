/* matmul_kinds.h - the factors that products are checked with. */
#ifndef CHECK_MATMUL_KINDS_H
#define CHECK_MATMUL_KINDS_H

#include "check/rows.h"

/* Any factors; what pairs of float16 cannot represent, or not well; what
 * residues cannot represent, or not with few moduli; whole numbers. */
extern const struct kind matmul_kinds[], matmul_hard_kinds[],
                         matmul_wide_kinds[], matmul_whole_kind[];

#endif

/* lu_deep.h - the update of a trailing matrix by many columns of L at once, on
 * tensor cores, by matmul's products (matmul_tf32.h, matmul_f64.h). */
#ifndef OPS_LU_DEEP_H
#define OPS_LU_DEEP_H

#include "ops/lu_factor.h"
#include "ops/matmul_tf32.h"

/* Are the matrices large enough, and does the device have it? */
bool lu_deep_suits(const struct factors *f);
bool lu_deep_works(struct seq *s);

/* Room for all updates by LU_BLOCK columns. */
void lu_deep_need(struct need *n, const struct sheet *d, enum dtype t,
                  const struct factors *f);
struct tf32_room lu_deep_room(struct seq *s, const struct factors *f);

/* A22 -= L21 U12, where L21 has columns j to j + k, for all of the stack. */
void lu_deep_update(struct seq *s, const struct factors *f,
                    struct tf32_room room, size_t j, size_t k);

#endif

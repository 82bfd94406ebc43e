/* seed_kernels.h - the single kernels of "Optimizing Parallel Similarity
 * Transformation" (2021), each launched in one of its versions (`number`) on
 * the operands in[] that it takes. */
#ifndef CHECK_SEED_KERNELS_H
#define CHECK_SEED_KERNELS_H

#include "device/seq.h"

/* When neighbouring sums are alike, as the article has it; absolute. */
#define SEED_ALIKE 1e-3

void seed_kernel_row_sums(struct seq *s, int number, const struct matrix *in,
                          const struct matrix *out);
void seed_kernel_max(struct seq *s, int number, const struct matrix *in,
                     const struct matrix *out);
void seed_kernel_update(struct seq *s, int number, const struct matrix *in,
                        const struct matrix *out);
void seed_kernel_next(struct seq *s, int number, const struct matrix *in,
                      const struct matrix *out);
void seed_kernel_stop(struct seq *s, int number, const struct matrix *in,
                      const struct matrix *out);

#endif

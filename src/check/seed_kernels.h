/* seed_kernels.h - launches the single kernels of "Optimizing Parallel
 * Similarity Transformation" (2021), each in version `number`, on the operands
 * in[] that it takes. */
#ifndef CHECK_SEED_KERNELS_H
#define CHECK_SEED_KERNELS_H

#include "device/seq.h"

/* Neighbouring sums count as alike up to this difference, as in the article. */
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

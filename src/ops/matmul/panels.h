/* panels.h - a product cut into panels whose operands a device can hold
 * in a buffer each: some matrices of the stack, some rows of A and C, some
 * columns of B and C. k stays whole, so that every element is summed as in one
 * piece; where a panel has less than 16 lines, the compiler's code for the last
 * rows and columns of a kernel may round differently. */
#ifndef OPS_MATMUL_PANELS_H
#define OPS_MATMUL_PANELS_H

#include "device/seq.h"
#include "ops/matmul/product.h"
#include "ops/need.h"

/* Sizes of a panel; those of the whole product where it is not cut. */
struct cuts {
	size_t stack, rows, cols;
};

/* The cuts for buffers of `most` elements, where a buffer holds `copies` copies
 * of C, and a copy of B has columns in multiples of `pad`. What cannot be cut
 * that far stays as large as it is. */
struct cuts product_cuts(const struct product *p, size_t most, size_t copies,
                         size_t pad);

/* A panel, and its buffers. */
struct panel {
	struct product p;
	struct buf a, b, c, places;
};

/* Launches the product of one panel by the caller's plan. */
typedef void panel_launch(struct seq *s, const struct panel *x, void *plan);

/* Launches every panel; those that share columns of B follow each other. */
void product_panels(struct seq *s, const struct product *p,
                    const struct cuts *c, panel_launch *launch, void *plan);

/* The device's memory for the operands and C in these cuts, and the places. */
void product_need(struct need *n, const struct sheet *d, enum dtype t,
                  const struct product *p, const struct cuts *c);

#endif

/* panels.h - cuts a product into panels, so that each operand of a panel fits
 * one buffer of the device. A panel has some matrices of the stack, some rows
 * of A and C, and some columns of B and C. k is not cut, so every element is
 * summed as in a product that is not cut. In a panel of fewer than 16 lines,
 * the compiler's code for the last rows and columns of a kernel may
 * nevertheless round differently. */
#ifndef OPS_MATMUL_PANELS_H
#define OPS_MATMUL_PANELS_H

#include "device/seq.h"
#include "ops/matmul/product.h"
#include "ops/need.h"

/* The most matrices, rows and columns of a panel; those of the whole product if
 * it is not cut. */
struct cuts {
	size_t stack, rows, cols;
};

/* Chooses the cuts for buffers of at most `most` elements, if a buffer holds
 * `copies` copies of C and B is copied with its columns padded to a multiple of
 * `pad`. A stack that is broadcast in only some of its dimensions is never cut,
 * and a panel has at least one line, so a buffer may exceed the limit. */
struct cuts product_cuts(const struct product *p, size_t most, size_t copies,
                         size_t pad);

/* A panel, and its buffers. */
struct panel {
	struct product p;
	struct buf a, b, c, places;
};

/* Launches the product of one panel by the caller's plan. */
typedef void panel_launch(struct seq *s, const struct panel *x, void *plan);

/* Launches every panel. Panels that share columns of B follow each other. */
void product_panels(struct seq *s, const struct product *p,
                    const struct cuts *c, panel_launch *launch, void *plan);

/* Adds to n the device memory for the operands and C in these cuts, and for the
 * places. */
void product_need(struct need *n, const struct sheet *d, enum dtype t,
                  const struct product *p, const struct cuts *c);

#endif

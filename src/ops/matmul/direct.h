/* direct.h - float32 products on tensor cores that take operands as
 * they are, in one launch: for what is too small, thin or shallow for packing
 * to pay. */
#ifndef OPS_MATMUL_DIRECT_H
#define OPS_MATMUL_DIRECT_H

#include "device/seq.h"
#include "ops/matmul/product.h"
#include "ops/need.h"

/* Microseconds that it takes on an H200; elsewhere a measure to compare with
 * others'. */
double direct_cost(const struct sheet *d, const struct product *p);

/* Has the device the right answers? */
bool direct_works(struct seq *s);

void direct_need(struct need *n, const struct sheet *d,
                 const struct product *p);
int direct_run(struct seq *s, const struct product *p);

#endif

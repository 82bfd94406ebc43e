/* direct.h - float32 products on tensor cores, whose kernel reads unpacked
 * operands: for products so small, thin or shallow that packing costs more time
 * than it saves. */
#ifndef OPS_MATMUL_DIRECT_H
#define OPS_MATMUL_DIRECT_H

#include "device/seq.h"
#include "ops/matmul/product.h"
#include "ops/need.h"

/* Estimated time in microseconds on an H200. On other devices only a figure to
 * compare with other estimates of this kind (packed_cost in tensor.c). */
double direct_cost(const struct sheet *d, const struct product *p);

/* Does the device compute the products of the probe (probe.h) exactly? */
bool direct_works(struct seq *s);

void direct_need(struct need *n, const struct sheet *d,
                 const struct product *p);
int direct_run(struct seq *s, const struct product *p);

#endif

/* streamed.h - A = L L^T of a matrix in the host's memory, of which the device
 * holds some columns at a time (ops/gang/strips.h): run(), need() and takes()
 * of the variant. */
#ifndef OPS_CHOLESKY_STREAMED_H
#define OPS_CHOLESKY_STREAMED_H

#include "device/seq.h"
#include "ops/need.h"
#include "ops/op.h"

int cholesky_streamed(struct seq *s, struct args *a);
void cholesky_streamed_need(const struct args *a, const struct variant *v,
                            const struct sheet *d, struct need *n);
int cholesky_streamed_takes(const struct args *a, struct err *e);

#endif

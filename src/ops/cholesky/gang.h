/* gang.h - A = L L^T by several devices (struct gang in ops/op.h), each with
 * some blocks of columns. */
#ifndef OPS_CHOLESKY_GANG_H
#define OPS_CHOLESKY_GANG_H

#include "device/seq.h"
#include "ops/need.h"
#include "ops/op.h"

/* The operation's only parameter. */
enum { CHOLESKY_DEVICES };

/* The operation's gang(); run() of one part, and the memory that it takes. */
void cholesky_gang_plan(const struct args *a, int parts, struct gang_plan *g);
int cholesky_gang(struct seq *s, struct args *a);
void cholesky_gang_need(const struct args *a, const struct sheet *d,
                        struct need *n);

#endif

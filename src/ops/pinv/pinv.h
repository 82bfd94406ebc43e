/* pinv.h - the operation pinv's parameter, and how it runs. */
#ifndef OPS_PINV_PINV_H
#define OPS_PINV_PINV_H

#include "device/seq.h"
#include "ops/op.h"

enum { PINV_RCOND };

/* All matrices by LAPACK on the host, with the verdict. */
int pinv_host(struct seq *s, struct args *a);

#endif

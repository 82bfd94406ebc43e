/* pinv.h - the pseudoinverse.
 *
 *     pinv.c      the operation's tables
 *     host.c      the variant that calls LAPACK on the host, and the verdict
 */
#ifndef OPS_PINV_PINV_H
#define OPS_PINV_PINV_H

#include "device/seq.h"
#include "ops/op.h"

/* The operation's parameter. */
enum { PINV_RCOND };

/* Computes the pseudoinverses of all matrices by LAPACK on the host, and the
 * verdict. */
int pinv_host(struct seq *s, struct args *a);

#endif

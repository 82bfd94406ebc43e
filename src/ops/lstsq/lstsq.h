/* lstsq.h - least squares.
 *
 *     lstsq.c     the operation's tables
 *     host.c      the variant that calls LAPACK on the host, and the verdict
 */
#ifndef OPS_LSTSQ_LSTSQ_H
#define OPS_LSTSQ_LSTSQ_H

#include "device/seq.h"
#include "ops/op.h"

/* The operation's parameter, operands and outputs, in the order of its
 * tables. */
enum { LSTSQ_RCOND };
enum { LSTSQ_A, LSTSQ_B };
enum { LSTSQ_X, LSTSQ_RANK, LSTSQ_S };

/* Solves all systems by LAPACK: by xGELSD, and by xGELSS those for which xGELSD
 * does not converge. */
int lstsq_host(struct seq *s, struct args *a);

#endif

/* pinv.h - the pseudoinverse.
 *
 *     pinv.c      the operation's tables
 *     host.c      the variant that calls LAPACK on the host, and the verdict
 *     polar.c     the variant for devices, by the polar decomposition
 */
#ifndef OPS_PINV_PINV_H
#define OPS_PINV_PINV_H

#include "device/seq.h"
#include "ops/need.h"
#include "ops/op.h"

/* The operation's parameter. */
enum { PINV_RCOND };

/* Computes the pseudoinverses of all matrices by LAPACK on the host, and the
 * verdict. */
int pinv_host(struct seq *s, struct args *a);

/* Computes the pseudoinverse of a single large matrix, and the verdict, on the
 * device. Passes the call on to pinv_host() if pinv_polar_fits() returns false,
 * if the matrix has a NaN or an infinity, or if the iteration does not
 * converge. pinv_polar_need() adds the scratch memory. */
int pinv_polar(struct seq *s, struct args *a);
bool pinv_polar_fits(const struct args *a, const struct sheet *d);
void pinv_polar_need(struct need *n, const struct sheet *d,
                     const struct args *a);

#endif

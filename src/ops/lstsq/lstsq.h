/* lstsq.h - least squares.
 *
 *     lstsq.c     the operation's tables
 *     host.c      the variant that calls LAPACK on the host, and its verdict
 *     host_normal.c, host_qr.c
 *                 for host.c: solutions without the singular values
 *     extremes.c  the rank from a few singular values
 *     triangle.c  for host.c: products with U^T U, and with its inverse
 *     normal.c    the variant for devices: normal equations in float64
 *     bounds.c    for normal.c: bounds on the singular values
 *     few.c       for normal.c: the rank, and the solution, by extremes.c
 *     squares.c   for normal.c: the singular values, and the solution by them,
 *                 from the eigenvalues of A^T A
 *     spectral.c  for normal.c: the same from the polar decomposition
 *     reduced.c   for normal.c: the n x n problem that LAPACK solves on the
 *                 host, the outputs, and the verdict
 */
#ifndef OPS_LSTSQ_LSTSQ_H
#define OPS_LSTSQ_LSTSQ_H

#include "device/seq.h"
#include "ops/need.h"
#include "ops/op.h"

/* The operation's parameter, operands and outputs, in the order of its
 * tables. */
enum { LSTSQ_RCOND };
enum { LSTSQ_A, LSTSQ_B };
enum { LSTSQ_X, LSTSQ_RANK, LSTSQ_S };

/* Solves all systems by LAPACK: by xGELSD, and by xGELSS those for which xGELSD
 * does not converge. */
int lstsq_host(struct seq *s, struct args *a);

/* Solves complex systems by ZGELSD. */
int lstsq_complex(struct seq *s, struct args *a);

/* Solves all systems on the device if lstsq_normal_fits() and if none is too
 * ill-conditioned, else all by lstsq_host(). lstsq_normal_need() adds the
 * scratch memory for the device. */
int lstsq_normal(struct seq *s, struct args *a);
bool lstsq_normal_fits(const struct args *a, const struct sheet *d);
void lstsq_normal_need(struct need *n, const struct sheet *d,
                       const struct args *a);
#define LSTSQ_NORMAL_KERNELS                                                 \
	"lstsq_turned lstsq_sum lstsq_down lstsq_up lstsq_give lstsq_mirror " \
	"judge_products judge_short pinv_weigh " POLAR_KERNELS               \
	QR_NORMAL_KERNELS BLAS_GEMM_KERNELS

#endif

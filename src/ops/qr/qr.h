/* qr.h - the QR factorization A P = Q R.
 *
 *     qr.c        the operation's tables and its verdict
 *     host.c      the variant that calls LAPACK on the host
 *     host_tall.c for host.c, tall matrices by CholeskyQR2
 *     host_raw.c  for host.c, the verdict on mode=raw
 *     complex.c   the same for complex matrices
 *     blocked.c   the variant for devices: blocks of Householder reflections
 *     block.c     panels of columns for blocked.c, and products with them
 *     small.c     for blocked.c, small matrices, one work-group for each
 *     tall.c      for blocked.c, tall matrices, in blocks of rows
 *     gram.c      variant `cholesky`: tall matrices by CholeskyQR2
 *     quick.c     for gram.c, matrices that are not ill-conditioned
 *     normal.c    Cholesky's factorization of A^T A in float64, for lstsq too
 *     signs.c     the signs of R's diagonal, for gram.c and quick.c
 *     gang.h      several devices together: gang.c, gang_panels.c,
 *                 gang_judge.c
 *     raw.c       the verdict on mode=raw on the device
 *     judge.c     residual and orthogonality on the device, for svd as well
 *     measure.c   the two measures of judge.c, from the kernels' sums
 *     probe.c     products for such measures on the host, for lstsq and pinv,
 *                 too
 */
#ifndef OPS_QR_QR_H
#define OPS_QR_QR_H

#include "device/seq.h"
#include "ops/need.h"
#include "ops/op.h"
#include "ops/dense.h"

/* The operation's parameters and outputs, in the order of its tables. */
enum { QR_MODE, QR_PIVOT, QR_DEVICES };
enum { QR_THIN, QR_COMPLETE, QR_RAW };
enum { QR_Q, QR_R, QR_P, QR_H, QR_TAU };

/* The sizes of a call's matrices, all of the stack being alike. */
struct qr_sizes {
	size_t stack, m, n;
	size_t k;			/* reflectors: min(m, n) */
	size_t columns;			/* columns of Q, rows of R */
	bool raw;			/* reflections in place of Q and R */
	bool pivots;			/* with column pivoting */
};

struct qr_sizes qr_sizes_of(const struct args *a);

/* Factors all matrices by LAPACK: by xGEQRF, or with pivoting by xGEQP3, and
 * xORGQR. */
int qr_host(struct seq *s, struct args *a);

/* The variant for complex matrices. */
int qr_complex(struct seq *s, struct args *a);

/* Factors all matrices on the device, if qr_blocked_fits(), else by
 * qr_host(). */
int qr_blocked(struct seq *s, struct args *a);

/* Returns whether the device can factor the matrices of the call; with pivoting
 * it factors only small ones. If so, qr_blocked_need() adds the scratch memory
 * that qr_blocked() takes. */
bool qr_blocked_fits(const struct args *a, const struct sheet *d);
void qr_blocked_need(struct need *n, const struct sheet *d,
                     const struct args *a);

/* raw.c: measures an answer that has h and tau. qr's judge_fn (judge.h) calls
 * it. */
struct judge;
void qr_raw_judge(struct judge *j, const struct qr_sizes *z);
#define QR_RAW_KERNELS "qr_raw_start qr_raw_gram qr_raw_t qr_raw_step"

#endif

/* qr.h - the parts of operation qr.
 *
 *     qr.c        the operation's tables and its verdict
 *     host.c      by LAPACK on the host
 *     blocked.c   on the device, by panels of columns
 *     small.c     small matrices, one work-group each
 *     tall.c      tall matrices, by blocks of rows
 *     gram.c      tall matrices, by Cholesky's factorization
 *     judge.c     residual and orthogonality, for svd as well
 *     dense.c     what the tables of qr, svd, lstsq and pinv share
 */
#ifndef OPS_QR_QR_H
#define OPS_QR_QR_H

#include "device/seq.h"
#include "ops/need.h"
#include "ops/op.h"
#include "ops/dense.h"

/* The operation's parameters and outputs, in the order of its tables. */
enum { QR_MODE, QR_PIVOT };
enum { QR_THIN, QR_COMPLETE };
enum { QR_Q, QR_R, QR_P };

/* The size of each problem of a call. */
struct qr_sizes {
	size_t stack, m, n;
	size_t k;			/* reflectors: min(m, n) */
	size_t columns;			/* of Q, rows of R */
	bool pivots;
};

struct qr_sizes qr_sizes_of(const struct args *a);

/* All matrices by LAPACK: xGEQRF or xGEQP3, and xORGQR. */
int qr_host(struct seq *s, struct args *a);

/* On the device, small matrices by one work-group each; what does not fit that
 * by LAPACK. */
int qr_blocked(struct seq *s, struct args *a);

/* Is the call for the device? Then the second function adds its scratch. */
bool qr_blocked_fits(const struct args *a, const struct sheet *d);
void qr_blocked_need(struct need *n, const struct sheet *d,
                     const struct args *a);

#endif

/* device.h - the paths of qr on the device. A small matrix is factored by one
 * work-group (small.c), a tall one in blocks of rows (tall.c), and any other in
 * panels of columns (blocked.c). */
#ifndef OPS_QR_DEVICE_H
#define OPS_QR_DEVICE_H

#include "ops/qr/qr.h"

enum { QR_LOCAL = 48 << 10 };		/* most bytes of local memory used */

/* small.c: does a matrix of these sizes fit a work-group's local memory? */
bool qr_is_small(const struct qr_sizes *z, enum dtype t,
                 const struct sheet *d);

/* Buffers of a stack of small matrices; those of outputs that are not wanted
 * are { 0 }. */
struct qr_small {
	struct buf a, q, r, p;
	struct buf bad;			/* int32_t for each matrix, 1 if it has
					 * a NaN or an infinity */
};

/* Factors them in one launch. */
void qr_small_factor(struct seq *s, const struct qr_sizes *z,
                     const struct qr_small *b);

/* tall.c: is a matrix of these sizes factored in blocks of its rows? */
bool qr_is_tall(const struct qr_sizes *z, enum dtype t,
                const struct sheet *d);

/* Factors all matrices of the call and waits for the result. Sets bad[i] to 1
 * if matrix i has a NaN or an infinity, else to 0. qr_tall_need() adds the
 * scratch memory that this takes. */
int qr_tall_factor(struct seq *s, const struct args *a, int32_t *bad);
void qr_tall_need(struct need *n, const struct sheet *d,
                  const struct args *a);

#endif

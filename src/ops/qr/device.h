/* device.h - the parts of qr on the device: small matrices, one work-group
 * each; tall ones, by blocks of their rows; and all others by panels of columns
 * (blocked.c). */
#ifndef OPS_QR_DEVICE_H
#define OPS_QR_DEVICE_H

#include "ops/qr/qr.h"

enum { QR_LOCAL = 48 << 10 };		/* bytes that a work-group may have */

/* small.c: does such a matrix fit a work-group's local memory? */
bool qr_is_small(const struct qr_sizes *z, enum dtype t,
                 const struct sheet *d);

/* Buffers for a stack of small matrices; { 0 } for what is not wanted. */
struct qr_small {
	struct buf a, q, r, p;
	struct buf bad;			/* 1: a NaN or an infinity; int32_t */
};

void qr_small_factor(struct seq *s, const struct qr_sizes *z,
                     const struct qr_small *b);

/* tall.c: is a matrix so tall that its rows are factored in blocks? */
bool qr_is_tall(const struct qr_sizes *z, enum dtype t,
                const struct sheet *d);

/* Factors all matrices of the call; entry i of bad becomes 1 if matrix i has a
 * NaN or an infinity. The second function adds the scratch memory. */
int qr_tall_factor(struct seq *s, const struct args *a, int32_t *bad);
void qr_tall_need(struct need *n, const struct sheet *d,
                  const struct args *a);

/* blocked.c: W = A D, where powers of 2 bring every column's elements to about
 * 1; and R as it is given, from the upper triangles of matrices of `rows` rows
 * that lie in w. exponents: int32_t[stack][n]; bad: int32_t[stack], as
 * above. */
void qr_load(struct seq *s, const struct args *a, struct buf w,
             struct buf exponents, struct buf bad);
void qr_give_r(struct seq *s, const struct args *a, struct buf w, size_t rows,
               struct buf exponents);

/* gram.c: tall matrices by Cholesky's factorization of A^T A. *done becomes
 * false if a matrix is too ill-conditioned for it, or not finite. */
bool qr_gram_fits(const struct args *a, const struct sheet *d);
int qr_gram_factor(struct seq *s, const struct args *a, bool *done);
void qr_gram_need(struct need *n, const struct sheet *d, const struct args *a);

#endif

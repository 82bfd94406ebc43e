/* device.h - the paths of qr on the device. A small matrix is factored by one
 * work-group (small.c), a tall one in blocks of rows (tall.c), and any other in
 * panels of columns (blocked.c). */
#ifndef OPS_QR_DEVICE_H
#define OPS_QR_DEVICE_H

#include "ops/qr/normal.h"
#include "ops/qr/qr.h"

/* The most bytes of local memory that a kernel gets as arguments. NVIDIA's
 * driver reports 48 KiB, but refuses launches with more than 49,104 bytes
 * (measured for qr_small on an H200). */
enum { QR_LOCAL = 47 << 10 };

/* small.c: returns whether a matrix of these sizes fits a work-group's local
 * memory. */
bool qr_is_small(const struct qr_sizes *z, enum dtype t,
                 const struct sheet *d);

/* Buffers of a stack of small matrices; those of outputs that are not wanted
 * are { 0 }. */
struct qr_small {
	struct buf a, q, r, p, h, tau;
	struct buf bad;			/* int32_t for each matrix, 1 if it has
					 * a NaN or an infinity */
};

/* Factors a stack of small matrices in one launch. */
void qr_small_factor(struct seq *s, const struct qr_sizes *z,
                     const struct qr_small *b);

/* tall.c: returns whether a matrix of these sizes is factored in blocks of its
 * rows. */
bool qr_is_tall(const struct qr_sizes *z, enum dtype t,
                const struct sheet *d);

/* Factors all matrices of the call and waits for the result. Sets bad[i] to 1
 * if matrix i has a NaN or an infinity, else to 0. qr_tall_need() adds the
 * scratch memory that this takes. */
int qr_tall_factor(struct seq *s, const struct args *a, int32_t *bad);
void qr_tall_need(struct need *n, const struct sheet *d,
                  const struct args *a);

/* blocked.c: qr_load() computes W = A D, where powers of 2 on the diagonal of D
 * bring the elements of every column to about 1. qr_give_r() writes the output
 * R, with D undone, from the upper triangles of the matrices in w, which have
 * `rows` rows. exponents: int32_t[stack][n], those of D; bad: int32_t[stack], 1
 * for a matrix with a NaN or an infinity. */
void qr_load(struct seq *s, const struct args *a, struct buf w,
             struct buf exponents, struct buf bad);
void qr_give_r(struct seq *s, const struct args *a, struct buf w, size_t rows,
               struct buf exponents);

/* Records that matrix i has failed because of a NaN or an infinity, with the
 * place of the first one. */
void qr_fail_nonfinite(struct args *a, size_t i);

/* quick.c: tall matrices by Cholesky's factorization of A^T A in float64, which
 * gram.c tries first if qr_normal_fits(). *done becomes false if a matrix is
 * ill-conditioned, or not finite. */
int qr_quick_factor(struct seq *s, const struct args *a, bool *done);
void qr_quick_need(struct need *n, const struct sheet *d,
                   const struct args *a);
#define QR_QUICK_KERNELS QR_NORMAL_KERNELS                                   \
	"qr_normal_apply qr_normal_top qr_normal_signs qr_normal_r "

/* signs.c: qr_find_signs() computes the signs that R's diagonal would have if
 * Householder's reflections had factored A, from the Q of a factorization in
 * which the diagonal of R is positive. x, which is overwritten, has the upper n
 * x n part of Q in float64 (in float32 on devices without float64), with zeros
 * in the columns from n on. ld is a multiple of QR_NORMAL_TILE, and `room` has
 * qr_signs_room(ld) numbers for each matrix. signs becomes
 * int32_t[stack][ld]. */
struct qr_signs {
	size_t stack, ld;
	struct buf x, room, signs;
};
size_t qr_signs_room(size_t ld);
void qr_find_signs(struct seq *s, const struct qr_signs *t);

/* gram.c: tall matrices by Cholesky's factorization of A^T A. *done becomes
 * false if a matrix is too ill-conditioned for it, or not finite. */
bool qr_gram_fits(const struct args *a, const struct sheet *d);
int qr_gram_factor(struct seq *s, const struct args *a, bool *done);
void qr_gram_need(struct need *n, const struct sheet *d, const struct args *a);

#endif

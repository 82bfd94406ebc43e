/* spmv.h - what the variants of the operation spmv, y = A x, share. */
#ifndef OPS_SPMV_SPMV_H
#define OPS_SPMV_SPMV_H

#include "device/seq.h"
#include "ops/op.h"

enum { SPMV_A, SPMV_X, SPMV_Y };	/* operands */
enum { SPMV_ACCUMULATE, SPMV_REPEAT };	/* parameters */

/* One product: y = A x, or y = c + A x. */
struct spmv {
	size_t rows, cols, nnz;
	struct buf index, values;	/* of A */
	struct buf x, y, c;
	int add;
};

/* Calls product() `repeat` times, or once without that parameter, each on the
 * result of the one before; then waits. ERR_NONFINITE when repeated products
 * overflow. */
int spmv_run(struct seq *s, struct args *a,
             void (*product)(struct seq *s, const struct spmv *m, void *way),
             void *way);

/* A's buffers and sizes. */
struct spmv spmv_of(struct seq *s, const struct args *a);

/* The variants. */
int spmv_shares_run(struct seq *s, struct args *a);
int spmv_lanes_run(struct seq *s, struct args *a);
int spmv_coo_run(struct seq *s, struct args *a);
int spmv_ellpack_run(struct seq *s, struct args *a);
int spmv_sell_run(struct seq *s, struct args *a);

/* Their scratch. */
struct need;
void spmv_shares_need(struct need *n, const struct matrix *m);
void spmv_lanes_need(struct need *n, const struct matrix *m);
void spmv_coo_need(struct need *n, const struct matrix *m);
void spmv_slices_need(struct need *n, const struct matrix *m, bool one);

#endif

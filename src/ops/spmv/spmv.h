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

/* Returns A's sizes and buffers. */
struct spmv spmv_of(struct seq *s, const struct args *a);

/* Adds to n the device memory that every variant takes. */
struct need;
void spmv_need(const struct args *a, const struct sheet *d, struct need *n);

/* The functions of the variants. For slices, *v->how is a bool: do all rows
 * form a single slice? */
#define SPMV_VARIANT(name)                                                  \
	int spmv_##name##_run(struct seq *s, struct args *a);               \
	void spmv_##name##_need(const struct args *a,                       \
	                        const struct variant *v,                    \
	                        const struct sheet *d, struct need *n);
SPMV_VARIANT(shares)
SPMV_VARIANT(lanes)
SPMV_VARIANT(coo)
SPMV_VARIANT(slices)
SPMV_VARIANT(complex)

#endif

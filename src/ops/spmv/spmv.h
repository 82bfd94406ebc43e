/* spmv.h - what the variants of the operation spmv, y = A x, share. */
#ifndef OPS_SPMV_SPMV_H
#define OPS_SPMV_SPMV_H

#include "device/seq.h"
#include "ops/op.h"

struct need;

enum { SPMV_A, SPMV_X, SPMV_Y };	/* operands */
enum { SPMV_ACCUMULATE, SPMV_REPEAT };	/* parameters */

/* One product: y = A x, y = c + A x or y = c - A x. */
struct spmv {
	size_t rows, cols, nnz;
	struct buf index, values;	/* of A */
	struct buf x, y, c;
	int add;			/* 0, 1 or -1 */
	struct buf with, dots;		/* on CPUs only: dots becomes the parts
					 * of with^T A x, a float64 for each
					 * work-group; or { 0 } */
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
void spmv_need(const struct args *a, const struct sheet *d, struct need *n);

/* Multiplies often by one sparse matrix: by slices if their padding is small,
 * else by shares on CPUs, and by rows elsewhere. */
struct spmv_ways;
struct spmv_multiplier {
	struct spmv m;
	struct spmv_ways *ways;		/* owned */
	size_t shares;			/* number of parts of a dot product; 0:
					 * this way computes none */
};

/* many.c: makes the buffers. `values` is A's values, or { 0 } for those of m
 * itself. `shared`: as CPUs want it. -1 with the sequence's error. */
int spmv_multiplier_init(struct spmv_multiplier *t, struct seq *s,
                         const struct matrix *m, struct buf values,
                         bool shared);
void spmv_multiplier_fini(struct spmv_multiplier *t);
size_t spmv_multiplier_shares(const struct matrix *m, bool shared);
void spmv_multiplier_need(struct need *n, const struct sheet *d,
                          const struct matrix *m, bool shared);

/* Makes y = A x if add is 0, else y = c + add A x. */
void spmv_multiply(struct seq *s, struct spmv_multiplier *t, int add,
                   struct buf c, struct buf x, struct buf y);

/* Makes y = A x and the t->shares parts of with^T y. */
void spmv_multiply_dot(struct seq *s, struct spmv_multiplier *t, struct buf x,
                       struct buf y, struct buf with, struct buf dots);

/* The slices by which t multiplies, or NULL if it multiplies in another way. */
const struct spmv_slices *
spmv_multiplier_slices(const struct spmv_multiplier *t);

/* The kernels of a multiplier for CPUs, and for other devices. */
#define SPMV_SHARES_KERNELS "spmv_shares spmv_shares_dot spmv_join " \
	"spmv_sell_pack spmv_sell spmv_sell_dot spmv_sorted spmv_sorted_dot"
#define SPMV_OTHER_KERNELS "spmv_lanes spmv_long spmv_slices_pack spmv_slices"

/* What a way to multiply needs beside A, x and y. */
struct spmv_parts {			/* the sums of partial rows: two for
					 * each share */
	size_t n;
	struct buf sums, begin;		/* begin: where shares begin */
};

struct spmv_lanes {
	struct spmv_longs *cut;		/* the rows cut into pieces; owned */
	struct buf list, sums, done;	/* of the long rows' pieces */
};

struct spmv_slices {
	size_t height;			/* rows of a slice */
	struct buf starts, values, columns;
	struct buf order;		/* sell.c: the rows in the order of the
					 * slices; no buffer if that is their
					 * own order */
};

/* rows.c, slices.c: make the buffers for a matrix; -1 with the sequence's error
 * if there is no memory. The product functions fit spmv_run(). */
size_t spmv_shares_of(const struct matrix *m);
void spmv_parts_init(struct spmv_parts *p, struct seq *s,
                     const struct matrix *m);
void spmv_parts_need(struct need *n, const struct matrix *m);
void spmv_by_shares(struct seq *s, const struct spmv *m, void *parts);

int spmv_lanes_init(struct spmv_lanes *l, struct seq *s,
                    const struct matrix *m);
void spmv_lanes_fini(struct spmv_lanes *l);
void spmv_long_rows_need(struct need *n, const struct matrix *m);
void spmv_by_lanes(struct seq *s, const struct spmv *m, void *lanes);

int spmv_slices_init(struct spmv_slices *l, struct seq *s,
                     const struct matrix *m, const struct spmv *of,
                     size_t height);
void spmv_padded_need(struct need *n, const struct matrix *m, size_t height);
void spmv_by_slices(struct seq *s, const struct spmv *m, void *slices);

/* Makes l's buffers for n slices of l->height rows, of which begin[] tells
 * where each begins and where the last ends. Returns whether an earlier call
 * with the same stored matrix has filled them. */
bool spmv_slices_make(struct spmv_slices *l, struct seq *s,
                      const struct matrix *m, const struct spmv *of,
                      const int64_t *begin, size_t n);

/* The padding of slices, relative to the entries, above which compressed rows
 * are faster for many products (Kreutzer and others 2014 call the inverse the
 * efficiency). */
#define SPMV_PADDING 1.3

/* Returns the elements that slices of that height have, padding included; the
 * most that they may have if the entries are not known yet. */
size_t spmv_padded(const struct matrix *m, size_t height);

/* sell.c: the same for slices as CPUs want them; the number of work-groups of a
 * product, which is that of the parts of a dot product. */
int spmv_sell_init(struct spmv_slices *l, struct seq *s,
                   const struct matrix *m, const struct spmv *of);
void spmv_sell_need(struct need *n, const struct matrix *m);
void spmv_by_sell(struct seq *s, const struct spmv *m, void *slices);
size_t spmv_sell_padded(const struct matrix *m);
size_t spmv_sell_groups(const struct matrix *m);

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

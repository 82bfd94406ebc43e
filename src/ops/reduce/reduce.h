/* reduce.h - a call of reduce as its kernels see it. */
#ifndef OPS_REDUCE_REDUCE_H
#define OPS_REDUCE_REDUCE_H

#include <stddef.h>

#include "ops/op.h"
#include "shared/reduce_order.h"

/* The parameters, in the order of op_reduce's table. */
enum { REDUCE_PARAM_OP, REDUCE_PARAM_AXIS };

/* outer x n x inner elements; n is reduced, outer inner answers remain. */
struct reduction {
	enum reduce_op op;
	size_t outer, n, inner;
	const struct matrix *out;	/* absent: not wanted */
};

struct reduction reduction_of(const struct args *a);

/* How it is cut where a buffer holds no more than `most` bytes: so many of
 * the outer ones at a time, or so many blocks of one. Seeds are not. */
struct reduction_cut {
	size_t outer, blocks;
};

struct reduction_cut reduction_cut(const struct reduction *r, enum dtype t,
                                   size_t most);

static inline size_t reduction_blocks(size_t n)
{
	return n ? (n - 1) / REDUCE_BLOCK + 1 : 1;
}

/* Each operation's kernels: of elements, of parts. */
#define REDUCE_ROWS(X)                      \
	X(REDUCE_SUM,     "sum", "sum")     \
	X(REDUCE_PROD,    "prod", "prod")   \
	X(REDUCE_MIN,     "max", "max")     \
	X(REDUCE_MAX,     "max", "max")     \
	X(REDUCE_MEAN,    "sum", "sum")     \
	X(REDUCE_NORM1,   "norm1", "sum")   \
	X(REDUCE_NORM2,   "norm2", "norm2") \
	X(REDUCE_NORMINF, "norminf", "max") \
	X(REDUCE_ARGMIN,  "arg", "arg")     \
	X(REDUCE_ARGMAX,  "arg", "arg")

/* The variants; the same bits by the first three. */
int reduce_canonical_run(struct seq *s, struct args *a);
int reduce_canonical_group_run(struct seq *s, struct args *a);
int reduce_canonical_bulk_run(struct seq *s, struct args *a);
int reduce_seed_run(struct seq *s, struct args *a);

/* The scratch of one launch for that reduction, not cut or cut. */
struct need;
void reduce_canonical_need(struct need *n, const struct reduction *r,
                           const struct reduction_cut *c,
                           const struct sheet *d, bool groups);
void reduce_seed_need(struct need *n, const struct reduction *r,
                      enum dtype t, const struct variant *v,
                      const struct sheet *d);

/* See `exact` in op.h. */
enum dtype reduce_exact_dtype(const struct args *a);

/* Is the answer an integer, which may be beyond int64? */
bool reduction_may_overflow(const struct reduction *r, enum dtype t);

/* For tests and `linalgd check`: that many work-groups a launch; 0 is as the
 * device likes. */
extern size_t reduce_groups;

#endif

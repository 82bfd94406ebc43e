/* reduce.h - a call of reduce as its kernels see it. */
#ifndef OPS_REDUCE_REDUCE_H
#define OPS_REDUCE_REDUCE_H

#include <stddef.h>

#include "ops/op.h"
#include "shared/reduce_order.h"

/* The parameters, in the order of op_reduce's table. */
enum { REDUCE_PARAM_OP, REDUCE_PARAM_AXIS };

/* outer x n x inner elements, reduced along n to outer x inner answers. */
struct reduction {
	enum reduce_op op;
	size_t outer, n, inner;
	const struct matrix *out;	/* absent if it is not wanted */
};

struct reduction reduction_of(const struct args *a);

/* How a canonical reduction is cut where a buffer holds at most `most` bytes:
 * into calls on some of the outer lines, or into some blocks of one line at a
 * time. */
struct reduction_cut {
	size_t outer, blocks;
};

struct reduction_cut reduction_cut(const struct reduction *r, enum dtype t,
                                   size_t most);

static inline size_t reduction_blocks(size_t n)
{
	return n ? (n - 1) / REDUCE_BLOCK + 1 : 1;
}

/* The kernels of each operation: for elements, and for parts. */
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

/* The run() functions of the variants. The first three give the same bits. */
int reduce_canonical_run(struct seq *s, struct args *a);
int reduce_canonical_group_run(struct seq *s, struct args *a);
int reduce_canonical_bulk_run(struct seq *s, struct args *a);
int reduce_seed_run(struct seq *s, struct args *a);

/* complex.c: reduce complex elements by the kernels that the variant has for
 * reals, and tell the memory for that. */
struct need;
int reduce_complex_run(struct seq *s, struct args *a);
void reduce_complex_need(const struct args *a, const struct variant *v,
                         const struct sheet *d, struct need *n);

/* Add to n the scratch memory of one launch for that reduction, cut or
 * whole. */
void reduce_canonical_need(struct need *n, const struct reduction *r,
                           const struct reduction_cut *c,
                           const struct sheet *d, bool groups);
void reduce_seed_need(struct need *n, const struct reduction *r,
                      enum dtype t, const struct variant *v,
                      const struct sheet *d);

/* The function `exact` of op_reduce; see op.h. */
enum dtype reduce_exact_dtype(const struct args *a);

/* Returns whether the result is a norm, which is real for complex elements,
 * too. */
static inline bool reduction_is_norm(enum reduce_op op)
{
	return op == REDUCE_NORM1 || op == REDUCE_NORM2 ||
	       op == REDUCE_NORMINF;
}

/* Returns whether the result is an integer that may exceed int64. */
bool reduction_may_overflow(const struct reduction *r, enum dtype t);

/* For tests and `linalgd check`: the work-groups of a launch; 0 leaves the
 * number to the device's sheet. */
extern size_t reduce_groups;

#endif

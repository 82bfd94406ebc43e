/* stack.h - applies a judge to every matrix of a call's stack, with the
 * elements in long double. */
#ifndef CHECK_STACK_H
#define CHECK_STACK_H

#include "check/host.h"
#include "ops/op.h"

/* One matrix of the answer's stack. A judge may overwrite the elements. */
struct stack_one {
	const struct args *a;
	size_t m, n;			/* rows and columns of operand 0 */
	double eps;			/* unit roundoff of the call's dtype */
	/* The elements of this matrix in every operand and output, row-major;
	 * NULL for those that are absent. Every operand has as many matrices
	 * as the answer. */
	long double *in[OP_INPUTS], *out[OP_OUTPUTS];
};

/* Returns how wrong the answer for that matrix is, as struct judge does. */
typedef double stack_judge(const struct stack_one *s);

/* The worst value of all matrices, and 0 for an empty stack. NAN if one of them
 * is NAN, or if there is no memory. */
double stack_worst(const struct args *a, stack_judge *judge);

/* |A - X Y| / (|A| max(m, n) eps) in the 1-norm, where A is operand 0 and X Y
 * has its shape. A is overwritten by the difference. */
double stack_product(const struct stack_one *s, const struct host_product *p);

/* max |s_i - s*_i| / (s*_1 max(m, n) eps), where s are the singular values in
 * that output and s* those of operand 0 by one-sided Jacobi. It is infinite if
 * s ascends anywhere or has a negative element. Operand 0 is overwritten. */
double stack_singular(const struct stack_one *s, int output);

#endif

/* case.h - prepares and runs one case of `linalgd check`. */
#ifndef CHECK_CASE_H
#define CHECK_CASE_H

#include "check/rows.h"
#include "device/device.h"

/* A row with one variant, dtype, kind of matrices, size and choice. */
struct check_case {
	const struct check_row *row;
	const struct op *op;
	const struct variant *variant;
	enum dtype dtype;
	const struct kind *kind;
	const size_t *size;		/* m, n, k */
	const char *choice;		/* row->vary's value; NULL: none */
};

/* Sets the parameters, makes the operands and allocates the outputs, with
 * memory from the pool. If an operand is a stack of 0 matrices, no operand is
 * filled. The caller owns *a and calls args_fini(), even after an error. */
int check_prepare(const struct check_case *c, struct memory_pool *pool,
                  struct args *a, struct err *e);

/* Runs the call with quality=full, so that a->verdict is exact. Elements of the
 * outputs that the call does not write are garbage. */
int check_call(struct device *d, struct args *a, struct err *e);

/* Returns the judge's value for a finished call. 0 if there is nothing to
 * judge, because an operand is a stack of 0 matrices and the outputs are
 * empty. */
double check_value(const struct judge *j, const struct args *a);

#endif

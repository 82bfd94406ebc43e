/* case.h - one case of a row of `linalgd check`: prepares its call and runs
 * it. */
#ifndef CHECK_CASE_H
#define CHECK_CASE_H

#include "check/rows.h"
#include "device/device.h"

struct check_case {
	const struct check_row *row;
	const struct op *op;
	const struct variant *variant;
	enum dtype dtype;
	const struct kind *kind;
	const size_t *size;		/* m, n, k */
	const char *choice;		/* of row->vary, or NULL */
};

/* Fills the operands and allocates the outputs. The caller calls args_fini() in
 * any case. */
int check_prepare(const struct check_case *c, struct memory_pool *pool,
                  struct args *a, struct err *e);

/* Runs the call and its own ratio. Elements that it does not write are
 * garbage. */
int check_call(struct device *d, struct args *a, struct err *e);

#endif

/* operands.h - converts a request's operands to the element type and layout
 * that the operation computes with. */
#ifndef HTTP_OPERANDS_H
#define HTTP_OPERANDS_H

#include "ops/op.h"

/* Converts the operands to the dtype that args_settle_dtype() has chosen. May
 * run on any thread. */
int operands_convert(struct args *a, struct memory_pool *p, struct err *e);

/* Estimates the bytes that will be read and written to choose the dtype and to
 * convert operands. dtype: the one that the request names; -1: none. */
double operands_convert_cost(const struct args *a, int dtype);

/* Returns whether the conversion takes longer than a millisecond. */
static inline bool operands_convert_long(const struct args *a, int dtype)
{
	return operands_convert_cost(a, dtype) > 2 << 20;
}

/* Prefaults the outputs' pages on helper threads; called while the operands are
 * uploaded. Outputs in a client's share are left out, because their pages are
 * used again and again. */
void operands_touch_outputs(const struct args *a);

#endif

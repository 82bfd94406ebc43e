/* operands.h - a request's operands, from the types and layouts they came in
 * to those that the operation works on.
 */
#ifndef HTTP_OPERANDS_H
#define HTTP_OPERANDS_H

#include "ops/op.h"

/* To the dtype that args_settle_dtype() settled. Any thread. */
int operands_convert(struct args *a, struct memory_pool *p, struct err *e);

/* About how many bytes will be read and written to convert the elements that
 * are of another type than the others or than dtype (-1: none wanted), that
 * are in another layout, or that are looked at before the type is settled. */
double operands_convert_cost(const struct args *a, int dtype);

/* More than a millisecond's? */
static inline bool operands_convert_long(const struct args *a, int dtype)
{
	return operands_convert_cost(a, dtype) > 2 << 20;
}

#endif

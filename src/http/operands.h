/* operands.h - a request's operands, from the types and layouts they came in
 * to those that the operation works on.
 */
#ifndef HTTP_OPERANDS_H
#define HTTP_OPERANDS_H

#include "ops/op.h"

/* To the dtype that args_settle_dtype() settled. Any thread. */
int operands_convert(struct args *a, struct memory_pool *p, struct err *e);

/* Will there be more than a millisecond's conversion: many elements of
 * another type than the others or than dtype (-1: none wanted), or in another
 * layout? */
bool operands_convert_long(const struct args *a, int dtype);

#endif

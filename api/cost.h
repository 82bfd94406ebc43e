/* cost.h - what an operation costs, for its page. */
#ifndef API_COST_H
#define API_COST_H

#include "ops/op.h"

/* Prints a table in Markdown of the operations and bytes that the operation's
 * flops() and bytes() count for its sample operands at a few sizes. Ends the
 * program if these cannot be made. */
void cost_print(const struct op *o);

#endif

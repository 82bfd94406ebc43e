/* execute.h - runs one call whose variant is chosen: computes, judges, and
 * settles the failures of a stack. */
#ifndef OPS_EXECUTE_H
#define OPS_EXECUTE_H

#include "ops/op.h"

/* Afterwards the outputs lie in their memory and a->verdict is set. -1 with
 * the sequence's error; the outputs' shapes, and what is wanted and judged, are
 * then as before, so that the call may begin again. */
int op_execute(struct seq *s, struct args *a);

#endif

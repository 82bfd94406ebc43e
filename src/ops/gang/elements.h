/* elements.h - the elements of a verdict's vectors (ops/qr/judge.h) by which
 * one part of a gang multiplies its columns. */
#ifndef OPS_GANG_ELEMENTS_H
#define OPS_GANG_ELEMENTS_H

#include "ops/gang/columns.h"
#include "ops/qr/judge.h"

/* Returns the part's elements of the JUDGE_PROBES vectors `all`, of c->n
 * elements each; without `all`, of the vectors of random signs. The sequence
 * fails if there is no memory. */
struct vectors gang_elements(struct judge *j, const struct columns *c,
                             const double *all);

#endif

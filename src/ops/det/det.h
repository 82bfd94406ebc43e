/* det.h - the determinant.
 *
 *     det.c       the operation's tables, and the variants for real matrices
 *     complex.c   the variant for complex ones
 */
#ifndef OPS_DET_DET_H
#define OPS_DET_DET_H

#include "device/seq.h"
#include "ops/op.h"

/* The outputs, in the order of the operation's table. */
enum { DET_DET, DET_SIGN, DET_LOGABSDET };

int det_complex(struct seq *s, struct args *a);

#endif

/* permute.h - what the files of the operation permute share. */
#ifndef OPS_PERMUTE_PERMUTE_H
#define OPS_PERMUTE_PERMUTE_H

#include <stdint.h>

#include "ops/op.h"

/* Sets b to a with its rows and columns permuted, on the host: row i of b is
 * row row[i] of a, and column j of a becomes column column[j]; NULL leaves them
 * in place. b is sparse and allocated with a's nnz. */
int permute_sparse(struct matrix *b, const struct matrix *a,
                   const int32_t *row, const int32_t *column, struct err *e);

#endif

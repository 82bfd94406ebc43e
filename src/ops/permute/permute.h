/* permute.h - what the files of the operation permute share. */
#ifndef OPS_PERMUTE_PERMUTE_H
#define OPS_PERMUTE_PERMUTE_H

#include <stdint.h>

#include "ops/op.h"

/* b, sparse and allocated with a's nnz, becomes a with row i from row row[i]
 * and column j sent to column column[j]; NULL: as they are. By the host: no
 * arithmetic, and rows of different lengths trade places. */
int permute_sparse(struct matrix *b, const struct matrix *a,
                   const int32_t *row, const int32_t *column, struct err *e);

#endif

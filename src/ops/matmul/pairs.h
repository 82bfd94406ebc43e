/* pairs.h - what a product by pairs of float16 keeps of its lines
 * (kernels/matmul/nvidia/pairs.h). */
#ifndef OPS_MATMUL_PAIRS_H
#define OPS_MATMUL_PAIRS_H

#include "ops/matmul/plan.h"

struct pairs_lines {
	size_t lines;			/* rows of A and columns of B, in whole
					   tiles, of all products of the part */
	size_t chunk, chunks;		/* the k that one work-group searches
					   for a line's largest element, and the
					   number of such parts of k */
	size_t wide;			/* words for a row of blocks of C */
	size_t words;			/* for all blocks, and the first */
	size_t bytes;			/* of all */
};

/* For a part of that size of a product planned as g. */
struct pairs_lines pairs_lines_of(const struct gemm_plan *g, size_t k,
                                  const struct cuts *part);

#endif

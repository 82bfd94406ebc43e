/* sum.c - see sum.h. */
#include "base/size.h"
#include "ops/matmul/costs.h"
#include "ops/matmul/sum.h"
#include "shared/matmul_tensor.h"

void matmul_sum(struct seq *s, struct buf splits, struct buf c, size_t n,
                size_t k_splits)
{
	size_t slices = 1;

	while (slices < SUM_MOST_SLICES && k_splits > SUM_ITEM_SPLITS * slices)
		slices *= 2;
	seq_launch(s, "matmul_tensor_sum",
	           GRID1(size_blocks(n, TENSOR_SUM_GROUP / slices) *
	                 TENSOR_SUM_GROUP, TENSOR_SUM_GROUP),
	           ARG_BUF(splits), ARG_BUF(c), ARG_LONG(n), ARG_INT(k_splits),
	           ARG_INT(slices));
}

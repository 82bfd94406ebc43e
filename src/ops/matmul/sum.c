/* sum.c - see sum.h. */
#include "base/size.h"
#include "ops/matmul/sum.h"
#include "shared/matmul_tensor.h"

/* Splits that one work-item adds at most, and work-items that share an element
 * of C at most: the second limit wins. */
enum { ITEM_SPLITS = 8, MOST_SLICES = 32 };

void matmul_sum(struct seq *s, struct buf splits, struct buf c, size_t n,
                size_t k_splits)
{
	size_t slices = 1;

	while (slices < MOST_SLICES && k_splits > ITEM_SPLITS * slices)
		slices *= 2;
	seq_launch(s, "matmul_tensor_sum",
	           GRID1(size_blocks(n, TENSOR_SUM_GROUP / slices) *
	                 TENSOR_SUM_GROUP, TENSOR_SUM_GROUP),
	           ARG_BUF(splits), ARG_BUF(c), ARG_LONG(n), ARG_INT(k_splits),
	           ARG_INT(slices));
}

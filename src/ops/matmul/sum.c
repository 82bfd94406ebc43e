/* sum.c - see sum.h. */
#include "base/size.h"
#include "ops/matmul/sum.h"
#include "shared/matmul_tensor.h"

/* An item adds up to so many parts, unless more than MOST_SLICES items would
 * share an element. */
enum { ITEM_PARTS = 8, MOST_SLICES = 32 };

void matmul_sum(struct seq *s, struct buf of, struct buf c, size_t n,
                size_t parts)
{
	size_t slices = 1;

	while (slices < MOST_SLICES && parts > ITEM_PARTS * slices)
		slices *= 2;
	seq_launch(s, "matmul_tensor_sum",
	           GRID1(size_blocks(n, TENSOR_SUM_GROUP / slices) *
	                 TENSOR_SUM_GROUP, TENSOR_SUM_GROUP),
	           ARG_BUF(of), ARG_BUF(c), ARG_LONG(n), ARG_INT(parts),
	           ARG_INT(slices));
}

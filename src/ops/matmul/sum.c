/* sum.c - see sum.h. */
#include "base/size.h"
#include "ops/matmul/sum.h"
#include "shared/matmul_tensor.h"

void matmul_sum(struct seq *s, const struct gemm_plan *g, struct buf splits,
                struct buf c, size_t n)
{
	seq_launch(s, "matmul_tensor_sum",
	           GRID1(size_blocks(n, TENSOR_SUM_GROUP / g->slices) *
	                 TENSOR_SUM_GROUP, TENSOR_SUM_GROUP),
	           ARG_BUF(splits), ARG_BUF(c), ARG_LONG(n),
	           ARG_INT(g->k_splits), ARG_INT(g->slices));
}

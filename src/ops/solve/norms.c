/* norms.c - the 1-norms of the matrices of a stack, and which of them contain
 * NaN or infinity, by work-groups (kernels/solve/solve.cl). */
#include "ops/lu/residual.h"
#include "ops/solve/solve.h"

enum { GROUP = 256, BROAD = 64, TALL = 256, BESIDE = 4 };

static size_t chunks_of(const struct systems *y)
{
	return size_blocks(y->n, TALL);
}

static size_t sums_size(const struct systems *y, size_t wide)
{
	return y->a_stack * chunks_of(y) * y->n * wide;
}

static size_t most_size(const struct systems *y, size_t wide)
{
	return y->a_stack * size_blocks(y->n, GROUP) * wide;
}

void solve_norms_need(struct need *n, const struct sheet *d,
                      const struct systems *y)
{
	need_buffer(n, sums_size(y, lu_wide_bytes(d)));
	need_buffer(n, most_size(y, lu_wide_bytes(d)));
}

struct solve_norms solve_norms(struct seq *s, const struct systems *y,
                               struct buf bad)
{
	const size_t wide = lu_wide_bytes(seq_sheet(s));
	const struct buf sums = seq_scratch(s, sums_size(y, wide));
	const struct solve_norms norms = {
		.most = seq_scratch(s, most_size(y, wide)),
		.parts = size_blocks(y->n, GROUP),
	};

	seq_work(s, 0, (double)y->a_stack * y->n * y->n *
	               dtype_bytes(seq_dtype(s)));
	seq_launch(s, "solve_look",
	           GRID3(y->n, chunks_of(y) * BESIDE, y->a_stack, BROAD,
	                 BESIDE, 1),
	           ARG_BUF(y->a), ARG_INT(y->n), ARG_BUF(sums), ARG_BUF(bad));
	seq_launch(s, "solve_most", GRID2(y->n, y->a_stack, GROUP, 1),
	           ARG_BUF(sums), ARG_INT(y->n), ARG_INT(chunks_of(y)),
	           ARG_BUF(norms.most));
	return norms;
}

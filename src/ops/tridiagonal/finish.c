/* finish.c - see steps.h and kernels/tridiagonal/finish.cl. */
#include <stdlib.h>

#include "base/size.h"
#include "ops/tridiagonal/steps.h"
#include "shared/tridiagonal_tile.h"

enum { ITEMS = 64 };

void tridiagonal_gather(struct seq *s, size_t n, struct buf z,
                        const size_t *columns, size_t cols, struct buf to)
{
	const size_t bytes = cols * sizeof(int32_t);
	int32_t *from = malloc(bytes);

	if (!from) {
		err_set(seq_err(s), ERR_MEMORY, "no memory for %zu numbers",
		        cols);
		return;
	}
	for (size_t i = 0; i < cols; i++)
		from[i] = (int32_t)columns[i];
	seq_launch(s, "tridiagonal_gather", GRID1(n * cols, ITEMS),
	           ARG_BUF(z), ARG_INT(n),
	           ARG_BUF(seq_constant(s, from, bytes)), ARG_INT(cols),
	           ARG_LONG(n * cols), ARG_BUF(to));
	free(from);
}

void tridiagonal_signs(struct seq *s, size_t n, struct buf z, size_t cols)
{
	seq_launch(s, "tridiagonal_signs",
	           GRID1(size_blocks(cols, SIGN_LANES) * SYTRD_ITEMS,
	                 SYTRD_ITEMS),
	           ARG_BUF(z), ARG_INT(n), ARG_INT(cols));
}

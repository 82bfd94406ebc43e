/* look.c - see steps.h and kernels/tridiagonal/load.cl. */
#include <math.h>

#include "base/size.h"
#include "ops/tridiagonal/steps.h"
#include "shared/tridiagonal_tile.h"

enum { LARGEST, ASYMMETRY, NOT_FINITE, TOLD };

static size_t groups_of(size_t n)
{
	const size_t blocks = size_blocks(n, LOAD_TILE);

	return blocks * blocks;
}

static double number(enum dtype t, const void *x, size_t i)
{
	return t == FLOAT32 ? (double)((const float *)x)[i] :
	                      ((const double *)x)[i];
}

int symmetric_look(struct seq *s, size_t n, struct buf a,
                   struct symmetric_told *told)
{
	const enum dtype t = seq_dtype(s);
	const size_t bytes = TOLD * dtype_bytes(t), groups = groups_of(n);
	const struct buf parts = seq_scratch(s, groups * bytes);
	const struct buf all = seq_scratch(s, bytes);
	double host[TOLD] = { 0 };

	seq_launch(s, "tridiagonal_look", GRID1(groups * SYTRD_ITEMS,
	           SYTRD_ITEMS), ARG_BUF(a), ARG_INT(n),
	           ARG_INT(size_blocks(n, LOAD_TILE)), ARG_BUF(parts));
	seq_launch(s, "tridiagonal_told", GRID1(SYTRD_ITEMS, SYTRD_ITEMS),
	           ARG_BUF(parts), ARG_LONG(groups), ARG_BUF(all));
	seq_read(s, all, 0, host, bytes);
	*told = (struct symmetric_told){
		.largest = number(t, host, LARGEST),
		.asymmetry = number(t, host, ASYMMETRY),
		.finite = number(t, host, NOT_FINITE) == 0,
	};
	return seq_failed(s) ? -1 : 0;
}

void symmetric_look_need(struct need *n, enum dtype t, size_t rows)
{
	const size_t bytes = TOLD * dtype_bytes(t);

	need_buffer(n, groups_of(rows) * bytes);
	need_buffer(n, bytes);
}

int symmetric_power(const struct symmetric_told *told)
{
	return told->largest > 0 ? ilogb(told->largest) : 0;
}

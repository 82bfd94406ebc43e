/* deferred.c - see deferred.h. */
#include "ops/lu/deferred.h"

#include "shared/lu_tile.h"

static struct product product(const struct factors *f,
                              const struct lu_block *x)
{
	return (struct product){
		.m = f->m - x->end, .n = x->to - x->from,
		.k = x->end - x->begin, .stack = 1,
		.a_row = (int64_t)f->n, .a_col = 1,
		.b_row = (int64_t)f->n, .b_col = 1,
	};
}

size_t lu_deferred_block(enum dtype t)
{
	return LU_BLOCK(dtype_bytes(t));
}

/* Returns the largest product of a lane. Lane 0 updates the next block's
 * columns, lane 1 all columns beyond it. */
static struct product largest(const struct factors *f, enum dtype t, int lane)
{
	const size_t block = lu_deferred_block(t);
	const size_t last = block + LU_REST + f->n - factors_pivots(f);
	const size_t wide = lane == 0 ? last : f->n;

	return product(f, &(struct lu_block){
		.end = block, .from = block, .to = size_min(f->n, block + wide)
	});
}

static size_t moves_size(const struct factors *f)
{
	return f->stack * size_blocks(factors_pivots(f), LU_NB) * 2 * LU_NB *
	       sizeof(int32_t);
}

void lu_deferred_need(struct need *n, const struct sheet *d, enum dtype t,
                  const struct factors *f)
{
	need_buffer(n, moves_size(f));
	for (int lane = 0; lane < 2; lane++) {
		const struct product p = largest(f, t, lane);

		submatrix_need(n, d, t, &p);
	}
}

struct lu_deferred lu_deferred_of(struct seq *s, const struct factors *f)
{
	struct lu_deferred d = { .moves = seq_scratch(s, moves_size(f)) };

	for (int lane = 0; lane < 2; lane++) {
		const struct product p = largest(f, seq_dtype(s), lane);

		d.room[lane] = submatrix_room(s, &p);
	}
	return d;
}

void lu_deferred_rows(struct seq *s, const struct factors *f,
                  const struct lu_deferred *d, const struct lu_block *x,
                  size_t first)
{
	const size_t columns = x->to - x->from;
	const size_t strips = size_blocks(columns,
	                                  LU_STRIP(dtype_bytes(seq_dtype(s))));
	const double before = (double)(first - x->begin);
	const double all = (double)(x->end - x->begin);

	if (x->from >= x->end)
		seq_work(s, (double)f->stack * columns *
		            (all * all - before * before), 0);
	seq_launch(s, "lu_block_rows", GRID2(strips * LU_ROWS_ITEMS, f->stack,
	           LU_ROWS_ITEMS, 1), ARG_BUF(f->lu), ARG_INT(f->m),
	           ARG_INT(f->n), ARG_INT(x->begin), ARG_INT(first),
	           ARG_INT(x->end), ARG_INT(x->from), ARG_INT(x->to),
	           ARG_BUF(d->moves));
}

void lu_deferred_update(struct seq *s, const struct factors *f,
                    const struct tensor_room *room, const struct lu_block *at,
                    size_t groups)
{
	const size_t step = f->m * f->n;
	const struct submatrix_product x = {
		.first = {
			.p = product(f, at), .a = f->lu, .b = f->lu,
			.c = f->lu, .places = f->lu,
			.a_at = at->end * f->n + at->begin,
			.b_at = at->begin * f->n + at->from,
			.c_at = at->end * f->n + at->from, .c_row = f->n,
			.minus = true,
		},
		.stack = f->stack, .a_step = step, .b_step = step,
		.c_step = step, .groups = groups,
	};

	submatrix_multiply(s, &x, room);
}

bool lu_deferred_suits(const struct factors *f, enum dtype t)
{
	return factors_pivots(f) >= lu_deferred_block(t) + LU_REST;
}

bool lu_deferred_works(struct seq *s)
{
	return submatrix_works(s, "lu_block_rows");
}

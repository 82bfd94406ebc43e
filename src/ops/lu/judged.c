/* judged.c - see judged.h. */
#include "ops/lu/judged.h"

enum { LANES = 64 };

static size_t items_of(const struct seq *s)
{
	return seq_sheet(s)->type == DEVICE_CPU ? 1 : LANES;
}

struct buf lu_permutation(struct seq *s, const struct factors *f)
{
	const size_t k = factors_pivots(f), word = sizeof(int64_t);
	const size_t items = items_of(s);
	const struct buf pivots = seq_scratch(s, f->stack * k * word);
	const struct buf p = seq_scratch(s, f->stack * f->m * word);

	seq_launch(s, "lu_finish", GRID1(f->stack * items, items),
	           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n),
	           ARG_BUF(f->swaps), ARG_BUF(pivots),
	           ARG_BUF(seq_scratch(s, f->stack)),
	           ARG_BUF(seq_scratch(s, f->stack * word)));
	seq_launch(s, "lu_permutation",
	           GRID2(items > 1 ? f->m : 1, f->stack, items, 1),
	           ARG_BUF(pivots), ARG_INT(f->m), ARG_INT(k), ARG_BUF(p));
	return p;
}

void lu_permutation_need(struct need *n, const struct factors *f)
{
	const size_t word = sizeof(int64_t);

	need_buffer(n, f->stack * factors_pivots(f) * word);
	need_buffer(n, f->stack * f->m * word);
	need_buffer(n, f->stack);
	need_buffer(n, f->stack * word);
}

int lu_judge(struct seq *s, struct args *a, const struct factors *f,
             struct buf p)
{
	const size_t step = f->m * f->n;
	const struct lu_check c = {
		.stack = f->stack, .m = f->m, .n = f->n,
		.a = f->a, .l = f->lu, .u = f->lu, .p = p,
		.l_step = step, .u_step = step, .ldl = f->n, .ldu = f->n,
	};

	return lu_residual(s, a, &c);
}

void lu_judge_need(struct need *n, const struct sheet *d,
                   const struct args *a, const struct factors *f)
{
	lu_residual_need(n, d, f->stack, f->m, f->n,
	                 a->quality == QUALITY_FULL);
}

/* panel.c - see panel.h. */
#include "ops/lu/panel.h"

void lu_panel_factor(struct seq *s, lu_factor_fn *by, const struct factors *f,
                     const struct columns_rows *own)
{
	const struct columns_rows a = { .b = f->a, .ld = f->n };
	const struct columns_rows lu = { .b = f->lu, .ld = f->n };

	columns_copy(s, f->m, f->n, own, &a);
	by(s, f);
	columns_copy(s, f->m, f->n, &lu, own);
}

static void interchange(struct seq *s, const struct lu_panel *p,
                        const struct lu_panel_room *room,
                        const struct columns_rows *c, size_t cols)
{
	const struct columns_rows moved = { .b = room->moved, .ld = cols };
	struct columns_rows from = *c, to = *c;

	from.list = to.list = p->lists;
	to.list_at = p->second;
	columns_copy(s, p->moves, cols, &from, &moved);
	columns_copy(s, p->moves, cols, &moved, &to);
}

void lu_panel_apply(struct seq *s, const struct lu_panel *p,
                    const struct lu_panel_room *room,
                    const struct columns_rows *c, size_t cols)
{
	const struct blas_part l11 = { .b = p->lu, .ld = p->w };
	const struct blas_part l21 = { .b = p->lu, .at = p->r * p->w,
	                               .ld = p->w };
	const struct blas_part u12 = { .b = c->b, .at = c->at + p->j * c->ld,
	                               .ld = c->ld };
	const struct blas_part a22 = { .b = c->b, .ld = c->ld,
	                               .at = u12.at + p->r * c->ld };

	interchange(s, p, room, c, cols);
	blas_trsm(s, &(struct blas_trsm){ .stack = 1, .n = p->r, .sides = cols,
	          .unit = true, .tensor = room->tensor }, &l11, &u12);
	blas_gemm(s, &(struct blas_gemm){ .stack = 1, .m = p->m - p->j - p->r,
	          .n = cols, .k = p->r, .alpha = -1, .beta = 1,
	          .tensor = room->tensor, .groups = room->groups },
	          &l21, &u12, &a22);
}

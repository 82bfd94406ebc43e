/* gang.c - the steps of solve by several devices; see gang.h. */
#include <stdlib.h>

#include "base/size.h"
#include "ops/lapack/stack.h"
#include "ops/lu/residual.h"
#include "ops/solve/gang.h"
#include "ops/solve/iterative.h"

static bool is_suitable(const struct args *a)
{
	return a->in[SOLVE_A].ndim == 2 && a->in[SOLVE_B].ndim <= 2 &&
	       !dtype_is_complex(a->dtype) && !solve_is_iterative(a) &&
	       solve_named(a) == KIND_GENERAL && !solve_turned(a);
}

/* Returns a call's sizes, without any buffers. */
static struct solve_gang gang_of(const struct args *a)
{
	const struct matrix *b = &a->in[SOLVE_B];
	struct solve_gang g = {
		.n = matrix_rows(&a->in[SOLVE_A]),
		.sides = b->ndim > 1 ? matrix_cols(b) : 1,
		.judged = a->quality != QUALITY_NONE,
	};

	g.some = size_min(g.sides, SOLVE_GANG_SIDES);
	g.most = g.some + (g.judged ? SOLVE_TURNED : 0);
	return g;
}

/* Returns how many numbers a part gives the others in one exchange. Each part
 * has room for two exchanges, and uses them in turn. */
static size_t exchanged(const struct solve_gang *g)
{
	return g->n * size_max(size_max(g->most, 3 * g->some), 1);
}

static size_t own_bytes(const struct solve_gang *g)
{
	return 2 * exchanged(g) * sizeof(double);
}

double *solve_gang_own(const struct solve_gang *g)
{
	double *const own = board_own(&g->lu.x, g->lu.x.part);

	return own + g->turn % 2 * exchanged(g);
}

const double *solve_gang_theirs(const struct solve_gang *g, int part)
{
	const double *theirs = board_own(&g->lu.x, part);

	return theirs + (g->turn + 1) % 2 * exchanged(g);
}

bool solve_gang_exchange(struct solve_gang *g)
{
	g->turn++;
	return board_meet(&g->lu.x);
}

void solve_gang_plan(const struct args *a, int parts, struct gang_plan *p)
{
	const size_t each = dtype_bytes(a->dtype);
	struct solve_gang g;

	*p = (struct gang_plan){
		.asked = (int)args_real(a, SOLVE_P_DEVICES, 0),
	};
	if (!is_suitable(a))
		return;
	g = gang_of(a);
	p->width = columns_plan(g.n, parts);
	p->head = board_head_bytes();
	p->board = board_bytes(parts, own_bytes(&g),
	                       lu_gang_slot(g.n, p->width, a->dtype));
	p->moved = (double)g.n * g.n / 2 * each;
}

/* --- memory */

struct sizes { size_t x, more, own, share; };

static struct sizes sizes_of(const struct solve_gang *g,
                             const struct columns *c, const struct sheet *d,
                             enum dtype t)
{
	const size_t each = dtype_bytes(t), most = size_max(g->most, 1);

	return (struct sizes){
		.x = g->n * most * each,
		.more = (c->parts - 1) * c->width * most * each,
		.own = columns_most(c) * most * each,
		.share = g->n * 3 * size_max(g->some, 1) * lu_wide_bytes(d),
	};
}

static int alloc_host(struct solve_gang *g)
{
	const size_t n = g->n;
	double *at = calloc((4 * g->some + 3 * g->most + SOLVE_TURNED + 3) * n,
	                    sizeof *at);

	if (!at)
		return err_set(seq_err(g->s), ERR_MEMORY, "solve: no memory "
		               "for vectors of %zu numbers", n);
	g->room = at;			/* the first one is freed */
	g->b = at + (g->most + 1) * n;
	g->old = g->b + g->some * n;
	g->r = g->old + g->some * n;
	g->size = g->r + g->some * n;
	g->x_now = g->size + g->some * n;
	g->d = g->x_now + g->most * n;
	g->z = g->d + g->most * n;
	g->first = g->z + SOLVE_TURNED * n;
	g->last = g->first + n;
	return 0;
}

static void alloc(struct solve_gang *g)
{
	const struct columns *c = &g->lu.c;
	const struct sizes z = sizes_of(g, c, seq_sheet(g->s),
	                                seq_dtype(g->s));

	for (int i = 0; i < 2; i++)
		g->x[i] = seq_scratch(g->s, z.x);
	g->more = seq_scratch(g->s, z.more);
	g->own = seq_scratch(g->s, z.own);
	g->share = seq_scratch(g->s, z.share);
	g->a = seq_scratch(g->s, g->n * c->own * g->lu.each);
	seq_copy(g->s, c->b, 0, g->a, 0, g->n * c->own * g->lu.each);
}

void solve_gang_need(const struct args *a, const struct sheet *d,
                     lu_need_fn *by, struct need *n)
{
	const struct solve_gang g = gang_of(a);
	const struct columns c = columns_of(a);
	const struct sizes z = sizes_of(&g, &c, d, a->dtype);
	const size_t own = columns_most(&c);

	lu_gang_factor_need(a, d, by, n);
	for (int i = 0; i < 2; i++)
		need_buffer(n, z.x);
	need_buffer(n, z.more);
	need_buffer(n, z.own);
	need_buffer(n, z.share);
	need_buffer(n, g.n * own * dtype_bytes(a->dtype));
	/* The column sums of A and the flag beside them. */
	need_buffer(n, g.n * c.width * dtype_bytes(a->dtype));
	need_buffer(n, sizeof(int32_t));
}

/* --- the steps */

static bool is_finite(const struct matrix *m)
{
	const size_t n = matrix_elements(m);

	return lapack_find_nonfinite(m->dtype, matrix_data(m), n) == n;
}

static void solve_all(struct solve_gang *g, struct args *a)
{
	size_t first = 0;

	lu_gang_order(&g->lu);
	g->order = lu_pivots_after(&g->lu.p, 0);
	g->slot = columns_blocks(&g->lu.c);
	do {
		solve_gang_columns(g, &a->in[SOLVE_B], first,
		                   size_min(g->sides - first, g->some),
		                   &a->out[SOLVE_X]);
		first += g->some;
	} while (first < g->sides && !seq_failed(g->s));
}

static void compute(struct solve_gang *g, struct args *a)
{
	struct solve_tale tale = { .host = g->told, .matrices = 1,
	                           .others = 1 };

	g->told[TOLD_COLUMN] = -1;
	g->told[TOLD_NONFINITE] = !solve_gang_look(g);
	g->told[TOLD_NORM] = g->norm;
	g->told[TOLD_LENGTH] = !is_finite(&a->in[SOLVE_B]);
	if (g->told[TOLD_NONFINITE] == 0 && g->told[TOLD_LENGTH] == 0) {
		lu_gang_factor(&g->lu);
		g->told[TOLD_COLUMN] = (double)g->lu.p.zero;
		if (g->lu.p.zero < 0)
			solve_all(g, a);
	}
	if (!seq_failed(g->s))
		solve_conclude(g->s, a, &tale);
}

int solve_gang_run(struct seq *s, struct args *a, lu_factor_fn *by)
{
	struct solve_gang g = gang_of(a);

	g.s = s;
	g.lu = lu_gang_of(a);
	seq_hold(s, false);
	if (lu_gang_open(&g.lu, s, a, by, own_bytes(&g)) == 0 &&
	    alloc_host(&g) == 0) {
		alloc(&g);
		compute(&g, a);
	}
	seq_wait(s);
	lu_gang_close(&g.lu);
	free(g.room);
	return seq_finish(s);
}

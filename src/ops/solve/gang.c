/* gang.c - the steps of solve by several devices; see gang.h. */
#include "ops/lu/sums.h"
#include "ops/solve/gang.h"

static bool is_suitable(const struct args *a)
{
	return solve_hosted_suits(a) && !solve_turned(a);
}

/* Returns how many numbers a part gives the others in one exchange. Each part
 * has room for two exchanges, and uses them in turn. */
static size_t exchanged(const struct solve_hosted *h)
{
	return h->n * size_max(size_max(h->most, 3 * h->some), 1);
}

static size_t own_bytes(const struct solve_hosted *h)
{
	return 2 * exchanged(h) * sizeof(double);
}

double *solve_gang_own(const struct solve_gang *g)
{
	double *const own = board_own(&g->lu.x, g->lu.x.part);

	return own + g->turn % 2 * exchanged(&g->h);
}

const double *solve_gang_theirs(const struct solve_gang *g, int part)
{
	const double *theirs = board_own(&g->lu.x, part);

	return theirs + (g->turn + 1) % 2 * exchanged(&g->h);
}

bool solve_gang_exchange(struct solve_gang *g)
{
	g->turn++;
	return board_meet(&g->lu.x);
}

void solve_gang_plan(const struct args *a, int parts, struct gang_plan *p)
{
	const size_t each = dtype_bytes(a->dtype);
	struct solve_hosted h;

	*p = (struct gang_plan){
		.asked = (int)args_real(a, SOLVE_P_DEVICES, 0),
	};
	if (!is_suitable(a))
		return;
	h = solve_hosted_of(a, SOLVE_GANG_SIDES);
	p->width = columns_plan(h.n, parts);
	p->head = board_head_bytes();
	p->board = board_bytes(parts, own_bytes(&h),
	                       lu_gang_slot(h.n, p->width, a->dtype));
	p->moved = (double)h.n * h.n / 2 * each;
}

/* --- memory */

struct sizes { size_t x, more, own, share; };

static struct sizes sizes_of(const struct solve_hosted *h,
                             const struct columns *c, const struct sheet *d)
{
	const size_t row = size_max(h->most, 1) * h->each;

	return (struct sizes){
		.x = h->n * row,
		.more = (c->parts - 1) * c->width * row,
		.own = columns_most(c) * row,
		.share = solve_part_share_bytes(h, d),
	};
}

static void alloc(struct solve_gang *g)
{
	struct seq *const s = g->h.s;
	const struct columns *c = &g->lu.c;
	const struct sizes z = sizes_of(&g->h, c, seq_sheet(s));
	const size_t size = g->h.n * c->own * g->h.each;

	for (int i = 0; i < 2; i++)
		g->x[i] = seq_scratch(s, z.x);
	g->more = seq_scratch(s, z.more);
	g->a = (struct solve_part){ .c = *c, .own = seq_scratch(s, z.own),
	                            .share = seq_scratch(s, z.share),
	                            .a = seq_scratch(s, size) };
	seq_copy(s, c->b, 0, g->a.a, 0, size);
}

void solve_gang_need(const struct args *a, const struct sheet *d,
                     lu_need_fn *by, struct need *n)
{
	const struct solve_hosted h = solve_hosted_of(a, SOLVE_GANG_SIDES);
	const struct columns c = columns_of(a);
	const struct sizes z = sizes_of(&h, &c, d);

	lu_gang_factor_need(a, d, by, n);
	for (int i = 0; i < 2; i++)
		need_buffer(n, z.x);
	need_buffer(n, z.more);
	need_buffer(n, z.own);
	need_buffer(n, z.share);
	need_buffer(n, h.n * columns_most(&c) * h.each);
	/* The column sums of A and the flag beside them. */
	need_buffer(n, h.n * c.width * h.each);
	need_buffer(n, sizeof(int32_t));
}

/* --- the steps: struct solve_holder */

static bool look(void *gang)
{
	struct solve_gang *const g = gang;
	double *const own = solve_gang_own(g);
	const struct buf bad = solve_part_bad(&g->h);
	bool finite = true;

	own[0] = solve_part_norm(&g->h, &g->a, bad);
	own[1] = solve_part_is_bad(&g->h, bad);
	if (!solve_gang_exchange(g))
		return true;
	for (int p = 0; p < g->lu.x.parts; p++) {
		g->h.norm = lu_larger(g->h.norm, solve_gang_theirs(g, p)[0]);
		finite &= solve_gang_theirs(g, p)[1] == 0;
	}
	return finite;
}

static ptrdiff_t factor(void *gang)
{
	struct solve_gang *const g = gang;

	lu_gang_factor(&g->lu);
	if (g->lu.p.zero < 0) {
		lu_gang_order(&g->lu);
		g->h.order = lu_pivots_after(&g->lu.p, 0);
		g->slot = columns_blocks(&g->lu.c);
	}
	return g->lu.p.zero;
}

static void rest(void *gang, size_t cols)
{
	struct solve_gang *const g = gang;

	if (cols == 0)
		return;
	solve_part_share(&g->h, &g->a, cols, solve_gang_own(g));
	if (!solve_gang_exchange(g))
		return;
	solve_rest_begin(&g->h, cols);
	for (int p = 0; p < g->lu.x.parts; p++)
		solve_rest_add(&g->h, solve_gang_theirs(g, p), cols);
	solve_rest_end(&g->h, cols);
}

static const struct solve_holder holder = {
	look, factor, solve_gang_substitute, solve_gang_substitute_transposed,
	rest
};

int solve_gang_run(struct seq *s, struct args *a, lu_factor_fn *by)
{
	struct solve_gang g = {
		.h = solve_hosted_of(a, SOLVE_GANG_SIDES),
		.lu = lu_gang_of(a),
	};

	g.h.answers = a->gang.part == 0;
	g.h.factored = 1;
	seq_hold(s, false);
	if (lu_gang_open(&g.lu, s, a, by, own_bytes(&g.h)) == 0 &&
	    solve_hosted_open(&g.h, s, &holder, &g) == 0) {
		alloc(&g);
		solve_hosted_run(&g.h, a);
	}
	seq_wait(s);
	lu_gang_close(&g.lu);
	solve_hosted_close(&g.h);
	return seq_finish(s);
}

/* groups.c - solve by work-groups, all matrices of the stack at once: the
 * launches of kernels/solve/solve.cl and kernels/solve/judge.cl. After the
 * factorization of small matrices a single launch does the rest
 * (kernels/solve/small.cl). */
#include <stdlib.h>

#include "ops/lu/residual.h"
#include "ops/solve/structure.h"
#include "shared/solve_told.h"

enum {
	GROUP = 256,			/* kernels/solve/group.h */
	LOOK = 3,			/* wide numbers in its struct look */
	BESIDE = 64,			/* kernels/solve/solve.cl */
	SMALL = 64,			/* kernels/solve/small.h */
	SMALL_LOCAL = 48 << 10,		/* bytes */
	LANES = 32, TEAMS = 8		/* kernels/solve/judge.cl */
};

_Static_assert((int)LU_TURNED == SOLVE_TURNED, "the probes of A^-T");

struct task {
	struct seq *s;
	const struct systems *y;
	enum solve_kind kind;
	bool turned;			/* with transpose_a */
	struct factors f;
	struct substitution how;
	struct solve_tale tale;
	bool judged;			/* there are probes */
	size_t x_columns, r_columns;	/* of a matrix, with the probes */
	struct buf place;		/* the row that P moves a row of A to */
	struct solve_norms norms;	/* { 0 } without probes */
	struct buf x, old, r, z;	/* columns; z: probes of A^-T */
	struct buf weight[2];		/* W, before and after a step */
	struct buf part[2];		/* backward errors, before and after a
					 * step */
	struct buf about;		/* enum solve_column of each column */
};

/* The kernels' arguments for the right-hand sides. */
#define SIDES(t)                                                             \
	ARG_BUF((t)->y->b), ARG_INT((t)->y->n), ARG_INT((t)->y->sides),      \
	ARG_BUF((t)->y->members), ARG_BUF((t)->y->from),                     \
	ARG_INT((t)->y->columns)

static size_t matrices(const struct task *t)
{
	return t->y->a_stack;
}

/* CPUs would not gain from that launch, and PoCL would compile its many
 * barriers for minutes. SMALL_LOCAL holds the factors in float64. */
static bool is_small(const struct systems *y, const struct sheet *d)
{
	return y->n <= SMALL && d->type != DEVICE_CPU &&
	       d->local_memory_bytes >= SMALL_LOCAL;
}

static size_t row_groups(const struct systems *y)
{
	return size_blocks(y->n, TEAMS);
}

/* A work-group per column of each matrix. */
static struct grid by_columns(const struct task *t, size_t columns)
{
	return GRID2(columns * GROUP, matrices(t), GROUP, 1);
}

/* A work-item per row of each column. */
static struct grid by_rows(const struct task *t, size_t columns)
{
	return GRID3(t->y->n, columns, matrices(t), BESIDE, 1, 1);
}

/* --- scratch */

struct sizes {
	size_t place, x, old, r, z, weight, part, about;
};

static struct sizes sizes_of(const struct systems *y, enum dtype t,
                             size_t wide, bool judged)
{
	const size_t each = dtype_bytes(t), m = y->a_stack, k = y->columns;
	const size_t column = m * y->n * each;

	return (struct sizes){
		.place = m * y->n * sizeof(int32_t),
		.x = column * (k + (judged ? SOLVE_PROBES : 0)),
		.old = column * k,
		.r = column * (k + (judged ? SOLVE_TURNED : 0)),
		.z = judged ? column * SOLVE_TURNED : 0,
		.weight = judged ? column : 0,
		.part = m * k * row_groups(y) * 2 * wide,
		.about = m * k * COLUMN_LENGTH * wide,
	};
}

static void need_all(struct need *n, const struct sizes *z)
{
	const size_t twice[] = { z->part, z->weight };
	const size_t once[] = { z->place, z->x, z->old, z->r, z->about, z->z };

	for (size_t i = 0; i < COUNT(once); i++)
		if (once[i] > 0)
			need_buffer(n, once[i]);
	for (size_t i = 0; i < COUNT(twice); i++)
		for (int k = 0; k < 2 && twice[i] > 0; k++)
			need_buffer(n, twice[i]);
}

static struct factors factors_of(const struct systems *y)
{
	return (struct factors){ .stack = y->a_stack, .m = y->n, .n = y->n,
	                         .pivoting = true, .a = y->a };
}

void solve_groups_need(struct need *n, const struct sheet *d,
                       const struct args *a, const struct systems *y,
                       bool spread)
{
	const bool judged = a->quality != QUALITY_NONE, small = is_small(y, d);
	const struct factors f = factors_of(y);
	const struct sizes z = sizes_of(y, a->dtype, lu_wide_bytes(d),
	                                judged && !small);
	const size_t columns = y->columns + (judged ? SOLVE_TURNED : 0);

	if (y->n == 0 || y->stack == 0)
		return;
	solve_tale_need(n, d, y);
	need_all(n, &z);
	need_buffer(n, y->a_stack * y->n * y->n * dtype_bytes(a->dtype));
	need_buffer(n, factors_swaps(&f));
	solve_structured_need(n, solve_named(a), a->dtype, y);
	(spread ? lu_need_spread : lu_need_tiled)(n, d, a->dtype, &f);
	if (small)
		return;
	solve_norms_need(n, d, y);
	lu_substitution_need(n, &f, a->dtype, spread, columns);
}

static void alloc(struct task *t, bool probes)
{
	const size_t wide = lu_wide_bytes(seq_sheet(t->s));
	const struct sizes z = sizes_of(t->y, seq_dtype(t->s), wide, probes);

	t->place = seq_scratch(t->s, z.place);
	t->x = seq_scratch(t->s, z.x);
	t->old = seq_scratch(t->s, z.old);
	t->r = seq_scratch(t->s, z.r);
	t->about = seq_scratch(t->s, z.about);
	for (int i = 0; i < 2; i++)
		t->part[i] = seq_scratch(t->s, z.part);
	if (!probes)
		return;
	t->z = seq_scratch(t->s, z.z);
	for (int i = 0; i < 2; i++)
		t->weight[i] = seq_scratch(t->s, z.weight);
}

/* --- the steps */

/* X = P B, followed by the probes. */
static void begin(const struct task *t)
{
	const size_t lanes = seq_sheet(t->s)->type == DEVICE_CPU ? 1 : GROUP;

	seq_launch(t->s, "solve_places",
	           GRID2(lanes == 1 ? 1 : t->y->n, matrices(t), lanes, 1),
	           ARG_BUF(t->f.swaps), ARG_INT(t->y->n), ARG_BUF(t->place));
	seq_launch(t->s, "solve_begin", by_rows(t, t->x_columns), SIDES(t),
	           ARG_BUF(t->place), ARG_BUF(t->norms.most),
	           ARG_INT(t->norms.parts), ARG_INT(matrices(t)),
	           ARG_BUF(t->tale.bad), ARG_BUF(t->x));
}

/* R = P (B - A X), and W; later: after a step of refinement. */
static void rest(const struct task *t, bool later)
{
	const double n = t->y->n;

	seq_work(t->s, 2 * n * n * matrices(t) * t->y->columns,
	         n * n * matrices(t) * dtype_bytes(seq_dtype(t->s)));
	seq_launch(t->s, "solve_rest_lanes",
	           GRID3(LANES, row_groups(t->y) * TEAMS, matrices(t), LANES,
	                 TEAMS, 1),
	           ARG_BUF(t->y->a), SIDES(t), ARG_BUF(t->x),
	           ARG_INT(t->x_columns), ARG_BUF(t->place),
	           ARG_BUF(t->about), ARG_INT(later),
	           ARG_BUF(t->weight[later]), ARG_BUF(t->norms.most),
	           ARG_INT(t->norms.parts), ARG_BUF(t->r),
	           ARG_INT(t->r_columns), ARG_BUF(t->part[later]));
}

/* Computes the norms of the first X and its residual, solves with A^T for the
 * probes Z and G, and puts the probes of the third turn beside R. */
static void turn(struct task *t)
{
	seq_launch(t->s, "solve_turn", by_columns(t, t->x_columns),
	           ARG_BUF(t->x), ARG_INT(t->y->n), ARG_INT(t->y->columns),
	           ARG_BUF(t->norms.most), ARG_INT(t->norms.parts),
	           ARG_BUF(t->tale.told), ARG_BUF(t->about), ARG_BUF(t->z));
	rest(t, false);
	if (!t->judged)
		return;
	lu_substitute_transposed(&t->how, t->z);
	seq_launch(t->s, "solve_turn_back", by_columns(t, SOLVE_TURNED),
	           ARG_BUF(t->z), ARG_INT(t->y->n), ARG_INT(t->y->columns),
	           ARG_BUF(t->place), ARG_BUF(t->weight[0]),
	           ARG_BUF(t->norms.most), ARG_INT(t->norms.parts),
	           ARG_BUF(t->tale.told), ARG_BUF(t->r));
}

/* X += A^-1 R, the residual and weights of the result, and the verdict. */
static void step(struct task *t, int count)
{
	/* Only the first step solves for the probes and reports them. */
	const size_t columns = count == 1 ? t->r_columns : t->y->columns;

	lu_substitute(&t->how, t->r, t->r_columns);
	seq_launch(t->s, "solve_step", by_columns(t, columns),
	           ARG_BUF(t->x), ARG_INT(t->x_columns), ARG_BUF(t->old),
	           ARG_BUF(t->r), ARG_INT(t->r_columns), ARG_INT(t->y->n),
	           ARG_INT(t->y->columns),
	           ARG_BUF(t->tale.told), ARG_BUF(t->about));
	rest(t, true);
	seq_launch(t->s, "solve_judge", GRID1(matrices(t) * GROUP, GROUP),
	           SIDES(t), ARG_BUF(t->f.lu), ARG_BUF(t->part[0]),
	           ARG_BUF(t->part[1]), ARG_INT(row_groups(t->y)),
	           ARG_INT(count), ARG_BUF(t->place), ARG_BUF(t->norms.most),
	           ARG_INT(t->norms.parts), ARG_BUF(t->z),
	           ARG_BUF(t->weight[0]), ARG_BUF(t->weight[1]),
	           ARG_INT(matrices(t)),
	           ARG_BUF(t->tale.bad), ARG_BUF(t->tale.told),
	           ARG_BUF(t->about),
	           ARG_LOCAL(GROUP * LOOK * lu_wide_bytes(seq_sheet(t->s))));
}

static void end(const struct task *t, struct buf answer)
{
	seq_launch(t->s, "solve_end", by_rows(t, t->y->columns),
	           ARG_BUF(t->x), ARG_INT(t->x_columns), ARG_INT(t->y->n),
	           ARG_INT(t->y->sides), ARG_BUF(t->y->members),
	           ARG_BUF(t->y->from), ARG_INT(t->y->columns),
	           ARG_BUF(answer));
}

/* Solves the systems and takes one step of refinement. That is nearly always
 * enough, so that the kernel which stores the answer is launched before the
 * host reads the first verdict. */
static int solve_first(struct task *t, struct buf answer)
{
	begin(t);
	lu_substitute(&t->how, t->x, t->x_columns);
	turn(t);
	step(t, 1);
	end(t, answer);
	return solve_tale_read(&t->tale, t->s);
}

static bool goes_on(const struct task *t)
{
	return solve_any_goes_on(&t->tale, TOLD_ACTIVE) ||
	       solve_any_goes_on(&t->tale, TOLD_BACK);
}

/* If one step with the inverses of diagonal blocks was not enough, begins again
 * without them: they may have overflowed, or their errors may hide what
 * substitution would still correct. */
static int refine(struct task *t, struct buf answer)
{
	if (solve_first(t, answer) < 0)
		return -1;
	if (goes_on(t) && t->how.inverts) {
		t->how.inverts = false;
		if (solve_first(t, answer) < 0)
			return -1;
	}
	for (int count = 2; goes_on(t); count++) {
		step(t, count);
		end(t, answer);
		if (solve_tale_read(&t->tale, t->s) < 0)
			return -1;
	}
	return 0;
}

static void factor(struct task *t, bool spread)
{
	t->f = factors_of(t->y);
	factors_alloc(t->s, &t->f);
	if (solve_is_structured(t->kind))
		t->tale.minors = solve_factor_structured(t->s, t->kind,
		    t->turned, t->y, &t->f);
	else
		(spread ? lu_factor_spread : lu_factor_tiled)(t->s, &t->f);
}

static int solve_large(struct task *t, struct buf answer, bool spread)
{
	const size_t k = t->y->columns;

	t->x_columns = k + (t->judged ? SOLVE_PROBES : 0);
	t->r_columns = k + (t->judged ? SOLVE_TURNED : 0);
	alloc(t, t->judged);
	t->norms = solve_norms(t->s, t->y, t->tale.bad);
	if (!t->judged)
		t->norms = (struct solve_norms){ .parts = 0 };
	factor(t, spread);
	t->how = lu_substitution(t->s, &t->f, spread, t->r_columns);
	return refine(t, answer);
}

static int solve_small(struct task *t, struct buf answer, bool spread)
{
	const double n = t->y->n;

	alloc(t, false);
	factor(t, spread);
	seq_work(t->s, 4 * n * n * matrices(t) * t->y->columns, 0);
	seq_launch(t->s, "solve_small", GRID1(matrices(t) * SMALL, SMALL),
	           ARG_BUF(t->y->a), SIDES(t), ARG_BUF(t->f.lu),
	           ARG_BUF(t->f.swaps), ARG_INT(t->judged), ARG_BUF(t->x),
	           ARG_BUF(t->old), ARG_BUF(t->r), ARG_INT(matrices(t)),
	           ARG_BUF(t->tale.bad), ARG_BUF(t->tale.told),
	           ARG_BUF(t->about), ARG_BUF(answer), ARG_FIRST(0));
	return solve_tale_read(&t->tale, t->s);
}

static int solve(struct task *t, struct buf answer, bool spread)
{
	return (is_small(t->y, seq_sheet(t->s)) ? solve_small : solve_large)
	       (t, answer, spread);
}

int solve_groups(struct seq *s, struct args *a)
{
	const bool spread = *(const bool *)a->variant->how;
	struct systems y = systems_of(s, a);
	struct task t = { .s = s, .y = &y, .kind = solve_named(a),
	                  .turned = solve_turned(a),
	                  .judged = a->quality != QUALITY_NONE };
	const struct buf answer = seq_output(s, &a->out[0]);
	const int mark = seq_mark(s);
	int *again = NULL;
	int rc;

	if (y.n == 0 || y.stack == 0)
		return seq_finish(s);
	if (solve_tale_init(&t.tale, s, &y) < 0)
		return -1;
	rc = solve(&t, answer, spread);
	if (rc == 0)
		rc = solve_again(s, &y, &t.tale, mark, &again);
	if (rc == 1)
		rc = solve(&t, answer, spread);
	if (rc == 0)
		rc = solve_conclude(s, a, &t.tale);
	if (rc == 0)
		rc = solve_again_end(s, a, &y, answer, again);
	solve_tale_fini(&t.tale);
	free(again);
	return rc < 0 ? -1 : seq_finish(s);
}

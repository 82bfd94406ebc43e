/* gang_judge.c - what the parts of a gang find out together; see gang.h: the
 * largest element of A, whether it has a NaN or an infinity, its asymmetry; and
 * the same verdict as one device's (tridiagonal.c),
 *
 *     |A X - X diag(lambda)| / (|A| n eps)  and  |I - X^T X| / (n eps).
 *
 * For random vectors p, every part multiplies its columns of X by their
 * elements of p, all add these shares up to X p, and every part multiplies its
 * columns of A, which it uploads once more, by their elements of X p. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/eigen/gang.h"
#include "ops/gang/elements.h"
#include "ops/lu/residual.h"

enum { LARGEST, ASYMMETRY, NOT_FINITE, TOLD, ITEMS = 64 };

static size_t probe_count(const struct eigen_gang *g)
{
	return g->judged ? g->n * JUDGE_PROBES : 0;
}

size_t eigen_gang_own_bytes(const struct eigen_gang *g)
{
	return (TOLD + g->n + 3 * probe_count(g) + 1) * sizeof(double) +
	       2 * g->step * g->each;
}

struct eigen_gang_own eigen_gang_own_of(const struct eigen_gang *g, int part)
{
	double *const look = board_own(&g->x, part);
	double *const values = look + TOLD, *const xp = values + g->n;
	const size_t m = probe_count(g);
	char *const y = (char *)(xp + 3 * m + 1);

	return (struct eigen_gang_own){
		look, values, { y, y + g->step * g->each }, xp, xp + m,
		xp + 2 * m, xp + 3 * m
	};
}

static struct eigen_gang_own own_of(const struct eigen_gang *g)
{
	return eigen_gang_own_of(g, g->x.part);
}

/* --- the matrix */

/* The work-groups of tridiagonal_share for block b. */
static size_t groups_of(const struct eigen_gang *g, size_t b)
{
	return g->ld / LOAD_TILE * size_blocks(columns_width(&g->c, b),
	                                       LOAD_TILE);
}

/* Loads block b as rows; the numbers of its work-groups begin at `from`. */
static void load_block(const struct eigen_gang *g, size_t b, size_t from,
                       struct buf parts)
{
	const struct matrix *a = &g->a->in[EIGEN_A];
	const size_t w = columns_width(&g->c, b), j = b * g->c.width;
	const int mark = seq_mark(g->s);
	const struct buf rows = seq_input_region(g->s, a, &(struct region){
	    j * g->n, w, g->n, g->n });
	const struct buf columns = seq_input_region(g->s, a, &(struct region){
	    j, g->n, w, g->n });

	seq_launch(g->s, "tridiagonal_share",
	           GRID1(groups_of(g, b) * SYTRD_ITEMS, SYTRD_ITEMS),
	           ARG_BUF(rows), ARG_BUF(columns), ARG_INT(g->n), ARG_INT(w),
	           ARG_INT(g->ld), ARG_INT(columns_at(&g->c, b)),
	           ARG_INT(from), ARG_BUF(g->c.b), ARG_BUF(parts));
	seq_drop(g->s, mark);
}

static void look_at_own(struct eigen_gang *g)
{
	const enum dtype t = seq_dtype(g->s);
	const size_t bytes = TOLD * g->each;
	const int mark = seq_mark(g->s);
	const struct buf all = seq_scratch(g->s, bytes);
	double *look = own_of(g).look, host[TOLD] = { 0 };
	size_t groups = 0, from = 0;
	struct buf parts;

	for (size_t b = g->c.part; b < columns_blocks(&g->c); b += g->c.parts)
		groups += groups_of(g, b);
	parts = seq_scratch(g->s, groups * bytes);
	for (size_t b = g->c.part; b < columns_blocks(&g->c); b += g->c.parts) {
		load_block(g, b, from, parts);
		from += groups_of(g, b);
	}
	seq_launch(g->s, "tridiagonal_told", GRID1(SYTRD_ITEMS, SYTRD_ITEMS),
	           ARG_BUF(parts), ARG_LONG(groups), ARG_BUF(all));
	seq_read(g->s, all, 0, host, bytes);
	for (int i = 0; i < TOLD; i++)
		look[i] = t == FLOAT32 ? (double)((const float *)host)[i] :
		                         host[i];
	seq_drop(g->s, mark);
}

bool eigen_gang_load(struct eigen_gang *g)
{
	double most[TOLD] = { 0 };

	look_at_own(g);
	if (!board_meet(&g->x))
		return false;
	for (int p = 0; p < g->x.parts; p++)
		for (int i = 0; i < TOLD; i++)
			most[i] = fmax(most[i],
			               eigen_gang_own_of(g, p).look[i]);
	g->looked = (struct symmetric_told){
		most[LARGEST], most[ASYMMETRY], most[NOT_FINITE] == 0
	};
	g->power = symmetric_power(&g->looked);
	seq_launch(g->s, "tridiagonal_scale", GRID1(g->c.own * g->ld, ITEMS),
	           ARG_BUF(g->c.b), ARG_INT(g->power),
	           ARG_LONG(g->c.own * g->ld));
	return true;
}

/* --- the verdict */

/* Returns the eigenvalues of the part's columns of X, rounded as in the
 * answer. */
static struct buf own_values(const struct eigen_gang *g)
{
	const struct columns *c = &g->c;
	void *x = malloc(c->own * g->each);
	struct buf b = { 0 };

	if (!x) {
		err_set(seq_err(g->s), ERR_MEMORY, "eigen: no memory for %zu "
		        "eigenvalues", c->own);
		return b;
	}
	for (size_t i = 0; i < c->own; i++) {
		const double value = g->values[columns_global(c, i)];

		if (g->each == sizeof(float))
			((float *)x)[i] = (float)value;
		else
			((double *)x)[i] = value;
	}
	b = seq_constant(g->s, x, c->own * g->each);
	free(x);
	return b;
}

/* The shares of X p and, if the eigenvalues are known, X diag(lambda) p. */
static void multiply_x(struct eigen_gang *g, bool known)
{
	const struct eigen_gang_own own = own_of(g);
	const size_t count = probe_count(g);
	const int mark = seq_mark(g->s);
	const struct vectors p = gang_elements(&g->j, &g->c, NULL);
	struct judged x = { .b = g->z, .rows = g->n, .cols = g->c.own };
	struct vectors y;

	if (!seq_failed(g->s)) {
		y = judge_times(&g->j, &x, &p, NULL);
		judge_read(&g->j, y.b, count, own.xp);
	}
	if (!seq_failed(g->s) && known) {
		x.scaled = true;
		x.weights = own_values(g);
		y = judge_times(&g->j, &x, &p, NULL);
		judge_read(&g->j, y.b, count, own.xlp);
	}
	seq_drop(g->s, mark);
}

/* Adds what block b of the columns of A contributes to A X p and to the sum of
 * squares. `room` has a number for each row and probe. */
static void add_block(struct eigen_gang *g, size_t b, const double *xp,
                      double *room)
{
	const struct eigen_gang_own own = own_of(g);
	const int mark = seq_mark(g->s);
	const struct columns c = {
		.n = g->n, .width = g->c.width, .part = b,
		.parts = columns_blocks(&g->c), .own = columns_width(&g->c, b),
	};
	const struct judged a = {
		.b = seq_input_region(g->s, &g->a->in[EIGEN_A], &(struct region)
		    { b * c.width, g->n, c.own, g->n }),
		.rows = g->n, .cols = c.own, .scaled = true,
	};
	const struct vectors x = gang_elements(&g->j, &c, xp);
	struct buf square;

	if (!seq_failed(g->s)) {
		const struct vectors y = judge_times(&g->j, &a, &x, &square);

		judge_read(&g->j, y.b, probe_count(g), room);
		for (size_t i = 0; i < probe_count(g); i++)
			own.axp[i] += room[i];
		judge_read(&g->j, square, g->n, room);
		for (size_t i = 0; i < g->n; i++)
			*own.square += room[i];
	}
	seq_drop(g->s, mark);
}

static void multiply_a(struct eigen_gang *g, const double *xp, double *room)
{
	const struct eigen_gang_own own = own_of(g);

	memset(own.axp, 0, probe_count(g) * sizeof *own.axp);
	*own.square = 0;
	for (size_t b = g->c.part; b < columns_blocks(&g->c) &&
	     !seq_failed(g->s); b += g->c.parts)
		add_block(g, b, xp, room);
}

/* to = the sum of n numbers of every part, which begin `at` numbers after the
 * start of its shares. */
static void add_up(const struct eigen_gang *g, size_t at, size_t n, double *to)
{
	memset(to, 0, n * sizeof *to);
	for (int p = 0; p < g->x.parts; p++) {
		const double *x = eigen_gang_own_of(g, p).xp + at;

		for (size_t i = 0; i < n; i++)
			to[i] += x[i];
	}
}

/* `sums` has room for the sums of all shares; those of X p come first. */
static void judge(struct eigen_gang *g, struct args *a, double *sums)
{
	const size_t count = probe_count(g), n = g->n;
	const bool known = args_wants(a, EIGEN_VALUES);

	multiply_x(g, known);
	if (!board_meet(&g->x))
		return;
	add_up(g, 0, count, sums);
	if (known)
		multiply_a(g, sums, sums + count);
	if (!board_meet(&g->x) || g->x.part > 0)
		return;
	add_up(g, 0, 3 * count + 1, sums);
	if (known)
		a->verdict.residual = judge_residual_of(&g->j, sums + 2 * count,
		    sums + count, n, sums[3 * count], n);
	a->verdict.orthogonality = judge_orthogonality_of(&g->j, sums, n, n);
}

void eigen_gang_judge(struct eigen_gang *g, struct args *a)
{
	double *sums;

	if (a->quality != QUALITY_NONE)
		a->verdict.condition = 1;
	if (!g->judged || seq_failed(g->s))
		return;
	sums = malloc((3 * probe_count(g) + 1) * sizeof *sums);
	if (!sums) {
		err_set(seq_err(g->s), ERR_MEMORY, "eigen: no memory for the "
		        "quality of %zu vectors", g->n);
		return;
	}
	g->j = judge_part(g->s, a, g->power);
	judge(g, a, sums);
	free(sums);
}

void eigen_gang_judge_need(const struct eigen_gang *g, const struct sheet *d,
                           struct need *n)
{
	const size_t vector = JUDGE_PROBES * lu_wide_bytes(d);

	need_buffer(n, vector);			/* the unit */
	need_buffer(n, g->c.own * vector);	/* p */
	need_buffer(n, g->c.own * g->each);	/* its eigenvalues */
	for (int i = 0; i < 3; i++)		/* products, and squares */
		need_buffer(n, g->n * vector);
}

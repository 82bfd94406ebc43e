/* solve.c - the operation solve: A X = B by P A = L U, with one step of
 * iterative refinement whose residual is summed in a higher precision: twice
 * the working one, or for float64 on CPUs 20 bits more than it where the sums
 * cancel (kernels/cpu/solve_remainder.cl). */
#include "ops/solve.h"

#include <stdlib.h>

#include "ops/lu_residual.h"

enum { CHUNK = 4096, ROWS = 16, TEAMS = 8, LANES = 32 };

/* Work-items of a compute unit that scan. */
enum { SCANNERS = 1024, GROUP = 256 };

static const struct operand inputs[] = {
	{ "a", "the square matrix, or a stack of them", 2, false, DENSE },
	{ "b", "the right-hand side: a vector, or a matrix of several", 1,
	  false, DENSE },
	{ 0 }
};

static const struct param params[] = {
	{ 0 }
};

static const struct output outputs[] = {
	{ "x", "the solution, in b's shape", false },
	{ 0 }
};

static int check_stacks(const struct args *a, struct err *e)
{
	const struct systems y = systems_of(NULL, a);
	char s[MATRIX_SHAPE_TEXT], t[MATRIX_SHAPE_TEXT];

	if (!systems_stacks_agree(a))
		return err_set(e, ERR_SHAPE, "solve: a is %.100s and b is "
		               "%.100s: leading dimensions differ",
		               matrix_shape_text(&a->in[0], s),
		               matrix_shape_text(&a->in[1], t));
	if (y.n > LU_MAX || y.sides > LU_MAX || y.stack > LU_MAX)
		return err_set(e, ERR_TOO_LARGE, "solve: %zu systems of %zu "
		               "equations, %zu right-hand sides: sizes end at "
		               "%zu", y.stack, y.n, y.sides, LU_MAX);
	return 0;
}

static int check(const struct args *a, struct err *e)
{
	const struct matrix *m = &a->in[0], *b = &a->in[1];
	const size_t rows = b->dim[b->ndim > 1 ? b->ndim - 2 : 0];
	char s[MATRIX_SHAPE_TEXT], t[MATRIX_SHAPE_TEXT];

	if (matrix_rows(m) != matrix_cols(m))
		return err_set_at(e, ERR_SHAPE, "/a", "solve: matrix is %s, "
		                  "must be square", matrix_shape_text(m, s));
	if (rows != matrix_rows(m))
		return err_set_at(e, ERR_SHAPE, "/b", "solve: a is %.100s and "
		                  "b is %.100s: %zu equations, %zu right-hand "
		                  "values", matrix_shape_text(m, s),
		                  matrix_shape_text(b, t), matrix_rows(m),
		                  rows);
	return check_stacks(a, e);
}

static int shape(struct args *a, struct err *e)
{
	const struct matrix *b = &a->in[1];
	struct matrix *x = &a->out[0];
	const int own = b->ndim > 1 ? 2 : 1;

	(void)e;
	*x = (struct matrix){ .dtype = a->dtype };
	x->ndim = systems_leading(a, x->dim) + own;
	for (int i = 1; i <= own; i++)
		x->dim[x->ndim - i] = b->dim[b->ndim - i];
	return 0;
}

/* LAPACK's count for getrf and getrs. */
static double flops(const struct args *a)
{
	const struct systems y = systems_of(NULL, a);

	return y.a_stack * lu_flops(y.n, y.n) +
	       (double)y.stack * y.sides * y.n * (2.0 * y.n - 1);
}

static double bytes(const struct args *a)
{
	return (double)matrix_size(&a->in[0]) + matrix_size(&a->in[1]) +
	       matrix_size(&a->out[0]);
}

static void scan(struct seq *s, struct buf b, size_t n, struct buf found)
{
	const struct sheet *d = seq_sheet(s);
	const bool cpu = d->type == DEVICE_CPU;
	const size_t items = size_min(d->compute_units * SCANNERS, n);

	seq_work(s, 0, (double)n * dtype_bytes(seq_dtype(s)));
	seq_launch(s, cpu ? "solve_scan" : "solve_scan_lanes",
	           cpu ? GRID1(size_blocks(n, CHUNK), 1)
	               : GRID1(items, GROUP),
	           ARG_BUF(b), ARG_LONG(n), ARG_BUF(found));
}

struct buf solve_scan(struct seq *s, const struct systems *y)
{
	const struct buf found = seq_scratch(s, sizeof(int32_t));

	seq_fill(s, found, 0, sizeof(int32_t), &(int32_t){ 0 },
	         sizeof(int32_t));
	scan(s, y->a, y->a_stack * y->n * y->n, found);
	scan(s, y->b, y->b_stack * y->n * y->sides, found);
	return found;
}

static int refuse_singular(struct seq *s, size_t stack, const int32_t *column)
{
	for (size_t i = 0; i < stack; i++) {
		if (column[i] < 0)
			continue;
		if (stack == 1)
			return err_set_at(seq_err(s), ERR_SINGULAR, "/a",
			                  "solve: matrix is singular: the "
			                  "pivot of column %d, counted from "
			                  "0, is exactly zero", column[i]);
		return err_set_at(seq_err(s), ERR_SINGULAR, "/a", "solve: "
		                  "matrix %zu of the stack is singular: the "
		                  "pivot of column %d, both counted from 0, is "
		                  "exactly zero", i, column[i]);
	}
	return 0;
}

int solve_judge(struct seq *s, size_t a_stack, struct buf found,
                struct buf columns)
{
	int32_t nonfinite = 0, *column = calloc(a_stack + 1, sizeof *column);
	int rc = 0;

	if (!column)
		return err_set(seq_err(s), ERR_MEMORY, "no memory for %zu "
		               "verdicts", a_stack);
	seq_read(s, found, 0, &nonfinite, sizeof nonfinite);
	seq_read(s, columns, 0, column, a_stack * sizeof *column);
	if (!seq_failed(s) && nonfinite)
		rc = err_set(seq_err(s), ERR_NONFINITE, "solve: a or b holds "
		             "a NaN or an infinity");
	else if (!seq_failed(s))
		rc = refuse_singular(s, a_stack, column);
	free(column);
	return rc;
}

/* A work-group a matrix, of what goes side by side: one item on a CPU. */
static size_t lanes_of(struct seq *s)
{
	return seq_sheet(s)->type == DEVICE_CPU ? 1 : GROUP;
}

/* The first columns without a pivot. */
static struct buf verdict(struct seq *s, const struct factors *f)
{
	const struct buf columns = seq_scratch(s, f->stack * sizeof(int32_t));
	const size_t lanes = lanes_of(s);

	seq_launch(s, "solve_verdict", GRID1(f->stack * lanes, lanes),
	           ARG_BUF(f->lu), ARG_INT(f->n), ARG_BUF(columns));
	return columns;
}

/* Which row of P A each row of A is. */
static struct buf places(struct seq *s, const struct factors *f)
{
	const struct buf place = seq_scratch(s, factors_swaps(f));
	const size_t lanes = lanes_of(s);

	seq_launch(s, "solve_places",
	           GRID2(lanes == 1 ? 1 : f->n, f->stack, lanes, 1),
	           ARG_BUF(f->swaps), ARG_INT(f->n), ARG_BUF(place));
	return place;
}

static struct grid by_sides(const struct systems *y, size_t vw)
{
	return GRID3(size_blocks(y->sides, vw), size_blocks(y->n, ROWS),
	             y->stack, 1, 1, 1);
}

/* r = P (b - A x) */
static void remainder_of(struct seq *s, const struct systems *y,
                         struct buf x, struct buf place, struct buf r)
{
	const size_t items = lu_row_items(s);

	seq_work(s, 2.0 * y->stack * y->sides * y->n * y->n, 0);
	if (items > 1)
		seq_launch(s, "solve_residual_lanes",
		           GRID3(y->sides * LANES, y->n, y->stack, LANES,
		                 TEAMS, 1),
		           ARG_BUF(y->a), ARG_INT(y->n), ARG_BUF(y->which),
		           ARG_BUF(y->b), ARG_INT(y->sides), ARG_BUF(y->from),
		           ARG_BUF(x), ARG_BUF(place), ARG_BUF(r));
	else
		seq_launch(s, "solve_residual",
		           GRID3(y->sides, size_blocks(y->n, ROWS), y->stack,
		                 1, 1, 1),
		           ARG_BUF(y->a), ARG_INT(y->n), ARG_BUF(y->which),
		           ARG_BUF(y->b), ARG_INT(y->sides), ARG_BUF(y->from),
		           ARG_BUF(x), ARG_BUF(place), ARG_BUF(r),
		           ARG_LOCAL(2 * lu_wide_bytes(seq_sheet(s))));
}

static void answer(struct seq *s, struct args *a, const struct systems *y,
                   const struct factors *f, const struct substitution *how)
{
	const size_t each = dtype_bytes(seq_dtype(s)), vw = 64 / each;
	const size_t size = y->stack * y->n * y->sides * each;
	const struct buf x = seq_scratch(s, size), r = seq_scratch(s, size);
	const struct buf place = places(s, f);

	/* x = A^-1 b */
	seq_launch(s, "solve_begin", by_sides(y, vw), ARG_BUF(y->b),
	           ARG_INT(y->n), ARG_INT(y->sides), ARG_BUF(y->from),
	           ARG_BUF(y->which), ARG_BUF(place), ARG_BUF(x));
	lu_substitute(s, how, f, y->which, x, y->stack, y->sides);
	/* r = A^-1 (b - A x) */
	remainder_of(s, y, x, place, r);
	lu_substitute(s, how, f, y->which, r, y->stack, y->sides);
	/* x = x + r */
	seq_launch(s, "solve_end", by_sides(y, vw), ARG_BUF(x), ARG_BUF(r),
	           ARG_INT(y->n), ARG_INT(y->sides),
	           ARG_BUF(seq_output(s, &a->out[0])));
}

/* What has no answer is refused in the end: until then nothing waits. */
static int run(struct seq *s, struct args *a, lu_factor_fn *factor,
               const struct substitution *how)
{
	const struct systems y = systems_of(s, a);
	struct factors f = { .stack = y.a_stack, .m = y.n, .n = y.n,
	                     .pivoting = true, .a = y.a };
	const struct buf found = solve_scan(s, &y);
	struct buf columns;

	factors_alloc(s, &f);
	factor(s, &f);
	columns = verdict(s, &f);
	answer(s, a, &y, &f, how);
	if (solve_judge(s, f.stack, found, columns) < 0)
		return -1;
	return seq_finish(s);
}

/* Stacks of small matrices go all at once; the others one by one, each by
 * all cores. */
static bool is_narrow(const struct args *a)
{
	const struct systems y = systems_of(NULL, a);

	return y.a_stack > 1 && y.n <= 512 / dtype_bytes(a->dtype);
}

static int run_blocked(struct seq *s, struct args *a)
{
	return is_narrow(a) ?
	       run(s, a, lu_factor_blocked, &substitution_blocked) :
	       solve_blocked(s, a);
}

static int run_tiled(struct seq *s, struct args *a)
{
	return run(s, a, lu_factor_tiled, &substitution_tiled);
}

static int run_spread(struct seq *s, struct args *a)
{
	return run(s, a, lu_factor_spread, &substitution_spread);
}

/* What run() makes. */
static void need_run(struct need *n, const struct sheet *d, enum dtype t,
                     const struct systems *y, lu_need_fn *factor,
                     const struct substitution *how)
{
	const struct factors f = { .stack = y->a_stack, .m = y->n,
	                           .n = y->n };
	const size_t each = dtype_bytes(t);

	need_buffer(n, y->a_stack * y->n * y->n * each);
	need_buffer(n, factors_swaps(&f));
	factor(n, d, t, &f);
	need_buffer(n, y->a_stack * sizeof(int32_t));
	need_buffer(n, factors_swaps(&f));	/* places */
	for (int i = 0; i < 2; i++) {	/* x and r */
		need_buffer(n, y->stack * y->n * y->sides * each);
		lu_substitute_need(n, how, t, y->n, y->stack, y->sides);
	}
}

static void need(const struct args *a, const struct variant *v,
                 const struct sheet *d, struct need *n)
{
	const struct systems y = systems_of(NULL, a);
	const bool cpu = v->run == run_blocked;

	need_matrices(n, d, a);
	systems_need(n, &y);
	need_buffer(n, sizeof(int32_t));	/* solve_scan's */
	if (cpu && !is_narrow(a))
		solve_blocked_need(n, a->dtype, &y);
	else
		need_run(n, d, a->dtype, &y, cpu ? lu_need_blocked :
		         v->run == run_spread ? lu_need_spread :
		         lu_need_tiled,
		         v->run == run_spread ? &substitution_spread :
		         &substitution_tiled);
	if (a->quality != QUALITY_NONE)
		solve_residual_need(n, d, a, &y);
}

/* b is A times ones, so that x is known. */
static int sample(struct args *a, size_t n, struct memory_pool *pool,
                  struct err *e)
{
	if (lu_sample(&a->in[0], a->dtype, n, pool, e) < 0)
		return -1;
	a->in[1] = (struct matrix){ .dtype = a->dtype, .ndim = 1,
	                            .dim = { n } };
	if (matrix_alloc(&a->in[1], pool, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		double sum = 0;

		for (size_t j = 0; j < n; j++)
			sum += matrix_get(&a->in[0], i * n + j);
		matrix_set(&a->in[1], i, sum);
	}
	return 0;
}

#define AROUND " solve_scan solve_scan_lanes solve_verdict solve_places " \
	"solve_begin solve_residual solve_residual_lanes solve_end " \
	SOLVE_RESIDUAL_KERNELS

static const struct variant variants[] = {
	{ "blocked", NEEDS_CPU, DEVICE_CPU, DTYPE_REALS,
	  SOLVE_BLOCKED_KERNELS " lu_narrow " SUBSTITUTE_BLOCKED_KERNELS
	  AROUND, "linalgd", run_blocked },
	{ "spread", NEEDS_SM80, DEVICE_GPU, DTYPE_REALS,
	  LU_SPREAD_KERNELS " " SUBSTITUTE_SPREAD_KERNELS AROUND, "linalgd",
	  run_spread },
	{ "tiled", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
	  LU_TILED_KERNELS " " SUBSTITUTE_TILED_KERNELS AROUND, "linalgd",
	  run_tiled },
	{ 0 }
};

const struct op op_solve = {
	.name = "solve",
	.summary = "systems of linear equations, A X = B, by LU",
	.dtypes = DTYPE_REALS,
	.inputs = inputs,
	.params = params,
	.outputs = outputs,
	.variants = variants,
	.check = check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.need = need,
	.residual = solve_residual,
	.residual_launches = true,
	.sample = sample,
};

/* groups.c - the launches of kernels/cholesky, for all matrices of the stack at
 * once: a single one for small matrices, or a copy, the factorization
 * (factor.c), and the verdict. The host reads whether a matrix has failed and
 * the worst ratio, and the state of every matrix only if one has failed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/cholesky/tiles.h"
#include "ops/lu/residual.h"
#include "shared/cholesky_tile.h"

struct task {
	struct cholesky_task f;
	struct buf a;
	struct buf parts, terms;	/* wide */
	struct blas_tensor tensor;	/* all zeros: no tensor cores */
	struct cholesky_tiles tiles;
};

static size_t blocks_of(size_t n)
{
	return size_blocks(n, CHOLESKY_COLUMNS);
}

static size_t terms_size(size_t n, size_t stack, size_t wide)
{
	return stack * blocks_of(n) * CHOLESKY_TERMS * wide;
}

/* Returns the bytes of the state: the numbers of enum cholesky_verdict, and two
 * numbers for each matrix. */
static size_t state_size(size_t stack)
{
	return (VERDICT_NUMBERS + 2 * stack) * sizeof(int32_t);
}

/* Returns the bytes of the buffer `state`: the state of the matrices and, after
 * it, the counters of tiles.h. */
static size_t counted_size(size_t n, size_t stack, struct cholesky_how how)
{
	return state_size(stack) + (how.waits && n > CHOLESKY_SMALL ?
	       cholesky_tiles_counters(n, stack) * sizeof(int32_t) : 0);
}

static struct cholesky_how how_of(const struct variant *v)
{
	return *(const struct cholesky_how *)v->how;
}

void cholesky_groups_need(const struct args *a, const struct variant *v,
                          const struct sheet *d, struct need *need)
{
	const size_t n = matrix_rows(&a->in[0]);
	const size_t stack = matrix_stack(&a->in[0]);
	const size_t wide = lu_wide_bytes(d);
	const bool judged = a->quality == QUALITY_ESTIMATE;
	const struct cholesky_how how = how_of(v);
	const struct blas_gemm most = cholesky_largest_update(n, how.waits);

	need_matrices(need, d, a);
	if (n == 0 || stack == 0)
		return;
	need_buffer(need, counted_size(n, stack, how));
	if (n <= CHOLESKY_SMALL)
		return;
	if (how.tensor)
		blas_gemm_need(need, d, a->dtype, &most);
	if (how.waits)
		cholesky_tiles_need(need, d, n, stack, a->dtype, judged);
	if (how.waits && cholesky_tiles_whole(n))
		return;
	need_buffer(need, stack * n * wide);
	if (judged)
		need_buffer(need, terms_size(n, stack, wide));
}

static void begin_state(struct task *t, struct cholesky_how how)
{
	const int32_t none = 0;
	const size_t bytes = counted_size(t->f.n, t->f.stack, how);

	t->f.state = seq_scratch(t->f.s, bytes);
	t->f.state_at = VERDICT_NUMBERS;
	seq_fill(t->f.s, t->f.state, 0, bytes, &none, sizeof none);
}

/* Factors and judges matrices of up to CHOLESKY_SMALL rows. */
static void small(const struct task *t)
{
	static const struct { size_t rows; const char *name; } kernels[] = {
		{ 16, "cholesky_small_16" }, { 32, "cholesky_small_32" },
		{ CHOLESKY_SMALL, "cholesky_small_64" },
	};
	enum { ITEMS = CHOLESKY_SMALL_ITEMS, TERMS = 4 };
	const struct cholesky_task *f = &t->f;
	const size_t n = f->n, each = dtype_bytes(seq_dtype(f->s));
	size_t i = 0;

	while (kernels[i].rows < n)
		i++;
	seq_work(f->s, (double)f->stack * n * n * n / 3,
	         1.5 * f->stack * n * n * each);
	seq_launch(f->s, kernels[i].name,
	           GRID1(f->stack * kernels[i].rows, ITEMS), ARG_BUF(t->a),
	           ARG_INT(n), ARG_INT(f->stack), ARG_BUF(f->l),
	           ARG_BUF(f->state),
	           ARG_LOCAL((ITEMS + BLAS_PITCH) * CHOLESKY_PART * each),
	           ARG_LOCAL(TERMS * ITEMS * lu_wide_bytes(seq_sheet(f->s))),
	           ARG_FIRST(0));
}

/* Launches cholesky_begin, which copies A to L and prepares the verdict. */
static void begin(struct task *t)
{
	const struct cholesky_task *f = &t->f;
	const size_t rows = f->stack * f->n;

	t->parts = seq_scratch(f->s, rows * lu_wide_bytes(seq_sheet(f->s)));
	seq_work(f->s, 0, 1.0 * rows * f->n * dtype_bytes(seq_dtype(f->s)));
	seq_launch(f->s, "cholesky_begin",
	           GRID1(rows * CHOLESKY_LANES, CHOLESKY_LANES),
	           ARG_BUF(t->a), ARG_INT(f->n), ARG_BUF(f->l),
	           ARG_BUF(t->parts), ARG_BUF(f->state), ARG_INT(f->stack));
}

static void judge(struct task *t)
{
	const struct cholesky_task *f = &t->f;
	const size_t n = f->n, stack = f->stack;
	const size_t blocks = blocks_of(n);
	const size_t items = CHOLESKY_COLUMNS * CHOLESKY_DEEP;

	t->terms = seq_scratch(f->s, terms_size(n, stack,
	                       lu_wide_bytes(seq_sheet(f->s))));
	seq_work(f->s, 0, 0.5 * stack * n * n * dtype_bytes(seq_dtype(f->s)));
	seq_launch(f->s, "cholesky_columns",
	           GRID1(stack * blocks * items, items), ARG_BUF(t->a),
	           ARG_BUF(f->l), ARG_INT(n), ARG_INT(blocks),
	           ARG_BUF(t->parts), ARG_BUF(t->terms));
	seq_launch(f->s, "cholesky_judge",
	           GRID1(stack * CHOLESKY_LANES, CHOLESKY_LANES), ARG_INT(n),
	           ARG_INT(blocks), ARG_BUF(t->terms), ARG_BUF(f->state),
	           ARG_INT(stack));
}

/* Finds, on the host, the first element of the lower triangle that is not
 * finite. */
static struct failure_detail find_nonfinite(const struct args *a, size_t index)
{
	const size_t n = matrix_rows(&a->in[0]);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++)
			if (!isfinite(matrix_get(&a->in[0],
			                         (index * n + i) * n + j)))
				return cholesky_nonfinite(i, j);
	return (struct failure_detail){ .code = ERR_INTERNAL };
}

/* Records the matrices that failed. */
static void settle(struct args *a, const int32_t *state)
{
	for (size_t i = 0; i < a->stack; i++) {
		struct failure f = { .index = i };

		if (state[a->stack + i])
			f.detail = find_nonfinite(a, i);
		else if (state[i])
			f.detail = cholesky_not_positive((size_t)state[i]);
		if (f.detail.code != ERR_NONE)
			args_fail(a, &f);
	}
}

static int read_state(const struct task *t, struct args *a)
{
	const size_t size = state_size(t->f.stack);
	int32_t *state = malloc(size);

	if (!state)
		return err_set(seq_err(t->f.s), ERR_MEMORY, "cholesky: no "
		               "memory for %zu matrices", t->f.stack);
	seq_read(t->f.s, t->f.state, 0, state, size);
	if (!seq_failed(t->f.s))
		settle(a, state + VERDICT_NUMBERS);
	free(state);
	return seq_failed(t->f.s) ? -1 : 0;
}

/* Reads the verdict and records the matrices that failed. The kernels count the
 * failures only when they measure the residual (quality=estimate). Otherwise
 * the host reads the state of every matrix. */
static int conclude(const struct task *t, struct args *a)
{
	int32_t verdict[VERDICT_NUMBERS] = { 0 };
	float worst;

	if (a->quality != QUALITY_ESTIMATE)
		return read_state(t, a);
	seq_read(t->f.s, t->f.state, 0, verdict, sizeof verdict);
	memcpy(&worst, &verdict[VERDICT_WORST], sizeof worst);
	a->verdict.residual = worst;
	return verdict[VERDICT_FAILURES] ? read_state(t, a) : 0;
}

/* Copies, factors and judges matrices of more than CHOLESKY_SMALL rows. */
static void large(struct task *t, const struct args *a)
{
	const bool judged = a->quality == QUALITY_ESTIMATE;
	const struct cholesky_how how = how_of(a->variant);
	const bool whole = how.waits && cholesky_tiles_whole(t->f.n);
	const struct blas_gemm most = cholesky_largest_update(t->f.n,
	                                                      how.waits);

	if (how.tensor)
		t->tensor = blas_tensor_of(t->f.s, &most);
	t->f.tensor = &t->tensor;
	seq_output_lower(t->f.s, t->f.l, t->f.n);
	if (how.waits) {
		t->tiles = cholesky_tiles_begin(&t->f, whole ? t->a : t->f.l,
		                                judged, how.tensor);
		t->f.tiles = &t->tiles;
	}
	if (!whole)
		begin(t);
	cholesky_factor(&t->f);
	if (judged && whole)
		cholesky_tiles_judge(&t->f, &t->tiles);
	else if (judged)
		judge(t);
}

int cholesky_groups(struct seq *s, struct args *a)
{
	struct task t = {
		.f = { .s = s, .n = matrix_rows(&a->in[0]), .stack = a->stack,
		       .l = seq_output(s, &a->out[0]) },
		.a = seq_input(s, &a->in[0]),
	};

	if (t.f.n == 0 || t.f.stack == 0) {
		a->verdict.residual = 0;
		return seq_finish(s);
	}
	begin_state(&t, how_of(a->variant));
	if (t.f.n <= CHOLESKY_SMALL)
		small(&t);
	else
		large(&t, a);
	if (conclude(&t, a) < 0)
		return -1;
	return seq_finish(s);
}

/* groups.c - the launches of kernels/cholesky/cholesky.cl, for all matrices of
 * the stack at once. Each panel of NB columns updates the other columns of its
 * block as soon as it is factored; the trailing matrix beyond the block is
 * updated once for the whole block. That update takes most of the time, and it
 * is faster when its inner dimension is larger. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/blas/trsm.h"
#include "ops/cholesky/cholesky.h"
#include "ops/lu/residual.h"
#include "shared/cholesky_tile.h"

enum { NB = CHOLESKY_NB, BLOCK = 4 * NB, LARGE = 16 * NB };

struct task {
	struct seq *s;
	size_t n, stack;
	struct buf a, l;
	struct buf state;		/* int32_t[2][stack] */
	struct buf parts, columns, told;	/* wide */
	struct blas_tensor tensor;	/* all zeros in variant `tiled` */
};

static size_t chunks_of(size_t n)
{
	return size_blocks(n, CHOLESKY_CHUNK);
}

static size_t columns_size(size_t n, size_t stack, size_t wide)
{
	return stack * chunks_of(n) * n * wide;
}

/* Does the variant multiply on tensor cores? */
static bool on_tensor(const struct variant *v)
{
	return *(const bool *)v->how;
}

static size_t block_of(size_t n)
{
	return n < LARGE ? NB : BLOCK;
}

/* No update has more rows, more columns or a larger inner dimension than this
 * one. */
static struct blas_gemm largest_update(size_t n)
{
	const size_t block = block_of(n);

	return (struct blas_gemm){
		.stack = 1, .m = n - size_min(n, NB),
		.n = n - size_min(n, block), .k = block, .alpha = -1,
		.beta = 1, .lower = true,
	};
}

void cholesky_groups_need(const struct args *a, const struct variant *v,
                          const struct sheet *d, struct need *need)
{
	const size_t n = matrix_rows(&a->in[0]);
	const size_t stack = matrix_stack(&a->in[0]);
	const size_t wide = lu_wide_bytes(d);

	const struct blas_gemm most = largest_update(n);

	need_matrices(need, d, a);
	if (n == 0 || stack == 0)
		return;
	if (on_tensor(v))
		blas_gemm_need(need, d, a->dtype, &most);
	need_buffer(need, 2 * stack * sizeof(int32_t));
	need_buffer(need, stack * n * wide);
	if (a->quality == QUALITY_NONE)
		return;
	need_buffer(need, columns_size(n, stack, wide));
	need_buffer(need, stack * TOLD_NUMBERS * wide);
}

static void begin(struct task *t)
{
	const size_t rows = t->stack * t->n;
	const int32_t none = 0;

	t->state = seq_scratch(t->s, 2 * t->stack * sizeof none);
	t->parts = seq_scratch(t->s, rows * lu_wide_bytes(seq_sheet(t->s)));
	seq_fill(t->s, t->state, 0, 2 * t->stack * sizeof none, &none,
	         sizeof none);
	seq_work(t->s, 0, 1.5 * rows * t->n * dtype_bytes(seq_dtype(t->s)));
	seq_launch(t->s, "cholesky_begin",
	           GRID2(CHOLESKY_LANES, rows, CHOLESKY_LANES, 1),
	           ARG_BUF(t->a), ARG_INT(t->n), ARG_BUF(t->l),
	           ARG_BUF(t->parts), ARG_BUF(t->state), ARG_INT(t->stack));
}

/* Factors A11 = L11 L11^T. Few work-items factor a small block. */
static void diagonal(const struct task *t, size_t j)
{
	const size_t nb = size_min(NB, t->n - j), pitch = nb | 1;
	const size_t rows = nb <= 16 ? 16 : nb <= 32 ? 32 : 64;
	const size_t items = rows * size_max(rows / 16, 1);

	seq_work(t->s, (double)t->stack * nb * nb * nb / 3, 0);
	seq_launch(t->s, "cholesky_block", GRID1(t->stack * items, items),
	           ARG_BUF(t->l), ARG_INT(t->n), ARG_INT(j), ARG_INT(nb),
	           ARG_INT(rows), ARG_INT(pitch), ARG_BUF(t->state),
	           ARG_LOCAL(nb * pitch * dtype_bytes(seq_dtype(t->s))));
}

/* Solves L11 L21^T = A21^T for L21. */
static void below(const struct task *t, size_t j)
{
	const size_t n = t->n, step = n * n;
	const struct blas_trsm g = {
		.stack = t->stack, .n = NB, .sides = n - j - NB,
	};
	const struct blas_part l11 = { t->l, j * n + j, n, step, false };
	const struct blas_part l21 = { t->l, (j + NB) * n + j, n, step, true };

	blas_trsm(t->s, &g, &l11, &l21);
}

/* Computes A22 -= L21 L21^T. L21 has the columns begin to end, A22 the columns
 * first to last; both have all rows from `first` on. */
static void update(const struct task *t, size_t begin, size_t end,
                   size_t first, size_t last)
{
	const size_t n = t->n, step = n * n;
	const struct blas_gemm g = {
		.stack = t->stack, .m = n - first, .n = last - first,
		.k = end - begin, .alpha = -1, .beta = 1, .lower = true,
		.tensor = &t->tensor,
	};
	const struct blas_part rows = {
		t->l, first * n + begin, n, step, false,
	};
	const struct blas_part columns = {
		t->l, first * n + begin, n, step, true,
	};
	const struct blas_part a22 = {
		t->l, first * n + first, n, step, false,
	};

	blas_gemm(t->s, &g, &rows, &columns, &a22);
}

static void factor(const struct task *t)
{
	const size_t n = t->n, block = block_of(n);

	for (size_t b = 0; b < n; b += block) {
		const size_t end = size_min(b + block, n);

		for (size_t j = b; j < end; j += NB) {
			diagonal(t, j);
			if (j + NB < n)
				below(t, j);
			if (j + NB < end)
				update(t, j, j + NB, j + NB, end);
		}
		if (end < n)
			update(t, b, end, end, n);
		seq_progress(t->s, (double)end / (double)n);
	}
}

void cholesky_in_place(struct seq *s, size_t n, size_t stack, struct buf l,
                       struct buf state)
{
	const struct task t = { .s = s, .n = n, .stack = stack, .l = l,
	                        .state = state };

	factor(&t);
}

static void judge(struct task *t)
{
	const size_t wide = lu_wide_bytes(seq_sheet(t->s));

	t->columns = seq_scratch(t->s, columns_size(t->n, t->stack, wide));
	t->told = seq_scratch(t->s, t->stack * TOLD_NUMBERS * wide);
	seq_work(t->s, 0, 0.5 * t->stack * t->n * t->n *
	                  dtype_bytes(seq_dtype(t->s)));
	seq_launch(t->s, "cholesky_columns",
	           GRID3(t->n, chunks_of(t->n), t->stack, CHOLESKY_LANES, 1,
	                 1),
	           ARG_BUF(t->l), ARG_INT(t->n), ARG_BUF(t->columns));
	seq_launch(t->s, "cholesky_judge",
	           GRID1(t->stack * CHOLESKY_LANES, CHOLESKY_LANES),
	           ARG_BUF(t->a), ARG_INT(t->n), ARG_BUF(t->parts),
	           ARG_BUF(t->columns), ARG_INT(chunks_of(t->n)),
	           ARG_BUF(t->told));
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
	const size_t size = 2 * t->stack * sizeof(int32_t);
	int32_t *state = malloc(size);

	if (!state)
		return err_set(seq_err(t->s), ERR_MEMORY, "cholesky: no "
		               "memory for %zu matrices", t->stack);
	seq_read(t->s, t->state, 0, state, size);
	if (!seq_failed(t->s))
		settle(a, state);
	free(state);
	return seq_failed(t->s) ? -1 : 0;
}

/* Sets the residual to the worst ratio of the matrices that have not failed. */
static int conclude(const struct task *t, struct args *a)
{
	double *told = lu_wide_read(t->s, t->told, t->stack * TOLD_NUMBERS);

	if (!told)
		return -1;
	for (size_t i = 0; i < t->stack; i++) {
		const double *of = told + i * TOLD_NUMBERS;

		told[i] = cholesky_ratio(a->dtype, t->n, of[TOLD_QUADRATIC],
		                         of[TOLD_SQUARE], of[TOLD_TRACE]);
	}
	a->verdict.residual = args_worst(a, told, 1);
	free(told);
	return 0;
}

int cholesky_groups(struct seq *s, struct args *a)
{
	struct task t = {
		.s = s, .n = matrix_rows(&a->in[0]), .stack = a->stack,
		.a = seq_input(s, &a->in[0]), .l = seq_output(s, &a->out[0]),
	};
	const struct blas_gemm most = largest_update(t.n);

	if (t.n == 0 || t.stack == 0) {
		a->verdict.residual = 0;
		return seq_finish(s);
	}
	if (on_tensor(a->variant))
		t.tensor = blas_tensor_of(s, &most);
	begin(&t);
	factor(&t);
	if (a->quality == QUALITY_ESTIMATE)
		judge(&t);
	if (read_state(&t, a) < 0)
		return -1;
	if (a->quality == QUALITY_ESTIMATE && conclude(&t, a) < 0)
		return -1;
	return seq_finish(s);
}

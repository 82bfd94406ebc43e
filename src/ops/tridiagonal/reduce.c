/* reduce.c - T = Q^T A Q by panels of Householder reflections; see steps.h and
 * kernels/tridiagonal/sytrd.cl. */
#include <stdlib.h>

#include "base/size.h"
#include "ops/lu/residual.h"
#include "ops/tridiagonal/steps.h"
#include "shared/tridiagonal_tile.h"

enum {
	NB = 32,			/* columns of a panel */
	ALIGNED = 32,			/* divides the elements of a row */
	REFLECTION = 3			/* numbers of a reflection */
};

/* The reduction while it runs. */
struct task {
	struct tridiagonal_form f;
	size_t wide, each;		/* bytes of a number, of an element */
	struct buf p, q;		/* 2 NB rows of ld elements */
	struct buf x, y, s;		/* ld, n and 2 NB elements */
	struct buf norms, products;	/* partial sums */
	struct buf reflection;
};

static size_t ld_of(size_t n)
{
	return size_round_up(n, ALIGNED);
}

static size_t norm_groups(size_t rows)
{
	return size_blocks(rows, SYTRD_ROWS);
}

static size_t row_groups(size_t rows)
{
	return size_blocks(rows, SYTRD_TEAMS);
}

static struct blas_gemm most_of(size_t n)
{
	return (struct blas_gemm){ .stack = 1, .m = n, .n = n, .k = n };
}

/* Makes a buffer of `bytes` zeros. */
static struct buf zeros(struct seq *s, size_t bytes)
{
	const int32_t zero = 0;
	const struct buf b = seq_scratch(s, bytes);

	seq_fill(s, b, 0, bytes, &zero, sizeof zero);
	return b;
}

static struct task task_of(struct seq *s, size_t n)
{
	const size_t wide = lu_wide_bytes(seq_sheet(s));
	const size_t each = dtype_bytes(seq_dtype(s)), ld = ld_of(n);
	const struct blas_gemm most = most_of(n);

	return (struct task){
		.f = { .s = s, .n = n, .ld = ld,
		       .tensor = blas_tensor_of(s, &most),
		       .v = seq_scratch(s, n * ld * each),
		       .t = seq_scratch(s, 3 * n * wide) },
		.wide = wide, .each = each,
		.p = zeros(s, 2 * NB * ld * each),
		.q = zeros(s, 2 * NB * ld * each),
		.x = zeros(s, ld * each),
		.y = seq_scratch(s, n * each),
		.s = seq_scratch(s, 2 * NB * each),
		.norms = seq_scratch(s, norm_groups(n) * wide),
		.products = seq_scratch(s, row_groups(n) * wide),
		.reflection = seq_scratch(s, REFLECTION * wide),
	};
}

void tridiagonal_reduce_need(struct need *n, const struct sheet *d,
                             enum dtype t, size_t rows)
{
	const size_t wide = lu_wide_bytes(d), each = dtype_bytes(t);
	const struct blas_gemm most = most_of(rows);

	blas_gemm_need(n, d, t, &most);
	need_buffer(n, rows * ld_of(rows) * each);
	need_buffer(n, 3 * rows * wide);
	need_scratch(n, 4 * NB * ld_of(rows) * each,
	             2 * NB * ld_of(rows) * each);
	need_buffer(n, ld_of(rows) * each);
	need_buffer(n, rows * each);
	need_buffer(n, 2 * NB * each);
	need_buffer(n, norm_groups(rows) * wide);
	need_buffer(n, row_groups(rows) * wide);
	need_buffer(n, REFLECTION * wide);
}

/* The first column, from a scaled copy of A. */
static void begin(const struct task *t, struct buf a, int power)
{
	const struct tridiagonal_form *f = &t->f;
	const size_t blocks = size_blocks(f->ld, LOAD_TILE);

	seq_launch(f->s, "tridiagonal_load",
	           GRID1(blocks * size_blocks(f->n, LOAD_TILE) * SYTRD_ITEMS,
	                 SYTRD_ITEMS),
	           ARG_BUF(a), ARG_INT(f->n), ARG_INT(f->ld),
	           ARG_INT(blocks), ARG_INT(power), ARG_BUF(f->v));
	seq_launch(f->s, "sytrd_start",
	           GRID1(norm_groups(f->n) * SYTRD_ITEMS, SYTRD_ITEMS),
	           ARG_BUF(f->v), ARG_INT(f->n), ARG_BUF(t->x), ARG_BUF(f->t),
	           ARG_BUF(t->norms));
}

/* Makes the reflection of column p, which is in x, and column p + 1. `count`
 * rows of P and Q exist. */
static void column(const struct task *t, size_t p, size_t count)
{
	const struct tridiagonal_form *f = &t->f;
	const size_t rows = f->n - p - 1;
	/* The kernel that made column p had one row more. */
	const size_t parts = norm_groups(rows + 1);
	const double m = (double)rows;

	seq_work(f->s, 2 * m * m, m * m * (double)t->each);
	seq_launch(f->s, "sytrd_times",
	           GRID1((row_groups(rows) + count) * SYTRD_ITEMS,
	                 SYTRD_ITEMS),
	           ARG_BUF(f->v), ARG_INT(f->n), ARG_INT(f->ld), ARG_INT(p),
	           ARG_BUF(t->x), ARG_BUF(t->q), ARG_INT(count),
	           ARG_BUF(t->norms), ARG_INT(parts), ARG_BUF(t->y),
	           ARG_BUF(t->s), ARG_BUF(t->products),
	           ARG_BUF(t->reflection), ARG_BUF(f->t));
	seq_launch(f->s, "sytrd_column",
	           GRID1(norm_groups(rows) * SYTRD_ITEMS, SYTRD_ITEMS),
	           ARG_BUF(f->v), ARG_INT(f->n), ARG_INT(f->ld), ARG_INT(p),
	           ARG_BUF(t->x), ARG_BUF(t->p), ARG_BUF(t->q),
	           ARG_INT(count), ARG_BUF(t->y), ARG_BUF(t->s),
	           ARG_BUF(t->products), ARG_INT(row_groups(rows)),
	           ARG_BUF(t->reflection), ARG_BUF(f->t), ARG_BUF(t->norms));
}

/* A -= P^T Q for the rows and columns from `first` on. */
static void update(const struct task *t, size_t first, size_t count)
{
	const struct tridiagonal_form *f = &t->f;
	const size_t rows = f->n - first;
	const struct blas_part p = { t->p, first, f->ld, 0, true };
	const struct blas_part q = { t->q, first, f->ld, 0, false };
	const struct blas_part a = { f->v, first * (f->ld + 1), f->ld, 0,
	                             false };

	blas_gemm(f->s, &(struct blas_gemm){ .stack = 1, .m = rows, .n = rows,
	                                     .k = count, .alpha = -1,
	                                     .beta = 1, .tensor = &f->tensor },
	          &p, &q, &a);
}

struct tridiagonal_form tridiagonal_reduce(struct seq *s, size_t n,
                                           struct buf a, int power)
{
	const struct task t = task_of(s, n);
	size_t count = 0;

	begin(&t, a, power);
	for (size_t p = 0; p + 1 < n; p++) {
		column(&t, p, count);
		count += 2;
		if (count < 2 * NB)
			continue;
		update(&t, p + 1, count);
		count = 0;
		seq_progress(s, (double)p / (double)n / 2);
	}
	seq_launch(s, "sytrd_clean", GRID1(n * t.f.ld, SYTRD_ITEMS),
	           ARG_BUF(t.f.v), ARG_INT(t.f.ld), ARG_LONG(n * t.f.ld));
	return t.f;
}

int tridiagonal_read(const struct tridiagonal_form *f, double *d, double *e)
{
	const size_t n = f->n;
	double *t = lu_wide_read(f->s, f->t, 2 * n);

	for (size_t i = 0; t && i < n; i++) {
		d[i] = t[i];
		e[i] = i + 1 < n ? t[n + i] : 0;
	}
	free(t);
	return t ? 0 : -1;
}

/* reduce.c - T = Q^T A Q by panels of Householder reflections; see steps.h,
 * kernels/tridiagonal/sytrd.cl and panel.cl. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "matrix/pages.h"
#include "ops/tridiagonal/divide.h"
#include "ops/tridiagonal/sytrd.h"

enum {
	NB = SYTRD_MOST,		/* columns of a panel */
	ALIGNED = 32,			/* rows are padded to a multiple of this
					 * number of elements */
	TEAMS = SYTRD_ITEMS / SYTRD_TEAM,
	PANEL_SM = 70,			/* least compute capability with the
					 * fences that sytrd_panel needs */
	WIDE = sizeof(double)		/* bytes of a kernel's `wide` */
};

size_t sytrd_ld(size_t n)
{
	return size_round_up(n, ALIGNED);
}

/* Returns the number of partial sums in the buffer `products`. */
static size_t products_of(size_t n)
{
	return size_blocks(n, TEAMS);
}

static struct blas_gemm most_of(size_t n)
{
	return (struct blas_gemm){ .stack = 1, .m = n, .n = n, .k = n,
	                           .alpha = 1 };
}

/* Makes a buffer of `bytes` zeros. */
static struct buf zeros(struct seq *s, size_t bytes)
{
	const int32_t zero = 0;
	const struct buf b = seq_scratch(s, bytes);

	seq_fill(s, b, 0, bytes, &zero, sizeof zero);
	return b;
}

struct sytrd sytrd_of(struct seq *s, size_t n, size_t groups)
{
	const size_t each = dtype_bytes(seq_dtype(s)), ld = sytrd_ld(n);
	const struct blas_gemm most = most_of(n);

	return (struct sytrd){
		.f = { .s = s, .n = n, .ld = ld,
		       .tensor = blas_tensor_of(s, &most),
		       .v = seq_scratch(s, n * ld * each),
		       .t = seq_scratch(s, (3 * n + 1) * WIDE) },
		.each = each, .groups = groups,
		.p = zeros(s, 2 * NB * ld * each),
		.q = zeros(s, 2 * NB * ld * each),
		.x = zeros(s, ld * each),
		.y = seq_scratch(s, n * each),
		.s = seq_scratch(s, 2 * NB * each),
		.products = seq_scratch(s, products_of(n) * WIDE),
		.arrived = zeros(s, sizeof(int32_t)),
	};
}

void tridiagonal_reduce_need(struct need *n, const struct sheet *d,
                             enum dtype t, size_t rows)
{
	const size_t each = dtype_bytes(t);
	const struct blas_gemm most = most_of(rows);

	blas_gemm_need(n, d, t, &most);
	need_buffer(n, rows * sytrd_ld(rows) * each);
	need_buffer(n, (3 * rows + 1) * WIDE);
	need_scratch(n, 4 * NB * sytrd_ld(rows) * each,
	             2 * NB * sytrd_ld(rows) * each);
	need_buffer(n, sytrd_ld(rows) * each);
	need_buffer(n, rows * each);
	need_buffer(n, 2 * NB * each);
	need_buffer(n, products_of(rows) * WIDE);
	need_buffer(n, sizeof(int32_t));
}

void sytrd_start(const struct sytrd *t)
{
	const struct tridiagonal_form *f = &t->f;

	seq_launch(f->s, "sytrd_start",
	           GRID1(size_round_up(f->n, SYTRD_ITEMS), SYTRD_ITEMS),
	           ARG_BUF(f->v), ARG_INT(f->n), ARG_BUF(t->x), ARG_BUF(f->t));
}

/* The arguments that all kernels of a column have in common. */
#define COLUMN_ARGS(t, p, count)                                             \
	ARG_BUF((t)->f.v), ARG_INT((t)->f.n), ARG_INT((t)->f.ld),            \
	ARG_INT(p), ARG_INT(count), ARG_BUF((t)->x), ARG_BUF((t)->p),        \
	ARG_BUF((t)->q), ARG_BUF((t)->y), ARG_BUF((t)->s),                   \
	ARG_BUF((t)->products), ARG_BUF((t)->f.t)

void sytrd_column(const struct sytrd *t, size_t p, size_t count)
{
	const size_t rows = t->f.n - p - 1;

	seq_launch(t->f.s, "sytrd_column",
	           GRID1(size_blocks(rows, SYTRD_ROWS) * SYTRD_ITEMS,
	                 SYTRD_ITEMS), COLUMN_ARGS(t, p, count));
}

void sytrd_clean(const struct sytrd *t)
{
	const struct tridiagonal_form *f = &t->f;

	seq_launch(f->s, "sytrd_clean", GRID1(f->n * f->ld, SYTRD_ITEMS),
	           ARG_BUF(f->v), ARG_INT(f->ld), ARG_LONG(f->n * f->ld));
}

/* Makes a scaled copy of A, and x = its first column. */
static void begin(const struct sytrd *t, struct buf a, int power)
{
	const struct tridiagonal_form *f = &t->f;
	const size_t blocks = size_blocks(f->ld, LOAD_TILE);

	seq_launch(f->s, "tridiagonal_load",
	           GRID1(blocks * size_blocks(f->n, LOAD_TILE) * SYTRD_ITEMS,
	                 SYTRD_ITEMS),
	           ARG_BUF(a), ARG_INT(f->n), ARG_INT(f->ld),
	           ARG_INT(blocks), ARG_INT(power), ARG_BUF(f->v));
	sytrd_start(t);
}

/* Counts the work of the next launch, which takes `cols` columns from column p
 * on. */
static void count_work(const struct sytrd *t, size_t p, size_t cols)
{
	const double m = (double)(t->f.n - p - 1), k = (double)cols;

	seq_work(t->f.s, 2 * m * m * k, m * m * k * (double)t->each);
}

/* Makes the reflection of column p, which is in x, and column p + 1. `count`
 * rows of P and Q exist. */
static void column(const struct sytrd *t, size_t p, size_t count)
{
	const size_t rows = t->f.n - p - 1;

	count_work(t, p, 1);
	seq_launch(t->f.s, "sytrd_times",
	           GRID1(size_blocks(rows + count, TEAMS) * SYTRD_ITEMS,
	                 SYTRD_ITEMS), COLUMN_ARGS(t, p, count));
	sytrd_column(t, p, count);
}

/* Makes the reflections of `cols` columns from column p on, and the column
 * after them. */
static void panel(const struct sytrd *t, size_t p, size_t cols)
{
	if (t->groups == 0) {
		for (size_t i = 0; i < cols; i++)
			column(t, p + i, 2 * i);
		return;
	}
	count_work(t, p, cols);
	seq_launch(t->f.s, "sytrd_panel",
	           GRID1(t->groups * SYTRD_ITEMS, SYTRD_ITEMS),
	           COLUMN_ARGS(t, p, cols), ARG_BUF(t->arrived),
	           ARG_INT(2 * p));
}

/* A -= P^T Q for the rows and columns from `first` on. */
static void update(const struct sytrd *t, size_t first, size_t count)
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

struct tridiagonal_form tridiagonal_reduce_by(struct seq *s, size_t n,
                                              struct buf a, int power,
                                              size_t groups)
{
	const struct sytrd t = sytrd_of(s, n, groups);

	begin(&t, a, power);
	for (size_t p = 0, cols; p + 1 < n; p += cols) {
		cols = size_min(NB, n - 1 - p);
		panel(&t, p, cols);
		if (p + cols + 1 < n)
			update(&t, p + cols, 2 * cols);
		seq_progress(s, (double)p / (double)n / 2);
	}
	sytrd_clean(&t);
	return t.f;
}

int tridiagonal_read(const struct tridiagonal_form *f, double *d, double *e)
{
	const size_t n = f->n;

	seq_read(f->s, f->t, 0, d, n * sizeof *d);
	seq_read(f->s, f->t, n * sizeof *d, e, n * sizeof *e);
	e[n - 1] = 0;
	return seq_failed(f->s) ? -1 : 0;
}

/* --- the test of sytrd_panel on the device */

/* An element of a symmetric matrix of pseudorandom numbers. */
static double probe_element(size_t i, size_t j)
{
	const size_t low = size_min(i, j), high = size_max(i, j);
	const uint64_t x = (high * 1021 + low + 1) *
	                   UINT64_C(0x9e3779b97f4a7c15);

	return (double)(x >> 11) * 0x1p-52 - 1;
}

static struct buf probe_matrix(struct seq *s, size_t n)
{
	double *x = pages_new(n * n * sizeof *x);
	struct buf b = { 0 };

	for (size_t i = 0; x && i < n * n; i++)
		if (seq_dtype(s) == FLOAT32)
			((float *)x)[i] = (float)probe_element(i / n, i % n);
		else
			x[i] = probe_element(i / n, i % n);
	if (x)
		b = seq_constant(s, x, n * n * dtype_bytes(seq_dtype(s)));
	free(x);
	return b;
}

/* Returns whether sytrd_panel works: reductions with and without it must give T
 * with the same eigenvalues, which are of the order of sqrt(N). Their T need
 * not agree: its elements depend on A discontinuously where subdiagonal
 * elements are small. */
static bool panel_works(struct seq *s, const char *kernel)
{
	enum { N = 301 };
	const size_t groups = seq_sheet(s)->compute_units;
	const struct buf a = probe_matrix(s, N);
	const double most = 30 * sqrt(N) * dtype_epsilon(seq_dtype(s));
	double w[2][N], e[N], worst = 0;

	(void)kernel;
	for (int i = 0; i < 2; i++) {
		const struct tridiagonal_form f =
		    tridiagonal_reduce_by(s, N, a, 0, i ? groups : 0);

		if (!a.id || tridiagonal_read(&f, w[i], e) < 0 ||
		    tridiagonal_values(s, N, w[i], e) < 0)
			return false;
	}
	for (size_t i = 0; i < N; i++)
		worst = fmax(worst, fabs(w[0][i] - w[1][i]));
	return worst <= most;
}

struct tridiagonal_form tridiagonal_reduce(struct seq *s, size_t n,
                                           struct buf a, int power)
{
	const struct sheet *d = seq_sheet(s);
	const bool resident = d->nvidia_sm >= PANEL_SM &&
	                      seq_trusts(s, "sytrd_panel", panel_works);

	return tridiagonal_reduce_by(s, n, a, power,
	                             resident ? d->compute_units : 0);
}

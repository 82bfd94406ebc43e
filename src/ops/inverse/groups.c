/* groups.c - A^-1 = U^-1 L^-1 P on the device, for all matrices of the stack at
 * once: the LU of ops/lu, then two triangular solves with the permutation's
 * columns as right-hand sides (ops/blas/trsm.h). */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "ops/blas/trsm.h"
#include "ops/inverse/inverse.h"
#include "ops/lapack/stack.h"
#include "ops/lu/judged.h"
#include "ops/lu/zero_pivot.h"
#include "ops/solve/solve.h"

enum { LANES = 64 };

struct task {
	struct seq *s;
	struct factors f;
	struct buf x;			/* the inverses */
	struct buf bad;			/* int32_t: A is not finite */
	struct solve_norms norms, norms_of_inverse;
	struct buf defect;		/* A X v, n numbers for each matrix */
	struct blas_tensor tensor;	/* all zeros in variant `tiled` */
};

static struct factors factors_of(const struct args *a)
{
	const size_t n = matrix_rows(&a->in[0]);

	return (struct factors){ .stack = matrix_stack(&a->in[0]), .m = n,
	                         .n = n, .pivoting = true };
}

static struct systems systems_with(const struct factors *f, struct buf a)
{
	return (struct systems){ .n = f->n, .a_stack = f->stack, .a = a };
}

/* No product of the two triangular solves is larger than this one. */
static struct blas_gemm largest_update(const struct factors *f)
{
	return blas_trsm_most(&(struct blas_trsm){ f->stack, f->n, f->n,
	                      .unit = true }, false);
}

void inverse_groups_need(const struct args *a, const struct variant *v,
                         const struct sheet *d, struct need *n)
{
	const bool spread = *(const bool *)v->how;
	const struct factors f = factors_of(a);
	const struct systems y = systems_with(&f, (struct buf){ 0 });
	const struct blas_gemm most = largest_update(&f);
	const size_t each = dtype_bytes(a->dtype);

	need_matrices(n, d, a);
	if (f.n == 0 || f.stack == 0)
		return;
	need_buffer(n, matrix_size(&a->in[0]));
	need_buffer(n, factors_swaps(&f));
	(spread ? lu_need_spread : lu_need_tiled)(n, d, a->dtype, &f);
	if (spread)
		blas_gemm_need(n, d, a->dtype, &most);
	lu_permutation_need(n, &f);
	lu_need_pivots(n, &f);
	solve_norms_need(n, d, &y);
	need_buffer(n, f.stack * sizeof(int32_t));
	if (a->quality == QUALITY_NONE)
		return;
	solve_norms_need(n, d, &y);
	need_buffer(n, f.stack * sizeof(int32_t));
	need_buffer(n, f.n * each);
	for (int i = 0; i < 2; i++)	/* X v and A X v */
		need_buffer(n, f.stack * f.n * each);
}

static struct solve_norms norms_of(struct task *t, struct buf of,
                                   struct buf *bad)
{
	const struct systems y = systems_with(&t->f, of);
	const int32_t none = 0;

	*bad = seq_scratch(t->s, t->f.stack * sizeof none);
	seq_fill(t->s, *bad, 0, t->f.stack * sizeof none, &none, sizeof none);
	return solve_norms(t->s, &y, *bad);
}

/* Computes X = U^-1 L^-1 P. */
static void invert(struct task *t)
{
	const size_t n = t->f.n, step = n * n;
	const struct blas_part lu = { t->f.lu, 0, n, step, false };
	const struct blas_part x = { t->x, 0, n, step, false };
	const struct blas_trsm lower = { t->f.stack, n, n, .unit = true,
	                                 .tensor = &t->tensor };
	const struct blas_trsm upper = { t->f.stack, n, n, .upper = true,
	                                 .tensor = &t->tensor };
	const struct buf p = lu_permutation(t->s, &t->f);

	seq_launch(t->s, "inverse_begin",
	           GRID2(n, t->f.stack * n, LANES, 1), ARG_BUF(p),
	           ARG_INT(n), ARG_BUF(t->x));
	blas_trsm(t->s, &lower, &lu, &x);
	blas_trsm(t->s, &upper, &lu, &x);
}

static struct buf signs(struct seq *s, size_t n)
{
	double *v = malloc(n * sizeof *v);
	struct buf b = { 0 };

	if (!v) {
		err_set(seq_err(s), ERR_MEMORY, "no memory for %zu signs", n);
		return b;
	}
	for (size_t i = 0; i < n; i++)
		if (seq_dtype(s) == FLOAT32)
			((float *)v)[i] = (float)lapack_sign(i);
		else
			v[i] = lapack_sign(i);
	b = seq_constant(s, v, n * dtype_bytes(seq_dtype(s)));
	free(v);
	return b;
}

/* Computes A X v, which should be v. */
static void probe(struct task *t)
{
	const size_t n = t->f.n, step = n * n;
	const size_t bytes = t->f.stack * n * dtype_bytes(seq_dtype(t->s));
	const struct blas_gemm g = { .stack = t->f.stack, .m = n, .n = 1,
	                             .k = n, .alpha = 1 };
	const struct blas_part a = { t->f.a, 0, n, step, false };
	const struct blas_part x = { t->x, 0, n, step, false };
	const struct blas_part v = { signs(t->s, n), 0, 1, 0, false };
	const struct blas_part y = { seq_scratch(t->s, bytes), 0, 1, n,
	                             false };
	const struct blas_part r = { seq_scratch(t->s, bytes), 0, 1, n,
	                             false };

	blas_gemm(t->s, &g, &x, &v, &y);
	blas_gemm(t->s, &g, &a, &y, &r);
	t->defect = r.b;
}

/* Records the matrices that failed. */
static int settle(struct task *t, struct args *a)
{
	const size_t stack = t->f.stack;
	int32_t *zero = malloc(3 * stack * sizeof *zero);

	if (!zero)
		return err_set(seq_err(t->s), ERR_MEMORY, "inverse: no memory "
		               "for %zu matrices", stack);
	lu_zero_pivots(t->s, &t->f, zero, zero + stack);
	seq_read(t->s, t->bad, 0, zero + 2 * stack, stack * sizeof *zero);
	for (size_t i = 0; i < stack && !seq_failed(t->s); i++) {
		struct failure f = { .index = i };

		if (zero[2 * stack + i])
			f.detail = lapack_nonfinite(a, 0, lapack_in(a, 0, i));
		else if (zero[i] != INT_MAX)
			f.detail.code = ERR_SINGULAR;
		if (f.detail.code != ERR_NONE)
			args_fail(a, &f);
	}
	free(zero);
	return seq_failed(t->s) ? -1 : 0;
}

static double largest(const double *x, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		if (!(x[i] <= most))
			most = x[i];
	return most;
}

static void judge(const struct task *t, struct args *a, const double *norms,
                  const double *norms_of_inverse, const void *defect)
{
	const size_t n = t->f.n, parts = t->norms.parts;

	for (size_t i = 0; i < t->f.stack; i++) {
		struct inverse_look l = {
			.norm = largest(norms + i * parts, parts),
			.norm_of_inverse = largest(norms_of_inverse +
			                           i * parts, parts),
		};

		for (size_t j = 0; j < n; j++)
			l.defect += fabs((a->dtype == FLOAT32 ?
			    ((const float *)defect)[i * n + j] :
			    ((const double *)defect)[i * n + j]) -
			    lapack_sign(j));
		if (!args_has_failed(a, i))
			inverse_judge(a, &l);
	}
}

static int conclude(const struct task *t, struct args *a)
{
	const size_t each = dtype_bytes(a->dtype), stack = t->f.stack;
	double *norms = lu_wide_read(t->s, t->norms.most,
	                             stack * t->norms.parts);
	double *of_inverse = lu_wide_read(t->s, t->norms_of_inverse.most,
	                                  stack * t->norms.parts);
	void *defect = malloc(stack * t->f.n * each);
	const bool room = norms && of_inverse && defect;

	if (defect)
		seq_read(t->s, t->defect, 0, defect, stack * t->f.n * each);
	if (room && !seq_failed(t->s))
		judge(t, a, norms, of_inverse, defect);
	free(norms);
	free(of_inverse);
	free(defect);
	return room ? 0 : err_set(seq_err(t->s), ERR_MEMORY, "inverse: no "
	                          "memory for %zu verdicts", stack);
}

int inverse_groups(struct seq *s, struct args *a)
{
	const bool spread = *(const bool *)a->variant->how;
	const bool judged = a->quality != QUALITY_NONE;
	struct task t = { .s = s, .f = factors_of(a),
	                  .x = seq_output(s, &a->out[0]) };
	struct blas_gemm most;
	struct buf ignored;

	t.f.a = seq_input(s, &a->in[0]);
	if (t.f.n == 0 || t.f.stack == 0)
		return seq_finish(s);
	most = largest_update(&t.f);
	if (spread)
		t.tensor = blas_tensor_of(s, &most);
	factors_alloc(s, &t.f);
	t.norms = norms_of(&t, t.f.a, &t.bad);
	(spread ? lu_factor_spread : lu_factor_tiled)(s, &t.f);
	invert(&t);
	if (judged) {
		t.norms_of_inverse = norms_of(&t, t.x, &ignored);
		probe(&t);
	}
	if (settle(&t, a) < 0 || (judged && conclude(&t, a) < 0))
		return -1;
	return seq_finish(s);
}

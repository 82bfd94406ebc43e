/* groups.c - A^-1 = U^-1 L^-1 P on the device, for all matrices of the stack at
 * once: the LU of ops/lu, then two triangular solves (ops/blas/trsm.h). Their
 * right-hand sides are P, or, where products take most of the time, the columns
 * of the identity matrix: then L^-1 is lower triangular, which saves two thirds
 * of its work, and its columns are permuted before U^-1 is applied.
 *
 * L^-1 of one matrix is computed by products with the inverses of L's diagonal
 * blocks (ops/blas/trsm_blocks.h), which are well-conditioned, as no multiplier
 * exceeds 1. Those of U are not: the residual A X - I would be up to four times
 * that of substitution. */
#include <math.h>
#include <stdlib.h>

#include "ops/blas/trsm_blocks.h"
#include "ops/inverse/inverse.h"
#include "ops/lapack/stack.h"
#include "ops/lu/judged.h"
#include "ops/lu/residual.h"
#include "ops/solve/solve.h"
#include "shared/inverse_told.h"

enum {
	LANES = 64,
	/* Matrices of more rows are solved in blocks of rows, between which
	 * there are products. */
	UNSPLIT = 1024
};

struct task {
	struct seq *s;
	struct factors f;
	struct buf x;			/* the inverses */
	struct buf bad;			/* int32_t: A is not finite */
	struct solve_norms norms, norms_of_inverse;
	struct buf told;		/* wide[stack][INVERSE_TOLD] */
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

/* Is L^-1 computed by products alone? */
static bool by_blocks(const struct factors *f)
{
	return f->stack == 1 && f->n > BLAS_TRSM_BLOCK;
}

/* Are the right-hand sides the columns of the identity matrix? */
static bool is_split(const struct factors *f)
{
	return by_blocks(f) || f->n > UNSPLIT;
}

/* No product of the two triangular solves is larger than this one. */
static struct blas_gemm largest_update(const struct factors *f)
{
	const struct blas_trsm g = { f->stack, f->n, f->n, .unit = true };

	return by_blocks(f) ? blas_trsm_blocks_most(&g) :
	                      blas_trsm_most(&g, false);
}

void inverse_groups_need(const struct args *a, const struct variant *v,
                         const struct sheet *d, struct need *n)
{
	const bool spread = *(const bool *)v->how;
	const struct factors f = factors_of(a);
	const struct systems y = systems_with(&f, (struct buf){ 0 });
	const struct blas_gemm most = largest_update(&f);
	const size_t wide = lu_wide_bytes(d);

	need_matrices(n, d, a);
	if (f.n == 0 || f.stack == 0)
		return;
	need_buffer(n, matrix_size(&a->in[0]));
	need_buffer(n, factors_swaps(&f));
	(spread ? lu_need_spread : lu_need_tiled)(n, d, a->dtype, &f);
	if (spread)
		blas_gemm_need(n, d, a->dtype, &most);
	lu_permutation_need(n, &f);
	if (is_split(&f)) {
		need_buffer(n, matrix_size(&a->in[0]));
		need_buffer(n, f.stack * f.n * sizeof(int32_t));
	}
	if (by_blocks(&f))
		need_buffer(n, blas_trsm_blocks_bytes(f.n, a->dtype));
	solve_norms_need(n, d, &y);
	need_buffer(n, f.stack * sizeof(int32_t));
	need_buffer(n, f.stack * INVERSE_TOLD * wide);
	if (a->quality == QUALITY_NONE)
		return;
	solve_norms_need(n, d, &y);
	need_buffer(n, f.stack * sizeof(int32_t));
	for (int i = 0; i < 2; i++)	/* X v and A X v */
		need_buffer(n, f.stack * f.n * wide);
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

/* Computes Z = L^-1. X holds the identity matrix, and is overwritten. */
static void invert_lower(const struct task *t, const struct blas_trsm *lower,
                         const struct blas_part *lu, const struct blas_part *x,
                         const struct blas_part *z)
{
	const enum dtype type = seq_dtype(t->s);
	const size_t n = t->f.n;
	const int32_t zero = 0;

	seq_fill(t->s, z->b, 0, n * n * dtype_bytes(type), &zero, sizeof zero);
	blas_trsm_blocks(t->s, lower, lu, x, z,
	                 seq_scratch(t->s, blas_trsm_blocks_bytes(n, type)));
}

/* Sets X to L^-1 P. */
static void begin(struct task *t, const struct blas_part *lu,
                  const struct blas_part *x)
{
	const size_t n = t->f.n, rows = t->f.stack * n;
	const bool split = is_split(&t->f), blocks = by_blocks(&t->f);
	const struct blas_trsm lower = { t->f.stack, n, n, .unit = true,
	                                 .tensor = &t->tensor,
	                                 .lower_x = split };
	const struct grid all = GRID2(n, rows, LANES, 1);
	const struct buf p = lu_permutation(t->s, &t->f);
	struct blas_part z = *x;
	struct buf q;

	if (!split) {
		seq_launch(t->s, "inverse_begin", all, ARG_BUF(p), ARG_INT(n),
		           ARG_BUF(t->x));
		blas_trsm(t->s, &lower, lu, x);
		return;
	}
	z.b = seq_scratch(t->s, rows * n * dtype_bytes(seq_dtype(t->s)));
	q = seq_scratch(t->s, rows * sizeof(int32_t));
	seq_launch(t->s, "inverse_identity", all, ARG_BUF(p), ARG_INT(n),
	           ARG_BUF((blocks ? x : &z)->b), ARG_BUF(q));
	if (blocks)
		invert_lower(t, &lower, lu, x, &z);
	else
		blas_trsm(t->s, &lower, lu, &z);
	seq_launch(t->s, "inverse_permute", all, ARG_BUF(z.b), ARG_INT(n),
	           ARG_BUF(q), ARG_BUF(t->x));
}

/* Computes X = U^-1 L^-1 P. */
static void invert(struct task *t)
{
	const size_t n = t->f.n, step = n * n;
	const struct blas_part lu = { t->f.lu, 0, n, step, false };
	const struct blas_part x = { t->x, 0, n, step, false };
	const struct blas_trsm upper = { t->f.stack, n, n, .upper = true,
	                                 .tensor = &t->tensor,
	                                 .is_output = t->f.stack == 1 };

	begin(t, &lu, &x);
	blas_trsm(t->s, &upper, &lu, &x);
}

/* Launches the product A X v for the vector v of signs of lapack_sign(), and
 * returns its buffer. For an exact inverse X the product is v. */
static struct buf probe(struct task *t)
{
	const size_t rows = t->f.stack * t->f.n;
	const size_t bytes = rows * lu_wide_bytes(seq_sheet(t->s));
	const struct buf xv = seq_scratch(t->s, bytes);
	const struct buf axv = seq_scratch(t->s, bytes);
	const struct grid g = GRID1(rows * INVERSE_LANES, INVERSE_LANES);

	seq_launch(t->s, "inverse_times", g, ARG_BUF(t->x), ARG_INT(t->f.n),
	           ARG_BUF(axv), ARG_INT(true), ARG_BUF(xv));
	seq_launch(t->s, "inverse_times", g, ARG_BUF(t->f.a), ARG_INT(t->f.n),
	           ARG_BUF(xv), ARG_INT(false), ARG_BUF(axv));
	return axv;
}

/* Launches the kernel that finds the matrices that failed and, if `judged`,
 * measures the accuracy of the inverses. */
static void judge(struct task *t, bool judged)
{
	const size_t stack = t->f.stack;
	struct buf product = t->norms.most, ignored;

	t->norms_of_inverse = t->norms;
	if (judged) {
		t->norms_of_inverse = norms_of(t, t->x, &ignored);
		product = probe(t);
	}
	t->told = seq_scratch(t->s, stack * INVERSE_TOLD *
	                            lu_wide_bytes(seq_sheet(t->s)));
	seq_launch(t->s, "inverse_judge",
	           GRID1(stack * INVERSE_LANES, INVERSE_LANES),
	           ARG_BUF(t->f.lu), ARG_INT(t->f.n), ARG_BUF(t->bad),
	           ARG_BUF(t->norms.most), ARG_BUF(t->norms_of_inverse.most),
	           ARG_INT(t->norms.parts), ARG_BUF(product),
	           ARG_INT(judged), ARG_BUF(t->told));
}

/* Returns the 1-norm of matrix i of a stack, which is `told` unless that has
 * overflowed. */
static long double norm_of(const struct task *t, struct buf of, size_t i,
                           double told)
{
	const enum dtype type = seq_dtype(t->s);
	const size_t n = t->f.n, bytes = n * n * dtype_bytes(type);
	void *x = isinf(told) ? malloc(bytes) : NULL;
	double *sums = x ? malloc(n * sizeof *sums) : NULL;
	long double norm = told;

	if (sums) {
		seq_read(t->s, of, i * bytes, x, bytes);
		norm = lapack_norm1(type, x, n, n, sums);
	}
	free(sums);
	free(x);
	return norm;
}

/* Records the matrices that failed and, if `judged`, adds the measures of the
 * others to the verdict. */
static void settle(const struct task *t, struct args *a, const double *told,
                   bool judged)
{
	for (size_t i = 0; i < a->stack; i++, told += INVERSE_TOLD) {
		struct failure f = { .index = i };

		if (told[INVERSE_NONFINITE] != 0)
			f.detail = lapack_nonfinite(a, 0, lapack_in(a, 0, i));
		else if (told[INVERSE_SINGULAR] != 0)
			f.detail.code = ERR_SINGULAR;
		if (f.detail.code != ERR_NONE)
			args_fail(a, &f);
		else if (judged)
			inverse_judge(a, &(struct inverse_look){
				norm_of(t, t->f.a, i, told[INVERSE_NORM]),
				norm_of(t, t->x, i, told[INVERSE_NORM_OF_X]),
				told[INVERSE_DEFECT],
			});
	}
}

static int conclude(const struct task *t, struct args *a, bool judged)
{
	double *told = lu_wide_read(t->s, t->told, t->f.stack * INVERSE_TOLD);

	if (!told)
		return -1;
	settle(t, a, told, judged);
	free(told);
	return 0;
}

int inverse_groups(struct seq *s, struct args *a)
{
	const bool spread = *(const bool *)a->variant->how;
	const bool judged = a->quality != QUALITY_NONE;
	struct task t = { .s = s, .f = factors_of(a),
	                  .x = seq_output(s, &a->out[0]) };
	struct blas_gemm most;

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
	judge(&t, judged);
	if (conclude(&t, a, judged) < 0)
		return -1;
	return seq_finish(s);
}

/* back.c - Z = Q Z with Q = H_0 H_1 ..., by blocks of ORMTR_BLOCK reflections
 * (LAPACK's xORMTR); see steps.h and kernels/tridiagonal/ormtr.cl. */
#include "base/size.h"
#include "ops/blas/reflect.h"
#include "ops/tridiagonal/steps.h"
#include "shared/tridiagonal_tile.h"

enum { K = ORMTR_BLOCK, LEAF = ORMTR_LEAF };

struct task {
	const struct tridiagonal_form *f;
	size_t blocks;
	struct buf g, t;		/* V^T V and T: K x K for each block */
	struct buf half;		/* scratch memory, a quarter of T's
					 * size */
	struct buf x, y;		/* K x cols each, for products */
	struct buf z;
	size_t cols;
};

static size_t blocks_of(size_t n)
{
	return size_blocks(n, K);
}

void tridiagonal_back_need(struct need *n, enum dtype t, size_t rows,
                           size_t cols)
{
	const size_t each = dtype_bytes(t);
	const size_t triangle = blocks_of(rows) * K * K * each;

	need_scratch(n, 2 * triangle, triangle);
	need_buffer(n, triangle / 4);
	need_scratch(n, 2 * K * cols * each, K * cols * each);
}

static struct task task_of(const struct tridiagonal_form *f, struct buf z,
                           size_t cols)
{
	const size_t each = dtype_bytes(seq_dtype(f->s));
	const size_t blocks = blocks_of(f->n), triangle = blocks * K * K * each;

	return (struct task){
		.f = f, .blocks = blocks, .z = z, .cols = cols,
		.g = seq_scratch(f->s, triangle),
		.t = seq_scratch(f->s, triangle),
		.half = seq_scratch(f->s, triangle / 4),
		.x = seq_scratch(f->s, K * cols * each),
		.y = seq_scratch(f->s, K * cols * each),
	};
}

/* G = V^T V for `stack` blocks of k reflections each, from block `first` on. */
static void gram(const struct task *t, size_t first, size_t stack, size_t k)
{
	const struct tridiagonal_form *f = t->f;
	const size_t at = first * K * f->ld;
	const struct blas_part v = { f->v, at, f->ld, K * f->ld, false };
	const struct blas_part vt = { f->v, at, f->ld, K * f->ld, true };
	const struct blas_part g = { t->g, first * K * K, K, K * K, false };

	if (stack > 0 && k > 0)
		blas_gemm(f->s, &(struct blas_gemm){ .stack = stack, .m = k,
		                                     .n = k, .k = f->n,
		                                     .alpha = 1,
		                                     .tensor = &f->tensor },
		          &v, &vt, &g);
}

/* Joins two triangles T1 and T2 of `size` reflections, of which the first
 * begins at reflection `at` of every block: T12 = -T1 G12 T2. */
static void join(const struct task *t, size_t at, size_t size)
{
	const struct tridiagonal_form *f = t->f;
	const size_t next = at + size, step = K * K, quarter = step / 4;
	const struct blas_part g12 = { t->g, at * K + next, K, step, false };
	const struct blas_part t1 = { t->t, at * (K + 1), K, step, false };
	const struct blas_part t2 = { t->t, next * (K + 1), K, step, false };
	const struct blas_part t12 = { t->t, at * K + next, K, step, false };
	const struct blas_part x = { t->half, 0, size, quarter, false };

	blas_gemm(f->s, &(struct blas_gemm){ .stack = t->blocks, .m = size,
	                                     .n = size, .k = size,
	                                     .alpha = 1 }, &g12, &t2, &x);
	blas_gemm(f->s, &(struct blas_gemm){ .stack = t->blocks, .m = size,
	                                     .n = size, .k = size,
	                                     .alpha = -1 }, &t1, &x, &t12);
}

static void make_triangles(const struct task *t)
{
	const struct tridiagonal_form *f = t->f;
	const size_t bytes = t->blocks * K * K * dtype_bytes(seq_dtype(f->s));
	const size_t whole = f->n / K;
	const int32_t zero = 0;

	seq_fill(f->s, t->g, 0, bytes, &zero, sizeof zero);
	seq_fill(f->s, t->t, 0, bytes, &zero, sizeof zero);
	gram(t, 0, whole, K);
	gram(t, whole, 1, f->n - whole * K);
	seq_launch(f->s, "ormtr_triangle",
	           GRID1(t->blocks * (K / LEAF) * SYTRD_ITEMS, SYTRD_ITEMS),
	           ARG_BUF(t->g), ARG_BUF(f->t), ARG_INT(2 * f->n),
	           ARG_INT(f->n - 1), ARG_BUF(t->t));
	for (size_t size = LEAF; size < K; size *= 2)
		for (size_t at = 0; at < K; at += 2 * size)
			join(t, at, size);
}

/* Z = (I - V T V^T) Z for block b, whose reflections are 0 above row
 * `first`. */
static void apply(const struct task *t, size_t b)
{
	const struct tridiagonal_form *f = t->f;
	const size_t first = b * K + 1;
	const struct blas_reflect block = {
		.stack = 1, .rows = f->n - first,
		.nb = size_min(K, f->n - 1 - b * K),
		.v = { f->v, b * K * f->ld + first, f->ld, 0, true },
		.t = { t->t, b * K * K, K, 0, false },
		.tensor = { &f->tensor, &f->tensor },
		.x = { t->x, t->y },
	};
	const struct blas_part z = { t->z, first * t->cols, t->cols, 0, false };

	blas_reflect_left(f->s, &block, false, &z, t->cols);
}

void tridiagonal_back(const struct tridiagonal_form *f, struct buf z,
                      size_t cols)
{
	const struct task t = task_of(f, z, cols);

	if (f->n < 2)
		return;
	make_triangles(&t);
	for (size_t b = blocks_of(f->n - 1); b-- > 0; )
		apply(&t, b);
}

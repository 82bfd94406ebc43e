/* transpose.c - B = A^T of a matrix, or of every matrix of a stack. A vector
 * and a scalar are their own transposes, as in NumPy. */
#include "base/size.h"
#include "device/seq.h"
#include "ops/complex.h"
#include "ops/need.h"

enum { CONJUGATE };

enum {
	TILE = 16,			/* of transpose_tile */
	WIDE = 4, CHUNK = 512,		/* of transpose_blocked */
	LINE = 64,			/* bytes of its vectors */
	MOST = INT32_MAX / 2,		/* rows and columns a kernel counts */
};

static int check(const struct args *a, struct err *e)
{
	const struct matrix *m = &a->in[0];

	for (int i = 0; i < m->ndim; i++)
		if (m->dim[i] > MOST)
			return err_set_at(e, ERR_SHAPE, "/a", "transpose: "
			                  "dimension %d is %zu, at most %d",
			                  i, m->dim[i], MOST);
	return 0;
}

static int shape(struct args *a, struct err *e)
{
	struct matrix *b = &a->out[0];

	(void)e;
	*b = a->in[0];
	b->memory = NULL;
	b->dtype = a->dtype;
	if (b->ndim >= 2) {
		b->dim[b->ndim - 1] = matrix_rows(&a->in[0]);
		b->dim[b->ndim - 2] = matrix_cols(&a->in[0]);
	}
	return 0;
}

static double flops(const struct args *a)
{
	(void)a;
	return 0;
}

static double bytes(const struct args *a)
{
	return 2.0 * (double)matrix_size(&a->in[0]);
}

/* A stack of m x n matrices as the kernels see it, a vector being one row; and
 * the part that a launch moves: some matrices, or some rows and columns of
 * one. */
struct pieces {
	size_t stack, m, n;
	size_t matrices, rows, cols;
};

/* Cuts the call for buffers of `most` elements, along the longer side. */
static struct pieces pieces_of(const struct args *a, size_t most)
{
	const struct matrix *x = &a->in[0];
	const bool flat = x->ndim < 2;
	struct pieces c = {
		.stack = flat ? 1 : matrix_stack(x),
		.m = flat ? 1 : matrix_rows(x),
		.n = flat ? matrix_elements(x) : matrix_cols(x),
	};
	const size_t each = c.m * c.n, strip = size_max(1, most /
	    size_max(1, size_min(c.m, c.n)));

	c.matrices = size_min(c.stack, size_max(1, most / size_max(each, 1)));
	c.rows = c.m > c.n ? size_min(c.m, strip) : c.m;
	c.cols = c.m > c.n ? c.n : size_min(c.n, strip);
	return c;
}

/* Launches the kernel for that many m x n matrices. */
typedef void transpose_launch(struct seq *s, struct buf a, struct buf b,
                              size_t stack, size_t m, size_t n);

/* Transposes one part, which begins with matrix k, row i and column j. */
static void move(struct seq *s, struct args *a, const struct pieces *c,
                 size_t k, size_t i, size_t j, transpose_launch *launch)
{
	const size_t stack = size_min(c->matrices, c->stack - k);
	const size_t m = size_min(c->rows, c->m - i);
	const size_t n = size_min(c->cols, c->n - j), at = k * c->m * c->n;
	const struct region from = { at + i * c->n + j, stack * m, n, c->n };
	const struct region to = { at + j * c->m + i, stack * n, m, c->m };
	const struct buf b = seq_output_region(s, &a->out[0], &to);

	seq_work(s, 0, 2.0 * (double)(stack * m * n * dtype_bytes(a->dtype)));
	launch(s, seq_input_region(s, &a->in[0], &from), b, stack, m, n);
	if (dtype_is_complex(a->dtype) && a->param[CONJUGATE] != 0)
		complex_conjugate(s, b, stack * m * n);
}

static int run(struct seq *s, struct args *a, transpose_launch *launch)
{
	const struct pieces c = pieces_of(a, need_most(seq_sheet(s), a->dtype));

	for (size_t k = 0; k < c.stack; k += c.matrices)
		for (size_t i = 0; i < c.m; i += c.rows)
			for (size_t j = 0; j < c.n; j += c.cols)
				move(s, a, &c, k, i, j, launch);
	return seq_finish(s);
}

static void need(const struct args *a, const struct variant *v,
                 const struct sheet *d, struct need *n)
{
	const struct pieces c = pieces_of(a, need_most(d, a->dtype));
	const size_t all = matrix_size(&a->in[0]);
	const size_t piece = c.matrices * c.rows * c.cols *
	                     dtype_bytes(a->dtype);

	(void)v;
	if (all == 0)
		return;
	need_pieces(n, d, all, piece, c.rows > 1 && c.cols < c.n);
	need_pieces(n, d, all, piece, c.cols > 1 && c.rows < c.m);
}

static void launch_tile(struct seq *s, struct buf a, struct buf b,
                        size_t stack, size_t m, size_t n)
{
	seq_launch(s, "transpose_tile", GRID3(n, m, stack, TILE, TILE, 1),
	           ARG_BUF(a), ARG_BUF(b), ARG_INT(m), ARG_INT(n));
}

static void launch_blocked(struct seq *s, struct buf a, struct buf b,
                           size_t stack, size_t m, size_t n)
{
	const size_t strip = WIDE * LINE / dtype_bytes(seq_dtype(s));

	seq_launch(s, "transpose_blocked", GRID1(size_blocks(n, strip) *
	    size_blocks(m, CHUNK) * stack, 1), ARG_BUF(a), ARG_BUF(b),
	    ARG_INT(m), ARG_INT(n), ARG_FIRST(0));
}

static int run_tile(struct seq *s, struct args *a)
{
	return run(s, a, launch_tile);
}

static int run_blocked(struct seq *s, struct args *a)
{
	return run(s, a, launch_blocked);
}

static int sample(struct args *a, size_t n, struct memory_pool *pool,
                  struct err *e)
{
	struct matrix *m = &a->in[0];

	*m = (struct matrix){ .dtype = a->dtype, .ndim = 2, .dim = { n, n } };
	if (matrix_alloc(m, pool, e) < 0)
		return -1;
	for (size_t i = 0; i < n * n; i++)
		matrix_set(m, i, (double)(i % 1024));
	return 0;
}

static const struct operand inputs[] = {
	{ .name = "a", .help = "the matrix, or a stack of matrices" },
	{ 0 }
};

static const struct param params[] = {
	[CONJUGATE] = {
		.name = "conjugate", .type = PARAM_BOOLEAN,
		.help = "the conjugate transpose of a complex matrix; real "
		        "elements stay as they are",
	},
	{ 0 }
};

static const struct output outputs[] = {
	{ .name = "a", .help = "the transpose of a" },
	{ 0 }
};

enum { TYPES = DTYPE_REALS | DTYPE_INTEGERS | DTYPE_COMPLEXES };

static const struct variant variants[] = {
	{
		.name = "blocked", .requires = NEEDS_CPU,
		.auto_for = DEVICE_CPU, .dtypes = TYPES,
		.kernels = "transpose_blocked complex_conjugate",
		.origin = "linalgd",
		.run = run_blocked, .need = need,
	}, {
		.name = "local-tile", .auto_for = DEVICE_GPU | DEVICE_OTHER,
		.dtypes = TYPES, .kernels = "transpose_tile complex_conjugate",
		.origin = "linalgd", .run = run_tile, .need = need,
	},
	{ 0 }
};

const struct op op_transpose = {
	.name = "transpose",
	.summary = "the transpose of a matrix or of every matrix of a stack",
	.dtypes = TYPES,
	.inputs = inputs,
	.params = params,
	.outputs = outputs,
	.variants = variants,
	.changing_in = 1,
	.changing_out = 1,
	.check = check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.sample = sample,
};

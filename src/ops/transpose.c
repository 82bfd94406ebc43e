/* transpose.c - B = A^T of a matrix, or of every matrix of a stack. A vector
 * and a scalar are their own transposes, as in NumPy. */
#include "base/size.h"
#include "device/seq.h"
#include "ops/op.h"

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

/* The rows and columns that the kernels see: a vector is one row. */
static void extent(const struct args *a, size_t *m, size_t *n)
{
	const bool flat = a->in[0].ndim < 2;

	*m = flat ? 1 : matrix_rows(&a->in[0]);
	*n = flat ? matrix_elements(&a->in[0]) : matrix_cols(&a->in[0]);
}

static int launch(struct seq *s, struct args *args, const char *kernel,
                  struct grid g, size_t m, size_t n)
{
	struct buf a = seq_input(s, &args->in[0]);
	struct buf b = seq_output(s, &args->out[0]);

	seq_work(s, 0, bytes(args));
	seq_launch(s, kernel, g, ARG_BUF(a), ARG_BUF(b), ARG_INT(m),
	           ARG_INT(n));
	return seq_finish(s);
}

static int run_tile(struct seq *s, struct args *a)
{
	size_t m, n;

	extent(a, &m, &n);
	return launch(s, a, "transpose_tile", GRID3(n, m,
	    matrix_stack(&a->in[0]), TILE, TILE, 1), m, n);
}

static int run_blocked(struct seq *s, struct args *a)
{
	const size_t strip = WIDE * LINE / dtype_bytes(a->dtype);
	size_t m, n;

	extent(a, &m, &n);
	return launch(s, a, "transpose_blocked", GRID3(size_blocks(n, strip),
	    size_blocks(m, CHUNK), matrix_stack(&a->in[0]), 1, 1, 1), m, n);
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

static const struct param params[] = { { 0 } };

static const struct output outputs[] = {
	{ .name = "a", .help = "its transpose" },
	{ 0 }
};

enum { TYPES = DTYPE_REALS | DTYPE_BIT(INT32) };

static const struct variant variants[] = {
	{
		.name = "blocked", .requires = NEEDS_CPU,
		.auto_for = DEVICE_CPU, .dtypes = TYPES,
		.kernels = "transpose_blocked", .origin = "linalgd",
		.run = run_blocked,
	}, {
		.name = "local-tile", .auto_for = DEVICE_GPU | DEVICE_OTHER,
		.dtypes = TYPES, .kernels = "transpose_tile",
		.origin = "linalgd", .run = run_tile,
	},
	{ 0 }
};

const struct op op_transpose = {
	.name = "transpose",
	.summary = "The transpose of a matrix",
	.dtypes = TYPES,
	.inputs = inputs,
	.params = params,
	.outputs = outputs,
	.variants = variants,
	.check = check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.sample = sample,
};

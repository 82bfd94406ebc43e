/* trace.c - the trace of a matrix, or of every matrix of a stack: the sum of
 * the elements a_ii, of which a matrix that is not square has min(m, n). The
 * host gathers the diagonals, so that the rest of a matrix is never moved. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "device/seq.h"
#include "ops/need.h"

enum { GROUP = 64 };			/* kernels/trace/trace.cl */

static size_t diagonal(const struct matrix *m)
{
	return size_min(matrix_rows(m), matrix_cols(m));
}

static int check(const struct args *a, struct err *e)
{
	const struct matrix *m = &a->in[0];

	if (diagonal(m) <= INT32_MAX && matrix_stack(m) <= INT32_MAX)
		return 0;
	return err_set_at(e, ERR_TOO_LARGE, "/a", "trace: %zu diagonals of "
	                  "%zu elements: both end at %d", matrix_stack(m),
	                  diagonal(m), INT32_MAX);
}

static int shape(struct args *a, struct err *e)
{
	const struct matrix *m = &a->in[0];
	struct matrix *t = &a->out[0];

	(void)e;
	*t = (struct matrix){ .dtype = a->dtype, .ndim = m->ndim - 2 };
	for (int i = 0; i < t->ndim; i++)
		t->dim[i] = m->dim[i];
	return 0;
}

static double flops(const struct args *a)
{
	return (double)(matrix_stack(&a->in[0]) * diagonal(&a->in[0]));
}

static double bytes(const struct args *a)
{
	return flops(a) * (double)dtype_bytes(a->dtype);
}

/* Of all diagonals; not 0, so that there is a buffer of it. */
static size_t diagonals_size(const struct args *a)
{
	return size_max((size_t)bytes(a), dtype_bytes(a->dtype));
}

/* The diagonals, one after the other, on the device. */
static struct buf gather(struct seq *s, const struct args *a)
{
	const struct matrix *m = &a->in[0];
	const size_t k = diagonal(m), one = dtype_bytes(m->dtype);
	const size_t step = (matrix_cols(m) + 1) * one;
	const char *from = matrix_data(m);
	char *host = calloc(1, diagonals_size(a)), *to = host;
	struct buf b;

	if (!host) {
		err_set(seq_err(s), ERR_MEMORY, "trace: no memory for %zu "
		        "bytes", diagonals_size(a));
		return (struct buf){ 0 };
	}
	for (size_t i = 0; i < matrix_stack(m); i++) {
		for (size_t j = 0; j < k; j++, to += one)
			memcpy(to, from + j * step, one);
		from += matrix_rows(m) * matrix_cols(m) * one;
	}
	b = seq_constant(s, host, diagonals_size(a));
	free(host);
	return b;
}

static int run(struct seq *s, struct args *a)
{
	const struct matrix *m = &a->in[0];

	if (matrix_stack(m) == 0)
		return seq_finish(s);
	seq_work(s, flops(a), bytes(a));
	/* t = sum_i a_ii */
	seq_launch(s, "trace_sum", GRID2(GROUP, matrix_stack(m), GROUP, 1),
	           ARG_BUF(gather(s, a)), ARG_INT(diagonal(m)),
	           ARG_BUF(seq_output(s, &a->out[0])));
	return seq_finish(s);
}

static void need(const struct args *a, const struct variant *v,
                 const struct sheet *d, struct need *n)
{
	(void)v;
	need_buffer(n, diagonals_size(a));
	need_matrix(n, d, &a->out[0]);
}

/* Whole numbers, so that the sum is exact. */
static int sample(struct args *a, size_t n, struct memory_pool *pool,
                  struct err *e)
{
	struct matrix *m = &a->in[0];

	*m = (struct matrix){ .dtype = a->dtype, .ndim = 2, .dim = { n, n } };
	if (matrix_alloc(m, pool, e) < 0)
		return -1;
	for (size_t i = 0; i < n * n; i++)
		matrix_set(m, i, (double)(i % 13) - 6);
	return 0;
}

const struct op op_trace = {
	.name = "trace",
	.summary = "the sum of the diagonal elements",
	.dtypes = DTYPE_REALS,
	.inputs = (const struct operand[]){
		{ "a", "the matrix, of any shape, or a stack of them", 2, false,
		  DENSE },
		{ 0 }
	},
	.params = (const struct param[]){ { 0 } },
	.outputs = (const struct output[]){
		{ "trace", "the sum, for each matrix of a stack", false },
		{ 0 }
	},
	.variants = (const struct variant[]){
		{ "group", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER,
		  DTYPE_REALS, "trace_sum", "linalgd", run, .need = need },
		{ 0 }
	},
	.check = check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.sample = sample,
};

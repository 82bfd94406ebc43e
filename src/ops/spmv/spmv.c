/* spmv.c - the operation spmv: y = A x with a sparse matrix A, also y += A x
 * and y = A^k x. */
#include <float.h>
#include <math.h>

#include "base/size.h"
#include "matrix/sparse.h"
#include "ops/need.h"
#include "ops/spmv/spmv.h"

enum {
	REPEAT_MOST = 1000000,
	SAMPLE_BAND = 32,		/* n = 600 then needs two shares */
};

/* Refuses operand i unless it is a vector, or a matrix of one column, of n
 * elements. */
static int check_vector(const struct args *a, int i, size_t n, struct err *e)
{
	const struct matrix *m = &a->in[i];
	const char *name = a->op->inputs[i].name;
	char pointer[8] = { '/', name[0] }, text[MATRIX_SHAPE_TEXT];

	if (m->ndim > 2 || matrix_cols(m) != 1)
		return err_set_at(e, ERR_SHAPE, pointer, "spmv: %s is %s, must "
		                  "be a vector", name,
		                  matrix_shape_text(m, text));
	if (m->dim[0] != n)
		return err_set_at(e, ERR_SHAPE, pointer, "spmv: %s has %zu "
		                  "elements, must have %zu, as a is %zux%zu",
		                  name, m->dim[0], n, a->in[SPMV_A].dim[0],
		                  a->in[SPMV_A].dim[1]);
	return 0;
}

static int check_accumulate(const struct args *a, struct err *e)
{
	const bool given = a->in[SPMV_Y].ndim != MATRIX_ABSENT;

	if (a->param[SPMV_ACCUMULATE] == 0 && given)
		return err_set_at(e, ERR_REQUEST, "/y", "spmv: y is for "
		                  "accumulate=true, which is not given");
	if (a->param[SPMV_ACCUMULATE] != 0 && !given)
		return err_set_at(e, ERR_REQUEST, "/y", "spmv: accumulate "
		                  "needs operand y, which is missing");
	return given ? check_vector(a, SPMV_Y, a->in[SPMV_A].dim[0], e) : 0;
}

static int check(const struct args *a, struct err *e)
{
	const struct matrix *m = &a->in[SPMV_A];

	if (a->param[SPMV_REPEAT] > 1 && m->dim[0] != m->dim[1])
		return err_set_at(e, ERR_SHAPE, "/a", "spmv: a is %zux%zu, "
		                  "must be square to be applied %.0f times",
		                  m->dim[0], m->dim[1], a->param[SPMV_REPEAT]);
	if (check_vector(a, SPMV_X, m->dim[1], e) < 0)
		return -1;
	return check_accumulate(a, e);
}

static bool is_finite(const struct matrix *m)
{
	for (size_t i = 0; i < matrix_elements(m); i++)
		if (!isfinite(matrix_get(m, i)) ||
		    !isfinite(matrix_get_imaginary(m, i)))
			return false;
	return true;
}

/* Returns the largest row sum of moduli of m: |A| in the max-norm, and for a
 * vector its max-norm |x|. */
static double norm_of(const struct matrix *m)
{
	const size_t cols = matrix_cols(m);
	double most = 0;

	for (size_t i = 0; i < matrix_rows(m); i++) {
		double sum = 0;

		for (size_t j = 0; j < cols; j++)
			sum += hypot(matrix_get(m, i * cols + j),
			    matrix_get_imaginary(m, i * cols + j));
		most = fmax(most, sum);
	}
	return most;
}

/* May an element of A^i x overflow for some i <= k? */
static bool may_overflow(const struct args *a)
{
	const int most = dtype_part(a->dtype) == FLOAT32 ? FLT_MAX_EXP :
	                                                   DBL_MAX_EXP;
	const double log = log2(norm_of(&a->in[SPMV_X])) +
	    a->param[SPMV_REPEAT] * log2(norm_of(&a->in[SPMV_A]));

	return !(log < most - 1);
}

/* Zeros of a dense A are dropped, unless one may be multiplied by an element of
 * x, or of a repeated product, that is not finite. */
static bool zeros_count(const struct args *a)
{
	if (a->in[SPMV_A].ndim != 2 || a->in[SPMV_X].ndim == MATRIX_ABSENT)
		return false;
	return !is_finite(&a->in[SPMV_X]) ||
	       (a->param[SPMV_REPEAT] > 1 && may_overflow(a));
}

/* y has the shape of x: a vector or a column. */
static int shape(struct args *a, struct err *e)
{
	struct matrix *y = &a->out[0];

	(void)e;
	*y = (struct matrix){ .dtype = a->dtype, .ndim = a->in[SPMV_X].ndim,
	                      .dim = { a->in[SPMV_A].dim[0], 1 } };
	return 0;
}

static double flops(const struct args *a)
{
	return (dtype_is_complex(a->dtype) ? 8.0 : 2.0) *
	       (double)a->in[SPMV_A].nnz * a->param[SPMV_REPEAT];
}

static double product_bytes(const struct matrix *m, enum dtype t)
{
	return (double)matrix_index_size(m) +
	       (double)(m->nnz + m->dim[0] + m->dim[1]) *
	       (double)dtype_bytes(t);
}

static double bytes(const struct args *a)
{
	return product_bytes(&a->in[SPMV_A], a->dtype) * a->param[SPMV_REPEAT];
}

struct spmv spmv_of(struct seq *s, const struct args *a)
{
	const struct matrix *m = &a->in[SPMV_A], index = sparse_index(m);

	return (struct spmv){
		.rows = m->dim[0], .cols = m->dim[1], .nnz = m->nnz,
		.index = seq_input(s, &index), .values = seq_input(s, m),
	};
}

int spmv_run(struct seq *s, struct args *a,
             void (*product)(struct seq *s, const struct spmv *m, void *way),
             void *way)
{
	const int times = (int)a->param[SPMV_REPEAT];
	struct spmv m = spmv_of(s, a);
	struct buf y = seq_output(s, &a->out[0]), between[2] = { { 0 } };

	for (int i = 0; i < 2 && i < times - 1; i++)
		between[i] = seq_scratch(s, m.rows * dtype_bytes(a->dtype));
	m.x = seq_input(s, &a->in[SPMV_X]);
	for (int i = 0; i < times && m.rows && !seq_failed(s); i++) {
		const bool last = i == times - 1;

		m.y = last ? y : between[i % 2];
		m.add = last && a->param[SPMV_ACCUMULATE] != 0;
		m.c = m.add ? seq_input(s, &a->in[SPMV_Y]) : m.y;
		seq_work(s, a->op->flops(a) / times,
		         product_bytes(&a->in[SPMV_A], a->dtype));
		product(s, &m, way);
		m.x = m.y;
		seq_progress(s, (double)(i + 1) / times);
	}
	if (seq_finish(s) < 0)
		return -1;
	if (times > 1 && !is_finite(&a->out[0]))
		return err_set(seq_err(s), ERR_NONFINITE, "spmv: %d products "
		               "overflow %s, or a or x is not finite", times,
		               dtype_name(a->dtype));
	return 0;
}

void spmv_need(const struct args *a, const struct sheet *d, struct need *n)
{
	const struct matrix *m = &a->in[SPMV_A], index = sparse_index(m);

	need_matrices(n, d, a);
	need_matrix(n, d, &index);
	for (int i = 1; i < 3 && i < a->param[SPMV_REPEAT]; i++)
		need_buffer(n, m->dim[0] * dtype_bytes(a->dtype));
}

/* Makes the entries of a band matrix and, for an odd n, of a full first row.
 * Returns their number. */
static size_t sample_entries(struct sparse_entry *x, size_t n)
{
	size_t k = 0;

	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t j = i; j < n && j < i + SAMPLE_BAND; j++)
			x[k++] = (struct sparse_entry){ i, j, i == j ? 2 : -1 };
		if (n % 2)
			x[k++] = (struct sparse_entry){ 0, i, 0.5 };
	}
	return k;
}

static int sample(struct args *a, size_t n, struct memory_pool *pool,
                  struct err *e)
{
	struct memory *x = memory_new(pool, (SAMPLE_BAND + 1) * n *
	                              sizeof(struct sparse_entry), e);
	int rc = -1;

	a->in[SPMV_A] = (struct matrix){ .ndim = 2, .dim = { n, n } };
	a->in[SPMV_X] = (struct matrix){ .dtype = a->dtype, .ndim = 1,
	                                 .dim = { n } };
	if (x && sparse_build(&a->in[SPMV_A], x->data,
	                      sample_entries(x->data, n), pool, e) == 0 &&
	    matrix_convert(&a->in[SPMV_A], a->dtype, pool, e) == 0)
		rc = matrix_alloc(&a->in[SPMV_X], pool, e);
	for (size_t i = 0; rc == 0 && i < n; i++)
		matrix_set(&a->in[SPMV_X], i, (double)(i % 7) - 3);
	memory_unref(x);
	return rc;
}

static const struct operand inputs[] = {
	[SPMV_A] = { .name = "a", .min_dims = 2, .layout = CSR,
	             .help = "the matrix; a dense one is converted to a "
	                     "sparse one" },
	[SPMV_X] = { .name = "x", .min_dims = 1,
	             .help = "the vector, or a matrix of one column" },
	[SPMV_Y] = { .name = "y", .min_dims = 1, .optional = true,
	             .help = "the vector that the product is added to if "
	                     "accumulate is true" },
	{ 0 }
};

static const struct param params[] = {
	[SPMV_ACCUMULATE] = {
		.name = "accumulate", .type = PARAM_BOOLEAN, .max = 1,
		.help = "add the product to operand y: y + A x",
	},
	[SPMV_REPEAT] = {
		.name = "repeat", .type = PARAM_INTEGER, .fallback = 1,
		.min = 1, .max = REPEAT_MOST,
		.help = "number of times that A is applied: y = A^k x; A "
		        "must then be square",
	},
	{ 0 }
};

static const struct output outputs[] = {
	{ .name = "y", .help = "the product" },
	{ 0 }
};

static const char article[] =
	"Mixed and Multi-Precision SpMV for GPUs (2022)";

static const struct variant variants[] = {
	{
		.name = "csr", .requires = NEEDS_CPU, .auto_for = DEVICE_CPU,
		.dtypes = DTYPE_REALS, .origin = "linalgd",
		.kernels = "spmv_shares spmv_join",
		.run = spmv_shares_run, .need = spmv_shares_need,
	}, {
		.name = "csr-lanes", .auto_for = DEVICE_GPU | DEVICE_OTHER,
		.dtypes = DTYPE_REALS, .origin = article,
		.kernels = "spmv_lanes spmv_long",
		.run = spmv_lanes_run, .need = spmv_lanes_need,
	}, {
		.name = "coo", .dtypes = DTYPE_REALS, .origin = "linalgd",
		.kernels = "spmv_coo_rows spmv_coo_empty spmv_coo spmv_coo_sum",
		.run = spmv_coo_run, .need = spmv_coo_need,
	}, {
		.name = "ellpack-r", .dtypes = DTYPE_REALS, .origin = article,
		.kernels = "spmv_slices_pack spmv_slices",
		.run = spmv_slices_run, .need = spmv_slices_need,
		.how = &(const bool){ true },
	}, {
		.name = "sell", .dtypes = DTYPE_REALS, .origin = "linalgd",
		.kernels = "spmv_slices_pack spmv_slices",
		.run = spmv_slices_run, .need = spmv_slices_need,
		.how = &(const bool){ false },
	}, {
		.name = "complex",
		.auto_for = DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER,
		.dtypes = DTYPE_COMPLEXES, .origin = "linalgd",
		.kernels = "spmv_complex",
		.run = spmv_complex_run, .need = spmv_complex_need,
	},
	{ 0 }
};

const struct op op_spmv = {
	.name = "spmv",
	.summary = "a sparse matrix times a vector: y = A x, y += A x or "
	           "y = A^k x",
	.details = "A zero of a dense operand times infinity or NaN gives "
	           "NaN, as in dense arithmetic. Elements that a sparse "
	           "operand does not store are not multiplied.",
	.dtypes = DTYPE_REALS | DTYPE_COMPLEXES,
	.inputs = inputs,
	.params = params,
	.outputs = outputs,
	.variants = variants,
	.zeros_count = zeros_count,
	.check = check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.sample = sample,
};

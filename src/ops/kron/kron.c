/* kron.c - the operation kron: the Kronecker product C = A (x) B, whose element
 * (i p + k, j q + l) is a_ij b_kl where B is p x q. Stacks are paired as
 * matmul's are; a vector is a matrix of one row. */
#include "base/size.h"
#include "device/seq.h"
#include "ops/matmul/product.h"
#include "ops/need.h"
#include "shared/kron_tile.h"

/* The kernels count rows, columns and products in 32 bits, with room to round
 * up. */
#define KRON_MAX ((size_t)INT32_MAX - 1024)

/* Work-items wanted for each compute unit of a CPU, and the least number of
 * elements that one should write. */
enum { ITEMS_PER_UNIT = 4, LEAST_ELEMENTS = 4096 };

/* `stack` products of m x n by p x q matrices. */
struct factors { size_t stack, m, n, p, q; };

/* A vector is a row. */
static size_t rows_of(const struct matrix *m)
{
	return m->ndim < 2 ? 1 : matrix_rows(m);
}

static size_t cols_of(const struct matrix *m)
{
	return m->dim[m->ndim - 1];
}

static struct factors factors_of(const struct args *a)
{
	const struct matrix *x = &a->in[0], *y = &a->in[1];
	struct factors f = { 1, rows_of(x), cols_of(x), rows_of(y),
	                     cols_of(y) };

	for (int d = 0; d < MATRIX_DIMS; d++)
		f.stack *= product_broadcast(x, y, d);
	return f;
}

static int check_stacks(const struct args *a, struct err *e)
{
	const struct matrix *x = &a->in[0], *y = &a->in[1];
	char s[MATRIX_SHAPE_TEXT], t[MATRIX_SHAPE_TEXT];

	for (int d = 0; d < MATRIX_DIMS; d++) {
		const size_t of_x = product_leading(x, d);
		const size_t of_y = product_leading(y, d);

		if (of_x != of_y && of_x != 1 && of_y != 1)
			return err_set(e, ERR_SHAPE, "kron: a is %.100s and b "
			               "is %.100s: leading dimensions %zu and "
			               "%zu differ", matrix_shape_text(x, s),
			               matrix_shape_text(y, t), of_x, of_y);
	}
	return 0;
}

static int check(const struct args *a, struct err *e)
{
	struct factors f;

	if (check_stacks(a, e) < 0)
		return -1;
	f = factors_of(a);
	if (f.stack <= KRON_MAX && f.m <= KRON_MAX / size_max(f.p, 1) &&
	    f.n <= KRON_MAX / size_max(f.q, 1) && f.p <= KRON_MAX &&
	    f.q <= KRON_MAX)
		return 0;
	return err_set(e, ERR_TOO_LARGE, "kron: %zu products of %zux%zu and "
	               "%zux%zu: rows and columns end at %zu", f.stack, f.m,
	               f.n, f.p, f.q, KRON_MAX);
}

static int shape(struct args *a, struct err *e)
{
	const struct matrix *x = &a->in[0], *y = &a->in[1];
	const struct factors f = factors_of(a);
	const int dims = x->ndim > y->ndim ? x->ndim : y->ndim;
	struct matrix *c = &a->out[0];

	(void)e;
	*c = (struct matrix){ .dtype = a->dtype, .ndim = dims };
	for (int d = 0; d < dims - 2; d++)
		c->dim[dims - 3 - d] = product_broadcast(x, y, d);
	if (dims > 1)
		c->dim[dims - 2] = f.m * f.p;
	c->dim[dims - 1] = f.n * f.q;
	a->stack = f.stack;
	return 0;
}

static double flops(const struct args *a)
{
	return (double)matrix_elements(&a->out[0]);
}

static double bytes(const struct args *a)
{
	return (double)matrix_size(&a->in[0]) + matrix_size(&a->in[1]) +
	       matrix_size(&a->out[0]);
}

static void launch_columns(struct seq *s, const struct factors *f,
                           const struct arg *args)
{
	seq_launch_args(s, "kron_columns",
	                GRID3(f->n * f->q, size_blocks(f->m * f->p, KRON_ROWS),
	                      f->stack, KRON_GROUP, 1, 1), args, 8);
}

/* Returns how many rows of C a work-item of a CPU writes. */
static size_t rows_per_item(const struct seq *s, const struct factors *f)
{
	const size_t items = size_blocks(ITEMS_PER_UNIT *
	    size_max(seq_sheet(s)->compute_units, 1), f->stack);

	return size_max(size_blocks(f->m * f->p, items),
	                size_blocks(LEAST_ELEMENTS, f->n * f->q));
}

static void launch_rows(struct seq *s, const struct factors *f,
                        const struct arg *args)
{
	const size_t rows = rows_per_item(s, f);

	seq_launch_args(s, "kron_rows",
	                GRID1(size_blocks(f->m * f->p, rows) * f->stack, 1),
	                (struct arg[]){ args[0], args[1], args[2], args[3],
	                                args[4], args[5], args[6], args[7],
	                                ARG_INT(rows), ARG_INT(f->stack),
	                                ARG_FIRST(0) }, 11);
}

typedef void kron_launch(struct seq *s, const struct factors *f,
                         const struct arg *args);

/* A variant's *how is the function that launches its kernel. */
struct way { kron_launch *launch; };

static int run(struct seq *s, struct args *a)
{
	const struct factors f = factors_of(a);
	const struct product p = { .stack = f.stack, .a = &a->in[0],
	                           .b = &a->in[1] };
	const struct way *way = a->variant->how;
	struct buf places, x, y, c;

	if (matrix_elements(&a->out[0]) == 0)
		return seq_finish(s);
	x = places = seq_input(s, &a->in[0]);
	y = seq_input(s, &a->in[1]);
	c = seq_output(s, &a->out[0]);
	product_places(s, &p, &places);
	seq_work(s, flops(a), bytes(a));
	/* C = A (x) B */
	way->launch(s, &f, (struct arg[]){
	    ARG_BUF(x), ARG_BUF(y), ARG_BUF(places), ARG_BUF(c), ARG_INT(f.m),
	    ARG_INT(f.n), ARG_INT(f.p), ARG_INT(f.q) });
	return seq_finish(s);
}

static void need(const struct args *a, const struct variant *v,
                 const struct sheet *d, struct need *n)
{
	const struct factors f = factors_of(a);

	(void)v;
	if (matrix_elements(&a->out[0]) == 0)
		return;
	need_matrices(n, d, a);
	if (f.stack > 1)
		need_buffer(n, f.stack * 2 * sizeof(int32_t));
}

/* Returns the square root of n, rounded up, so that C is about n x n. */
static size_t side_of(size_t n)
{
	size_t side = 0;

	while (side * side < n)
		side++;
	return side;
}

/* Fills a matrix with whole numbers, whose products are exact. */
static int sample(struct args *a, size_t n, struct memory_pool *pool,
                  struct err *e)
{
	for (int i = 0; i < 2; i++) {
		struct matrix *m = &a->in[i];

		*m = (struct matrix){ .dtype = a->dtype, .ndim = 2,
		                      .dim = { side_of(n), side_of(n) } };
		if (matrix_alloc(m, pool, e) < 0)
			return -1;
		for (size_t j = 0; j < matrix_elements(m); j++)
			matrix_set(m, j, (double)(j % 7) - 3);
	}
	return 0;
}

const struct op op_kron = {
	.name = "kron",
	.summary = "the Kronecker product of two matrices, or of the matrices "
	           "of two stacks in pairs",
	.details = "Leading dimensions broadcast as matmul's do. A vector is a "
	           "matrix of one row; two vectors give a vector, as NumPy's "
	           "kron.",
	.dtypes = DTYPE_REALS,
	.inputs = (const struct operand[]){
		{ "a", "the left factor, m x n", 1, false, DENSE },
		{ "b", "the right factor, p x q", 1, false, DENSE },
		{ 0 }
	},
	.params = (const struct param[]){ { 0 } },
	.outputs = (const struct output[]){
		{ "kron", "the blocks a_ij B, m p x n q", false },
		{ 0 }
	},
	.variants = (const struct variant[]){
		{ "rows", NEEDS_CPU, DEVICE_CPU, DTYPE_REALS, "kron_rows",
		  "linalgd", run, .need = need,
		  .how = &(const struct way){ launch_rows } },
		{ "columns", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
		  "kron_columns", "linalgd", run, .need = need,
		  .how = &(const struct way){ launch_columns } },
		{ 0 }
	},
	.changing_in = 3,
	.changing_out = 1,
	.check = check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.sample = sample,
};

/* complex.c - products of complex matrices as one product of real ones.
 *
 * With A and C as they lie in memory, m x 2k and m x 2n reals, and each
 * element of B as a 2 x 2 block (kernels/complex), C = A B. So every variant
 * for reals computes it, with the 8 m n k operations of four products of the
 * parts, whose errors are bounded part by part, elementwise: |C - fl(C)| <= c
 * k u |A| |B|. (Three products would save a quarter of the operations, but
 * their error is only small in norm: N. J. Higham, 1992.) */
#include "base/size.h"
#include "ops/complex.h"
#include "ops/matmul/variant.h"
#include "ops/need.h"

/* The real product, the call's matrices that exist on the device alone, and
 * their memory, which has no elements on the host. */
struct real_call {
	struct args args;
	struct memory a, b;
	bool takes_a;			/* op(A) is not as it lies in memory */
};

/* Sets m to a matrix of reals in `memory` that stands for the complex x: with
 * the same leading dimensions, and the rows and columns. A vector has none of
 * the former. */
static void temporary(struct matrix *m, const struct matrix *x,
                      struct memory *memory, size_t rows, size_t cols)
{
	*m = *x;
	m->dtype = dtype_part(x->dtype);
	m->ndim = x->ndim > 2 ? x->ndim : 2;
	m->dim[m->ndim - 2] = rows;
	m->dim[m->ndim - 1] = cols;
	m->memory = memory;
	memory->bytes = matrix_size(m);
}

static bool is_set(const struct args *a, int param)
{
	return a->param[param] != 0;
}

static void set_a(struct real_call *c, const struct args *a)
{
	const struct matrix *x = &a->in[0];
	const bool turned = is_set(a, MATMUL_TRANSPOSE_A) && x->ndim > 1;
	struct matrix *to = &c->args.in[0];

	c->takes_a = turned || is_set(a, MATMUL_CONJUGATE_A);
	*to = complex_as_reals(x);
	if (!c->takes_a)
		return;
	if (x->ndim > 1) {
		temporary(to, x, &c->a, turned ? matrix_cols(x) :
		          matrix_rows(x), 2 * (turned ? matrix_rows(x) :
		                               matrix_cols(x)));
	} else {
		to->memory = &c->a;
		c->a.bytes = matrix_size(to);
	}
}

static void set_b(struct real_call *c, const struct args *a)
{
	const struct matrix *x = &a->in[1];
	const bool turned = is_set(a, MATMUL_TRANSPOSE_B) && x->ndim > 1;
	const size_t rows = matrix_rows(x), cols = matrix_cols(x);

	temporary(&c->args.in[1], x, &c->b, 2 * (turned ? cols : rows),
	          2 * (turned ? rows : cols));
}

/* C of reals has a last dimension more if b is a vector. */
static void set_c(struct real_call *c, const struct args *a)
{
	struct matrix x = a->out[0];

	if (a->in[1].ndim == 1)
		x.dim[x.ndim++] = 1;
	c->args.out[0] = complex_as_reals(&x);
}

static void make_call(struct real_call *c, const struct args *a)
{
	*c = (struct real_call){ 0 };
	args_init(&c->args, a->op);
	c->args.dtype = c->args.half = dtype_part(a->dtype);
	c->args.variant = a->variant;
	c->args.param[MATMUL_PRECISION] = a->param[MATMUL_PRECISION];
	set_a(c, a);
	set_b(c, a);
	set_c(c, a);
	c->args.stack = a->stack;
}

int matmul_complex_run(struct seq *s, struct args *a)
{
	const struct matrix *x = &a->in[0], *y = &a->in[1];
	struct complex_operand of_a, of_b;
	struct real_call c;
	struct buf b;

	make_call(&c, a);
	b = seq_temporary(s, &c.args.in[1]);
	of_b = complex_operand_of(s, y, is_set(a, MATMUL_TRANSPOSE_B),
	                          is_set(a, MATMUL_CONJUGATE_B));
	complex_twist(s, &of_b, b);
	if (c.takes_a) {
		b = seq_temporary(s, &c.args.in[0]);
		of_a = complex_operand_of(s, x, is_set(a, MATMUL_TRANSPOSE_A),
		                          is_set(a, MATMUL_CONJUGATE_A));
		complex_take(s, &of_a, b);
	}
	seq_set_dtype(s, c.args.dtype);
	if (matmul_run(s, &c.args) < 0)
		return -1;
	/* That bounds the errors of the real and of the imaginary part. */
	product_tell_bound(a, M_SQRT2 * c.args.verdict.error_bound);
	return 0;
}

/* Counts the matrices that exist on the device alone, which the real product
 * takes for mapped ones where the device shares the host's memory. They are in
 * one piece, so that no matrix of the product may be cut. */
static void need_temporaries(struct need *n, const struct sheet *d,
                             const struct real_call *c)
{
	const size_t a = matrix_size(&c->args.in[0]);
	const size_t b = matrix_size(&c->args.in[1]);

	if (d->unified_memory)
		need_buffer(n, b);
	if (d->unified_memory && c->takes_a)
		need_buffer(n, a);
	need_scratch(n, 0, size_max(size_max(a, b),
	                            matrix_size(&c->args.out[0])));
}

void matmul_complex_need(const struct args *a, const struct variant *v,
                         const struct sheet *d, struct need *n)
{
	struct real_call c;

	make_call(&c, a);
	matmul_need(&c.args, v, d, n);
	need_temporaries(n, d, &c);
	need_matrix(n, d, &a->in[1]);
	if (c.takes_a)
		need_matrix(n, d, &a->in[0]);
}

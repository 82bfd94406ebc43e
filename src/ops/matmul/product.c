/* product.c - see product.h. */
#include <stdlib.h>

#include "base/size.h"
#include "device/seq.h"
#include "ops/matmul/product.h"

size_t product_leading(const struct matrix *m, int d)
{
	return d + 2 < m->ndim ? m->dim[m->ndim - 3 - d] : 1;
}

static void set_a(struct product *p, const struct matrix *a, bool transposed)
{
	size_t rows = a->ndim == 1 ? 1 : matrix_rows(a);
	size_t cols = a->ndim == 1 ? a->dim[0] : matrix_cols(a);

	transposed = transposed && a->ndim > 1;
	p->a = a;
	p->a_stack = matrix_stack(a);
	p->m = transposed ? cols : rows;
	p->k = transposed ? rows : cols;
	p->a_row = transposed ? 1 : (int64_t)cols;
	p->a_col = transposed ? (int64_t)cols : 1;
}

static void set_b(struct product *p, const struct matrix *b, bool transposed)
{
	size_t cols = matrix_cols(b);

	transposed = transposed && b->ndim > 1;
	p->b = b;
	p->b_stack = matrix_stack(b);
	p->n = transposed ? matrix_rows(b) : cols;
	p->b_row = transposed ? 1 : (int64_t)cols;
	p->b_col = transposed ? (int64_t)cols : 1;
}

size_t product_broadcast(const struct matrix *a, const struct matrix *b,
                         int d)
{
	size_t of_a = product_leading(a, d);

	return of_a == 1 ? product_leading(b, d) : of_a;
}

struct product product_of(const struct args *args)
{
	struct product p = { .c = &args->out[0] };
	bool fold;

	set_a(&p, &args->in[0], args->param[MATMUL_TRANSPOSE_A] != 0);
	set_b(&p, &args->in[1], args->param[MATMUL_TRANSPOSE_B] != 0);
	p.stack = 1;
	for (int d = 0; d < MATRIX_DIMS; d++)
		p.stack *= product_broadcast(p.a, p.b, d);
	fold = p.b_stack == 1 && p.a_stack == p.stack && p.a_col == 1 &&
	       p.a_row == (int64_t)p.k;
	if (fold) {
		p.m *= p.stack;
		p.stack = p.a_stack = 1;
	}
	return p;
}

struct product product_transposed(const struct product *p)
{
	struct product t = *p;

	t.m = p->n;
	t.n = p->m;
	t.a = p->b;
	t.b = p->a;
	t.a_stack = p->b_stack;
	t.b_stack = p->a_stack;
	t.a_row = p->b_col;
	t.a_col = p->b_row;
	t.b_row = p->a_col;
	t.b_col = p->a_row;
	return t;
}

/* Returns the index in the stack x of the matrix that product s multiplies. The
 * digits of s in the mixed radix of C's leading dimensions are the position of
 * the product in the stack. In a dimension in which x has size 1, x is
 * broadcast. */
static int32_t place(const struct product *p, const struct matrix *x,
                     size_t s)
{
	size_t index = 0, step = 1;

	for (int d = 0; s > 0; d++) {
		size_t of_c = product_broadcast(p->a, p->b, d);
		size_t of_x = product_leading(x, d);

		if (of_x > 1)
			index += s % of_c * step;
		step *= of_x;
		s /= of_c;
	}
	return (int32_t)index;
}

void product_places(struct seq *s, const struct product *p,
                    struct buf *places)
{
	int32_t (*at)[2];

	if (p->stack == 1)
		return;
	at = malloc(p->stack * sizeof *at);
	if (!at) {
		err_set(seq_err(s), ERR_MEMORY, "matmul: no memory for the "
		        "places of %zu products", p->stack);
		return;
	}
	for (size_t i = 0; i < p->stack; i++) {
		at[i][0] = place(p, p->a, i);
		at[i][1] = place(p, p->b, i);
	}
	*places = seq_constant(s, at, p->stack * sizeof *at);
	free(at);
}

double product_flops(const struct product *p)
{
	return 2.0 * (double)p->stack * (double)p->m * (double)p->n *
	       (double)p->k;
}

double product_bytes(const struct product *p, enum dtype dtype)
{
	double a = (double)p->a_stack * (double)p->m * (double)p->k;
	double b = (double)p->b_stack * (double)p->k * (double)p->n;
	double c = (double)p->stack * (double)p->m * (double)p->n;

	return (a + b + c) * (double)dtype_bytes(dtype);
}

bool product_is_void(struct seq *s, const struct product *p)
{
	const double zero = 0;

	if (matrix_elements(p->c) == 0)
		return true;
	if (p->k > 0)
		return false;
	seq_fill(s, seq_output(s, p->c), 0, matrix_elements(p->c) *
	         dtype_bytes(seq_dtype(s)), &zero, dtype_bytes(seq_dtype(s)));
	return true;
}

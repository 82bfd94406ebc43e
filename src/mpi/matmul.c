/* matmul.c - C = op(A) op(B) by PxGEMM. The factors are transposed, where the
 * call asks for it, while they are handed out. */
#include <string.h>

#include "mpi/routines.h"
#include "mpi/work.h"
#include "ops/matmul/product.h"

int matmul_prepare(struct work *w, struct err *e)
{
	const struct product p = product_of(w->a);

	(void)e;
	w->order = (struct order){ .kind = WORK_MATMUL, .dtype = w->a->dtype,
	                           .m = p.m, .n = p.n, .k = p.k };
	product_tell_bound(w->a, product_bound(w->a, p.k));
	return 0;
}

/* Hands out op(A), or op(B). */
static enum err_code hand_out(struct work *w, int operand, struct dist *d)
{
	const int64_t begun_ns = work_begin();
	struct strided s = { .each = dtype_bytes(w->order.dtype),
	                     .columns = d->n };
	enum err_code code;

	if (w->a) {
		const struct product p = product_of(w->a);

		s.data = matrix_data(&w->a->in[operand]);
		s.row = (size_t)(operand ? p.b_row : p.a_row);
		s.col = (size_t)(operand ? p.b_col : p.a_col);
	}
	code = dist_scatter(d, work_get_strided, &s);
	work_end(w, STAGE_UP, begun_ns, operand ? 0.2 : 0.1);
	return code;
}

static enum err_code collect(struct work *w, const struct dist *c)
{
	const int64_t begun_ns = work_begin();
	struct dense to = { .row_bytes = c->n * dtype_bytes(c->dtype) };
	enum err_code code;

	if (w->a)
		to.data = matrix_data(&w->a->out[0]);
	code = dist_gather(c, work_put_dense, &to);
	work_end(w, STAGE_DOWN, begun_ns, 1);
	return code;
}

static enum err_code multiply(struct work *w, struct dist d[3])
{
	const struct order *o = &w->order;
	enum err_code code = dist_new(&d[0], w->g, o->dtype, o->m, o->k);
	int64_t begun_ns;

	if (code == ERR_NONE)
		code = dist_new(&d[1], w->g, o->dtype, o->k, o->n);
	if (code == ERR_NONE)
		code = dist_new(&d[2], w->g, o->dtype, o->m, o->n);
	if (code == ERR_NONE)
		code = hand_out(w, 0, &d[0]);
	if (code == ERR_NONE)
		code = hand_out(w, 1, &d[1]);
	if (code != ERR_NONE)
		return code;
	begun_ns = work_begin();
	routine_gemm(false, 1, &d[0], &d[1], 0, &d[2]);
	work_routine(w, "gemm", begun_ns, 2.0 * (double)o->m * (double)o->n *
	             (double)o->k, 0.9);
	return collect(w, &d[2]);
}

/* A sum of no products is 0. */
enum err_code matmul_empty(struct work *w)
{
	memset(matrix_data(&w->a->out[0]), 0, matrix_size(&w->a->out[0]));
	return ERR_NONE;
}

enum err_code matmul_work(struct work *w)
{
	struct dist d[3] = { { 0 } };
	const enum err_code code = multiply(w, d);

	for (int i = 0; i < 3; i++)
		dist_fini(&d[i]);
	return code;
}

/* run.c - runs a call of matmul: makes its variant's plan and launches the
 * kernels of that plan. */
#include "device/seq.h"
#include "ops/matmul/launch.h"
#include "ops/matmul/residues.h"
#include "ops/matmul/variant.h"

static struct gemm_plan plan_of(const struct variant *v,
                                const struct gemm_on *on,
                                const struct product *p)
{
	const struct matmul_way *w = v->how;

	return w->plan ? w->plan(on, p) : gemm_plan_whole(on, w->kernel, p);
}

static struct gemm_on on_of(const struct args *a, const struct sheet *d)
{
	return (struct gemm_on){
		d, a->dtype, (enum matmul_precision)a->param[MATMUL_PRECISION]
	};
}

void matmul_need(const struct args *a, const struct variant *v,
                 const struct sheet *d, struct need *n)
{
	const struct product p = product_of(a);
	const struct gemm_on on = on_of(a, d);
	struct gemm_plan g;

	if (dtype_is_integer(a->dtype)) {
		matmul_integer_need(a, d, n);
		return;
	}
	if (dtype_is_complex(a->dtype)) {
		matmul_complex_need(a, v, d, n);
		return;
	}
	if (matrix_elements(p.c) == 0)
		return;
	if (p.k == 0) {			/* seq_fill() writes C, no kernel
					   runs */
		need_matrix(n, d, p.c);
		return;
	}
	g = plan_of(v, &on, &p);
	gemm_need(n, &on, &g, &p);
}

int matmul_run(struct seq *s, struct args *args)
{
	const struct gemm_on on = on_of(args, seq_sheet(s));
	struct product p = product_of(args);
	const struct gemm_kernel *w;
	struct gemm_plan g;
	struct gemm_call call = { .on = on, .plan = &g };
	const struct matmul_way *way = args->variant->how;

	if (dtype_is_complex(args->dtype))
		return matmul_complex_run(s, args);
	product_tell_bound(args, product_bound(args, p.k));
	if (dtype_is_integer(args->dtype))
		return matmul_integer_run(s, args, way->by_rows);
	if (product_is_void(s, &p))
		return seq_finish(s);
	g = plan_of(args->variant, &on, &p);
	w = g.kernel;
	if (w->is_right && !seq_trusts(s, w->name, w->is_right))
		g = gemm_plan_any(&on, &p);
	if (g.fast && g.kernel->part == residues_part)
		product_tell_bound(args, residues_fast_bound(p.k));
	if (g.turned)
		p = product_transposed(&p);
	product_panels(s, &p, &g.cuts, g.kernel->launch, &call);
	return seq_finish(s);
}

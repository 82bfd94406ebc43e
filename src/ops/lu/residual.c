/* residual.c - see residual.h and kernels/lu/residual.cl. */
#include "ops/lu/residual.h"

#include <stdlib.h>

#include "base/size.h"
#include "ops/failure.h"

enum { GROUP_ITEMS = 32 };

size_t lu_wide_bytes(const struct sheet *d)
{
	return d->float64 ? sizeof(double) : sizeof(float);
}

size_t lu_row_items(const struct seq *s)
{
	return seq_sheet(s)->type == DEVICE_CPU ? 1 : GROUP_ITEMS;
}

double *lu_wide_read(struct seq *s, struct buf b, size_t count)
{
	const size_t bytes = lu_wide_bytes(seq_sheet(s));
	double *host = calloc(count + 1, sizeof *host);

	if (!host) {
		err_set(seq_err(s), ERR_MEMORY, "no memory for %zu residuals",
		        count);
		return NULL;
	}
	seq_read(s, b, 0, host, count * bytes);
	for (size_t i = count; i-- > 0 && bytes != sizeof *host; )
		host[i] = ((const float *)host)[i];
	if (seq_finish(s) == 0)
		return host;
	free(host);
	return NULL;
}

struct buf lu_signs(struct seq *s, size_t n)
{
	const size_t bytes = lu_wide_bytes(seq_sheet(s));
	void *host = calloc(n + 1, bytes);
	struct buf b = { 0 };

	if (!host) {
		err_set(seq_err(s), ERR_MEMORY, "no memory for %zu signs", n);
		return b;
	}
	for (size_t i = 0; i < n; i++) {
		const uint64_t hash = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
		const double sign = hash >> 63 ? 1 : -1;

		if (bytes == sizeof(double))
			((double *)host)[i] = sign;
		else
			((float *)host)[i] = (float)sign;
	}
	b = seq_constant(s, host, n * bytes);
	free(host);
	return b;
}

/* y = A x, w = U x, defect = |P y - L w| */
static void estimate(struct seq *s, const struct lu_check *c,
                     struct buf defect, struct buf norm)
{
	const size_t wide = lu_wide_bytes(seq_sheet(s));
	const size_t items = lu_row_items(s);
	const size_t k = size_min(c->m, c->n);
	const struct buf x = lu_signs(s, c->n);
	const struct buf y = seq_scratch(s, c->stack * c->m * wide);
	const struct buf w = seq_scratch(s, c->stack * k * wide);
	const double bytes = (double)c->stack * c->m * c->n *
	                     dtype_bytes(seq_dtype(s));

	seq_work(s, 0, bytes);
	seq_launch(s, "lu_times_a", GRID2(c->m * items, c->stack, items, 1),
	           ARG_BUF(c->a), ARG_INT(c->n), ARG_BUF(x), ARG_BUF(y),
	           ARG_BUF(norm), ARG_LOCAL(items * wide));
	seq_work(s, 0, bytes / 2);
	seq_launch(s, "lu_times_u", GRID2(k * items, c->stack, items, 1),
	           ARG_BUF(c->u), ARG_LONG(c->u_step), ARG_INT(c->ldu),
	           ARG_INT(c->n), ARG_BUF(x), ARG_BUF(w),
	           ARG_LOCAL(items * wide));
	seq_work(s, 0, bytes / 2);
	seq_launch(s, "lu_times_l", GRID2(c->m * items, c->stack, items, 1),
	           ARG_BUF(c->l), ARG_LONG(c->l_step), ARG_INT(c->ldl),
	           ARG_INT(k), ARG_BUF(w), ARG_BUF(y), ARG_BUF(c->p),
	           ARG_BUF(defect), ARG_LOCAL(items * wide));
}

/* defect = sum_i |PA - LU|_ij */
static void compare(struct seq *s, const struct lu_check *c,
                    struct buf defect, struct buf norm)
{
	const size_t vw = 64 / dtype_bytes(seq_dtype(s));

	seq_work(s, 2.0 * c->stack * c->m * c->n * size_min(c->m, c->n), 0);
	seq_launch(s, "lu_defect",
	           GRID2(size_blocks(c->n, vw), c->stack, 1, 1),
	           ARG_BUF(c->a), ARG_INT(c->m), ARG_INT(c->n), ARG_BUF(c->l),
	           ARG_LONG(c->l_step), ARG_INT(c->ldl), ARG_BUF(c->u),
	           ARG_LONG(c->u_step), ARG_INT(c->ldu), ARG_BUF(c->p),
	           ARG_BUF(defect), ARG_BUF(norm));
}

void lu_residual_need(struct need *need, const struct sheet *d, size_t stack,
                      size_t m, size_t n, bool exact)
{
	const size_t wide = lu_wide_bytes(d);

	if (m == 0 || n == 0 || stack == 0)
		return;
	for (int i = 0; i < 2; i++)	/* defect and norm */
		need_buffer(need, stack * (exact ? n : m) * wide);
	need_buffer(need, stack * wide);
	if (exact)
		return;
	need_buffer(need, n * wide);
	need_buffer(need, stack * m * wide);
	need_buffer(need, stack * size_min(m, n) * wide);
}

int lu_residual(struct seq *s, struct args *a, const struct lu_check *c)
{
	const bool exact = a->quality == QUALITY_FULL;
	const size_t wide = lu_wide_bytes(seq_sheet(s));
	const size_t sums = exact ? c->n : c->m;
	const size_t items = lu_row_items(s);
	const double eps = dtype_epsilon(seq_dtype(s)) / 2;
	struct buf defect, norm, ratio;
	double *ratios;

	a->verdict.residual = 0;
	if (c->m == 0 || c->n == 0 || c->stack == 0)
		return 0;
	defect = seq_scratch(s, c->stack * sums * wide);
	norm = seq_scratch(s, c->stack * sums * wide);
	ratio = seq_scratch(s, c->stack * wide);
	(exact ? compare : estimate)(s, c, defect, norm);
	seq_launch(s, "lu_ratio", GRID1(c->stack * items, items),
	           ARG_BUF(defect), ARG_BUF(norm), ARG_INT(sums),
	           ARG_BUF(ratio), ARG_LOCAL(items * wide));
	ratios = lu_wide_read(s, ratio, c->stack);
	if (!ratios)
		return -1;
	a->verdict.residual = args_worst(a, ratios, 1) / (c->n * eps);
	free(ratios);
	return 0;
}

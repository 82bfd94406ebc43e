/* verdict.c - residual and orthogonality of svd's answers (ops/qr/judge.h). */
#include "ops/qr/judge.h"
#include "ops/svd/svd.h"

static struct judged factor(const struct judge *j, int output, size_t rows,
                            size_t cols)
{
	const struct matrix *m = &j->a->out[output];

	return (struct judged){
		.b = judge_matrix(j, m), .rows = rows, .cols = cols,
		.of = matrix_rows(m), .ld = matrix_cols(m),
	};
}

/* |A - U S V^T|, or |A V - U S| if the answer has only k of the singular
 * values. */
static void judge_product(struct judge *j, const struct svd_sizes *z)
{
	const struct args *a = j->a;
	const bool part = z->k < z->all;
	const struct judged vh = factor(j, SVD_VH, z->k, z->n);
	const struct judged of_a = { .b = judge_matrix(j, &a->in[0]),
	                             .rows = z->m, .cols = z->n,
	                             .scaled = true };
	const struct vectors x = judge_probes(j, part ? z->k : z->n);
	const struct vectors v = part ? judge_turned(j, &vh, &x) :
	                                judge_times(j, &vh, &x, NULL);
	struct judged us = factor(j, SVD_U, z->m, z->k);
	struct vectors t, w;
	struct buf square;

	us.scaled = true;
	us.weights = judge_matrix(j, &a->out[SVD_S]);
	t = judge_times(j, &of_a, part ? &v : &x, &square);
	w = judge_times(j, &us, part ? &x : &v, NULL);
	judge_residual(j, &t, &w, square, size_max(z->m, z->n));
}

/* |I - U^T U| */
static void judge_u(struct judge *j, const struct svd_sizes *z)
{
	const struct judged u = factor(j, SVD_U, z->m, z->columns);
	const struct vectors x = judge_probes(j, z->columns);
	const struct vectors y = judge_times(j, &u, &x, NULL);

	judge_orthogonality(j, &y, &x, z->m);
}

/* |I - V^T V| */
static void judge_v(struct judge *j, const struct svd_sizes *z)
{
	const struct judged vh = factor(j, SVD_VH, z->rows, z->n);
	const struct vectors x = judge_probes(j, z->rows);
	const struct vectors y = judge_turned(j, &vh, &x);

	judge_orthogonality(j, &y, &x, z->n);
}

static void judge(struct judge *j)
{
	const struct svd_sizes z = svd_sizes_of(j->a);
	const bool u = dense_has(j->a, SVD_U), vh = dense_has(j->a, SVD_VH);

	if (u && vh && dense_has(j->a, SVD_S))
		judge_product(j, &z);
	if (u)
		judge_u(j, &z);
	if (vh)
		judge_v(j, &z);
}

int svd_residual(struct seq *s, struct args *a)
{
	return dense_has(a, SVD_U) || dense_has(a, SVD_VH) ?
	       judge_run(s, a, judge) : 0;
}

static bool any_judged(const struct args *a)
{
	return a->quality != QUALITY_NONE && !dense_is_empty(a) &&
	       (dense_has(a, SVD_U) || dense_has(a, SVD_VH));
}

bool svd_is_judged(const struct args *a, const struct matrix *m)
{
	const bool both = dense_has(a, SVD_U) && dense_has(a, SVD_VH);

	return any_judged(a) && (m != &a->out[SVD_S] || both);
}

void svd_residual_need(struct need *n, const struct sheet *d,
                       const struct args *a)
{
	if (any_judged(a))
		judge_need(n, d, a, judge);
}

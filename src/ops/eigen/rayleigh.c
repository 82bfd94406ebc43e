/* rayleigh.c - the eigenpairs that an orthonormal basis X of an invariant
 * subspace holds: with X^T A X y = lambda y, x = X y; see large.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/eigen/large.h"

/* Computes c = op(a) b, where op(a) is m x n, b n x k and c m x k. */
static void multiply(const struct lapack *l, const char *op, size_t m,
                     size_t k, size_t n, const double *a, size_t lda,
                     const double *b, double *c)
{
	const int rows = (int)m, cols = (int)k, inner = (int)n, ld = (int)lda;
	const double one = 1, zero = 0;

	l->d.gemm(op, "N", &rows, &cols, &inner, &one, a, &ld, b, &inner,
	          &zero, c, &rows);
}

/* Computes h = X^T A X for the q locked vectors X; ax has room for A X. False:
 * the call was cancelled. */
static bool project(struct large *g, size_t q, double *ax, double *h)
{
	const size_t n = g->a->n;
	const double *x = g->search.space.x;

	for (size_t j = 0; j < q; j++)
		if (!large_times(g, x + j * n, ax + j * n))
			return false;
	multiply(g->l, "T", q, q, n, x, n, ax, h);
	for (size_t j = 0; g->symmetric && j < q; j++)
		for (size_t i = 0; i < j; i++)
			h[j * q + i] = h[i * q + j] =
			    (h[j * q + i] + h[i * q + j]) / 2;
	return true;
}

static int find(struct rayleigh *r, struct large *g, double *ax, double *h,
                bool *solved)
{
	const size_t n = g->a->n, q = (size_t)g->search.space.locked;
	struct eigen_choice c = g->choice;

	c.k = c.k < q ? c.k : q;
	r->set.symmetric = g->symmetric;
	if (!project(g, q, ax, h) ||
	    eigen_decompose(&r->set, g->l, h, 0, &c, solved) < 0)
		return -1;
	if (!*solved)
		return 0;
	multiply(g->l, "N", n, r->set.columns, q, g->search.space.x, n,
	         r->set.right, ax);
	r->pairs = r->set;
	r->pairs.n = n;
	r->pairs.right = ax;
	for (size_t i = 0; i < r->pairs.count; i++)
		eigen_normalise_one(&r->pairs, i, ax, g->args->dtype);
	return rayleigh_measure(r, g);
}

int rayleigh_find(struct rayleigh *r, struct large *g, bool *solved)
{
	const size_t n = g->a->n, q = (size_t)g->search.space.locked;
	double *ax = malloc((n * q + 1) * sizeof *ax);
	double *h = malloc((q * q + 1) * sizeof *h);
	int rc = -1;

	*r = (struct rayleigh){ 0 };
	*solved = false;
	if (ax && h && eigen_set_init(&r->set, q, true, false) == 0)
		rc = q > 0 ? find(r, g, ax, h, solved) : 0;
	if (!r->pairs.right)
		free(ax);
	free(h);
	return rc;
}

void rayleigh_fini(struct rayleigh *r)
{
	free(r->pairs.right);
	eigen_set_fini(&r->set);
}

/* Sets *length to |A x - re x + im y|, where y = NULL stands for 0; ax has room
 * for A x. False: the call was cancelled. */
static bool remainder_of(struct large *g, const double *x, const double *y,
                         double re, double im, double *ax, double *length)
{
	double sum = 0;

	if (!large_times(g, x, ax))
		return false;
	for (size_t i = 0; i < g->a->n; i++) {
		const double d = ax[i] - re * x[i] + (y ? im * y[i] : 0);

		sum += d * d;
	}
	*length = sqrt(sum);
	return true;
}

int rayleigh_measure(struct rayleigh *r, struct large *g)
{
	const struct eigen_set *const s = &r->pairs;
	double *ax = malloc(s->n * sizeof *ax), most = 0;
	bool goes_on = ax != NULL;

	for (size_t i = 0; goes_on && i < s->count; i++) {
		const double re = s->re[s->order[i]], im = s->im[s->order[i]];
		const double *x = s->right + s->column[i] * s->n;
		double a = 0, b = 0;

		if (im < 0)
			continue;
		goes_on = im == 0 ? remainder_of(g, x, NULL, re, 0, ax, &a) :
		    remainder_of(g, x, x + s->n, re, im, ax, &a) &&
		    remainder_of(g, x + s->n, x, re, -im, ax, &b);
		/* fmax() would ignore a NaN. */
		most = isnan(a + b) ? INFINITY : fmax(most, hypot(a, b));
	}
	free(ax);
	r->residual = most > 0 ? most / g->norm : 0;
	return goes_on ? 0 : -1;
}

void rayleigh_scale(struct rayleigh *r, int power)
{
	for (size_t i = 0; i < r->set.n; i++) {
		r->set.re[i] = ldexp(r->set.re[i], power);
		r->set.im[i] = ldexp(r->set.im[i], power);
	}
}

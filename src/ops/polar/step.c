/* step.c - see step.h. */
#include <math.h>

#include "ops/blas/trtri.h"
#include "ops/polar/step.h"

enum { ITEMS = 64 };

struct blas_part polar_part(struct buf b, size_t ld)
{
	return (struct blas_part){ .b = b, .ld = ld };
}

struct blas_part polar_turned(struct blas_part p)
{
	p.transposed = !p.transposed;
	return p;
}

void polar_multiply(const struct polar *p, size_t m, size_t n, size_t k,
                    struct blas_part a, struct blas_part b,
                    struct blas_part c)
{
	const struct blas_gemm g = { .stack = 1, .m = m, .n = n, .k = k,
	                             .alpha = 1, .tensor = &p->tensor };

	seq_set_dtype(p->s, FLOAT64);
	blas_gemm(p->s, &g, &a, &b, &c);
	seq_set_dtype(p->s, p->t);
}

void polar_gram(const struct polar *p, struct buf x, size_t rows)
{
	const struct blas_part part = polar_part(x, p->n);

	polar_multiply(p, p->n, p->n, rows, polar_turned(part), part,
	               polar_part(p->g, p->n));
}

void polar_combine(const struct polar *p, double of_x, double of_y,
                   struct buf y)
{
	const size_t count = p->m * p->n;

	seq_launch(p->s, "polar_combine", GRID1(count, ITEMS), ARG_BUF(p->u),
	           ARG_BUF(y), ARG_LONG(count), ARG_DOUBLE(of_x),
	           ARG_DOUBLE(of_y));
}

/* --- the factors */

/* W = [root X; I], or with `above` = 0 W = I. */
static void stack(const struct polar *p, size_t above, double root,
                  struct buf w)
{
	const size_t count = (above + p->n) * p->n;

	seq_launch(p->s, "polar_stack", GRID1(count, ITEMS), ARG_BUF(p->u),
	           ARG_INT(p->n), ARG_LONG(above * p->n), ARG_LONG(count),
	           ARG_DOUBLE(root), ARG_BUF(w));
}

/* p->g = L, where L L^T = I + c X^T X. */
static void factor(const struct polar *p, double c)
{
	const size_t n = p->n;
	const int32_t none = 0;

	polar_gram(p, p->u, p->m);
	seq_launch(p->s, "polar_shift", GRID1(n * n, ITEMS), ARG_BUF(p->g),
	           ARG_INT(n), ARG_LONG(n * n), ARG_DOUBLE(c));
	seq_fill(p->s, p->minor, 0, 2 * sizeof none, &none, sizeof none);
	seq_set_dtype(p->s, FLOAT64);
	cholesky_in_place(p->s, n, 1, p->g, p->minor);
	seq_set_dtype(p->s, p->t);
}

/* p->y = X L^-T L^-1 */
static void divide(const struct polar *p)
{
	const size_t m = p->m, n = p->n;
	const struct blas_part inverse = polar_part(p->g2, n);

	stack(p, 0, 1, p->g2);
	seq_set_dtype(p->s, FLOAT64);
	blas_trtri(p->s, &(struct blas_trtri){ .n = n, .l = p->g, .x = p->g2,
	                                       .room = p->y,
	                                       .tensor = &p->tensor });
	seq_set_dtype(p->s, p->t);
	polar_multiply(p, m, n, n, polar_part(p->u, n), polar_turned(inverse),
	               polar_part(p->w, n));
	polar_multiply(p, m, n, n, polar_part(p->w, n), inverse,
	               polar_part(p->y, n));
}

/* p->w = [Q1; Q2] = [sqrt(c) X; I] L^-T */
static void solve(const struct polar *p, double c)
{
	const size_t n = p->n;
	const struct blas_trsm g = { .stack = 1, .n = n, .sides = p->m + n,
	                             .tensor = &p->tensor };
	const struct blas_part l = polar_part(p->g, n);
	const struct blas_part q = polar_turned(polar_part(p->w, n));

	stack(p, p->m, sqrt(c), p->w);
	seq_set_dtype(p->s, FLOAT64);
	blas_trsm(p->s, &g, &l, &q);
	seq_set_dtype(p->s, p->t);
}

/* p->y = Q1 (Q^T Q)^-1, where (Q^T Q)^-1 = 3 I - 3 G + G^2 but for terms of
 * third order in G - I = Q^T Q - I. */
static void correct(const struct polar *p)
{
	const size_t m = p->m, n = p->n;
	const struct blas_part g = polar_part(p->g, n);

	polar_gram(p, p->w, m + n);
	polar_multiply(p, n, n, n, g, g, polar_part(p->g2, n));
	seq_launch(p->s, "polar_refine", GRID1(n * n, ITEMS), ARG_BUF(p->g),
	           ARG_BUF(p->g2), ARG_INT(n), ARG_LONG(n * n));
	polar_multiply(p, m, n, n, polar_part(p->w, n), g,
	               polar_part(p->y, n));
}

/* p->w = p->y Q2^T */
static void project(const struct polar *p)
{
	const size_t m = p->m, n = p->n;
	struct blas_part q2 = polar_turned(polar_part(p->w, n));

	q2.at = m * n;
	polar_multiply(p, m, n, n, polar_part(p->y, n), q2,
	               polar_part(p->w, n));
}

void polar_step(const struct polar *p, const struct polar_weights *w,
                bool corrected)
{
	const double of_x = w->b / w->c, rest = w->a - of_x;

	factor(p, w->c);
	if (corrected) {
		solve(p, w->c);
		correct(p);
		project(p);
		polar_combine(p, of_x, rest / sqrt(w->c), p->w);
	} else {
		divide(p);
		polar_combine(p, of_x, rest, p->y);
	}
}

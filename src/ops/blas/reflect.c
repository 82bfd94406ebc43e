/* reflect.c - see reflect.h. */
#include "ops/blas/reflect.h"

static struct blas_part with(struct blas_part p, bool transposed)
{
	p.transposed = transposed;
	return p;
}

/* C = A B, or C -= A B if `minus`. */
static void multiply(struct seq *s, const struct blas_reflect *h, bool minus,
                     size_t m, size_t n, size_t k, const struct blas_part *a,
                     const struct blas_part *b, const struct blas_part *c)
{
	blas_gemm(s, &(struct blas_gemm){
		.stack = h->stack, .m = m, .n = n, .k = k,
		.alpha = minus ? -1 : 1, .beta = minus, .tensor = h->tensor,
	}, a, b, c);
}

void blas_reflect_left(struct seq *s, const struct blas_reflect *h,
                       bool transposed, const struct blas_part *c, size_t n)
{
	const struct blas_part vt = with(h->v, true);
	const struct blas_part t = with(h->t, transposed);
	const struct blas_part x = { h->x[0], 0, n, h->nb * n, false };
	const struct blas_part y = { h->x[1], 0, n, h->nb * n, false };

	if (n == 0 || h->nb == 0)
		return;
	/* X = V^T C */
	multiply(s, h, false, h->nb, n, h->rows, &vt, c, &x);
	/* Y = op(T) X */
	multiply(s, h, false, h->nb, n, h->nb, &t, &x, &y);
	/* C -= V Y */
	multiply(s, h, true, h->rows, n, h->nb, &h->v, &y, c);
}

void blas_reflect_right(struct seq *s, const struct blas_reflect *h,
                        bool transposed, const struct blas_part *c, size_t m)
{
	const struct blas_part vt = with(h->v, true);
	const struct blas_part t = with(h->t, transposed);
	const struct blas_part x = { h->x[0], 0, h->nb, m * h->nb, false };
	const struct blas_part y = { h->x[1], 0, h->nb, m * h->nb, false };

	if (m == 0 || h->nb == 0)
		return;
	/* X = C V */
	multiply(s, h, false, m, h->nb, h->rows, c, &h->v, &x);
	/* Y = X op(T) */
	multiply(s, h, false, m, h->nb, h->nb, &x, &t, &y);
	/* C -= Y V^T */
	multiply(s, h, true, m, h->rows, h->nb, &y, &vt, c);
}

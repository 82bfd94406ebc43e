/* reflect.c - see reflect.h. */
#include "ops/blas/pieces.h"
#include "ops/blas/reflect.h"

static struct blas_part turned_if(bool turned, struct blas_part p)
{
	p.transposed ^= turned;
	return p;
}

/* C = A B, or C -= A B if `minus`. */
static struct blas_gemm product(const struct blas_reflect *h, bool minus,
                                size_t m, size_t n, size_t k)
{
	return (struct blas_gemm){
		.stack = h->stack, .m = m, .n = n, .k = k,
		.alpha = minus ? -1 : 1, .beta = minus,
		.tensor = h->tensor[minus], .groups = h->groups,
	};
}

static void multiply(struct seq *s, const struct blas_reflect *h, bool minus,
                     size_t m, size_t n, size_t k, const struct blas_part *a,
                     const struct blas_part *b, const struct blas_part *c)
{
	const struct blas_gemm g = product(h, minus, m, n, k);

	blas_gemm(s, &g, a, b, c);
}

static bool has_y(const struct blas_reflect *h)
{
	return h->y.b.id != 0;
}

bool blas_reflect_left_on_tensor(const struct blas_reflect *h, size_t n)
{
	const struct blas_gemm x = product(h, false, h->nb, n, h->rows);
	const struct blas_gemm c = product(h, true, h->rows, n, h->nb);

	return has_y(h) && blas_on_tensor(&x) && blas_on_tensor(&c);
}

void blas_reflect_left(struct seq *s, const struct blas_reflect *h,
                       bool transposed, const struct blas_part *c, size_t n)
{
	const size_t ld = h->ldx ? h->ldx : n;
	const struct blas_part *p = has_y(h) && transposed ? &h->y : &h->v;
	const struct blas_part *z = has_y(h) && !transposed ? &h->y : &h->v;
	const struct blas_part pt = turned_if(true, *p);
	const struct blas_part t = turned_if(transposed, h->t);
	const struct blas_part x = { h->x[0], 0, ld, h->nb * ld, false };
	const struct blas_part y = { h->x[1], 0, ld, h->nb * ld, false };

	if (n == 0 || h->nb == 0)
		return;
	/* X = V^T C, with Y: X = Y^T C if transposed */
	multiply(s, h, false, h->nb, n, h->rows, &pt, c, &x);
	/* op(T) X */
	if (!has_y(h))
		multiply(s, h, false, h->nb, n, h->nb, &t, &x, &y);
	/* C -= V op(T) X, with Y: C -= Y X or V X */
	multiply(s, h, true, h->rows, n, h->nb, z, has_y(h) ? &x : &y, c);
}

void blas_reflect_right(struct seq *s, const struct blas_reflect *h,
                        bool transposed, const struct blas_part *c, size_t m)
{
	const struct blas_part *p = has_y(h) && !transposed ? &h->y : &h->v;
	const struct blas_part *z = has_y(h) && transposed ? &h->y : &h->v;
	const struct blas_part zt = turned_if(true, *z);
	const struct blas_part t = turned_if(transposed, h->t);
	const struct blas_part x = { h->x[0], 0, h->nb, m * h->nb, false };
	const struct blas_part y = { h->x[1], 0, h->nb, m * h->nb, false };

	if (m == 0 || h->nb == 0)
		return;
	/* X = C V, with Y: X = C Y unless transposed */
	multiply(s, h, false, m, h->nb, h->rows, c, p, &x);
	/* X op(T) */
	if (!has_y(h))
		multiply(s, h, false, m, h->nb, h->nb, &x, &t, &y);
	/* C -= X op(T) V^T, with Y: C -= X V^T or X Y^T */
	multiply(s, h, true, m, h->rows, h->nb, has_y(h) ? &x : &y, &zt, c);
}

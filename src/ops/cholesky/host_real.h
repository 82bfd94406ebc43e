/* host_real.h - potrf of one matrix, in one of the two types
 * (ops/lapack/each_type.h). */
#include "ops/lapack/dot_real.h"

/* The vector x of signs, and w = L^T x. */
struct TYPED(probe) { real *x, *w; };

/* Copies A's lower triangle to L and sets the rest of L to zero; adds x^T A x
 * to *quadratic unless x is NULL. Returns the first row with an element that is
 * not finite, or n. */
static size_t TYPED(take)(const real *a, real *l, size_t n, const real *x,
                          double *quadratic)
{
	for (size_t i = 0; i < n; i++, a += n, l += n) {
		if (lapack_find_nonfinite(REAL_DTYPE, a, i + 1) <= i)
			return i;
		memcpy(l, a, (i + 1) * sizeof *l);
		memset(l + i + 1, 0, (n - 1 - i) * sizeof *l);
		if (x)
			*quadratic += 2 * x[i] * TYPED(dot)(a, x, i) + a[i];
	}
	return n;
}

/* Returns |L^T x|^2. */
static double TYPED(square)(const real *l, size_t n,
                            const struct TYPED(probe) *p)
{
	double sum = 0;

	memset(p->w, 0, n * sizeof *p->w);
	for (size_t i = 0; i < n; i++, l += n) {
		real *restrict w = p->w;
		const real x = p->x[i];

		for (size_t j = 0; j <= i; j++)
			w[j] += x * l[j];
	}
	for (size_t j = 0; j < n; j++)
		sum += (double)p->w[j] * p->w[j];
	return sum;
}

static double TYPED(trace)(const real *a, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i * (n + 1)];
	return sum;
}

/* Factors one matrix. To LAPACK, whose matrices are column-major, the lower
 * triangle is the upper one. */
static struct failure_detail TYPED(factor)(const struct lapack_call *c,
                                           size_t index, real *room)
{
	const size_t n = c->rows;
	const struct TYPED(probe) p = { room, room ? room + n : NULL };
	const real *a = lapack_in(c->a, 0, index);
	real *l = lapack_out(c->a, 0, index);
	double quadratic = 0;
	size_t row;
	int info;

	for (size_t i = 0; room && i < n; i++)
		p.x[i] = (real)lapack_sign(i);
	row = TYPED(take)(a, l, n, p.x, &quadratic);
	if (row < n)
		return cholesky_nonfinite(row, lapack_find_nonfinite(
		                          REAL_DTYPE, a + row * n, row + 1));
	info = n > 0 ? OF(c->l)->potrf(LAPACK_COLUMNS, 'U', (int)n, l,
	                               (int)n) : 0;
	if (info > 0)
		return cholesky_not_positive((size_t)info);
	if (room)
		c->ratios[index] = cholesky_ratio(REAL_DTYPE, n, quadratic,
		    TYPED(square)(l, n, &p), TYPED(trace)(a, n));
	return (struct failure_detail){ .code = ERR_NONE };
}

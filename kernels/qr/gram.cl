/* gram.cl - the kernels of qr by Cholesky's factorization (src/ops/qr/gram.c)
 * other than products and triangular solves, for a stack of matrices at once.
 */
#include "lib/real.h"
#include "lib/wide.h"

/* G = the sum of the lower triangles of `blocks` n x n matrices, with zeros
 * above the diagonal. One work-item computes one of the `count` elements of all
 * G. */
kernel void qr_gram_sum(global const real *restrict parts, int n, int blocks,
                        long count, global real *restrict g)
{
	const size_t at = get_global_id(0), size = (size_t)n * n;
	const size_t place = at % size;
	wide sum = 0;

	if (at >= count)
		return;
	parts += at / size * blocks * size + place;
	for (int b = 0; place % n <= place / n && b < blocks; b++)
		sum += parts[b * size];
	g[at] = sum;
}

/* G += factor trace(G) I, with one work-item for each matrix. */
kernel void qr_gram_shift(global real *restrict g, int n, real factor,
                          long stack)
{
	const size_t matrix = get_global_id(0);
	wide trace = 0;

	if (matrix >= stack)
		return;
	g += matrix * n * n;
	for (int i = 0; i < n; i++)
		trace += g[(size_t)i * (n + 1)];
	for (int i = 0; i < n; i++)
		g[(size_t)i * (n + 1)] += (real)(factor * trace);
}

/* Multiplies element (i, j) of every m x n matrix by sign j, or by sign i if
 * `rows` is not 0. Each matrix has ld signs, of which the first n count. There
 * is a work-item for each of the `count` elements. */
kernel void qr_signs(global real *restrict x, int m, int n,
                     global const int *restrict signs, int ld, int rows,
                     long count)
{
	const size_t at = get_global_id(0), matrix = at / ((size_t)m * n);
	const size_t line = rows ? at / n % m : at % n;

	if (at < count)
		x[at] *= signs[matrix * ld + line];
}

/* kron.cl - C = A (x) B on any device: element (i p + k, j q + l) of C is
 * a_ij b_kl, for a stack of m x n matrices A and p x q matrices B.
 *
 * A work-item writes ROWS rows of one column of C, so that the work-items of a
 * group write along a row. places: the matrices of A and B that each product
 * takes, in pairs; not read for a single product.
 * Launch: (n q, ceil(m p / ROWS), stack) work-items in groups of (GROUP, 1, 1).
 */
#include "lib/real.h"
#include "shared/kron_tile.h"

kernel __attribute__((reqd_work_group_size(KRON_GROUP, 1, 1)))
void kron_columns(global const real *restrict a,
                  global const real *restrict b,
                  global const int *restrict places,
                  global real *restrict c, int m, int n, int p, int q)
{
	const size_t z = get_global_id(2), one = get_global_size(2) == 1;
	const int column = get_global_id(0);
	const int j = column / q, l = column % q;
	const int first = get_global_id(1) * KRON_ROWS;
	const int last = min(first + KRON_ROWS, m * p);
	int i = first / p, k = first % p;

	if (column >= n * q)		/* the last group of a row */
		return;
	a += (one ? 0 : (size_t)places[2 * z] * m * n) + j;
	b += (one ? 0 : (size_t)places[2 * z + 1] * p * q) + l;
	c += (z * m * p + first) * n * q + column;
	for (int r = first; r < last; r++, c += (size_t)n * q) {
		*c = a[(size_t)i * n] * b[(size_t)k * q];
		if (++k == p) {
			k = 0;
			i++;
		}
	}
}

/* kron.cl - C = A (x) B on a CPU: row i p + k of C is the rows a_i0 b_k,
 * a_i1 b_k, … side by side, b_k being row k of B with its q elements.
 *
 * One work-item writes `rows` rows. Rows of B that fill a vector are scaled
 * vector by vector, the last one overlapping the one before it. Shorter ones
 * take two arrays: `left` has every a_ij q times, `right` repeats b_k, and a
 * row of C is their product element by element. If C is too large for the
 * caches and its rows are whole vectors, the stores bypass them.
 * Launch: (ceil(m p / rows), stack), one item a group.
 */
#include "lib/real.h"

#define CHUNK 1024		/* elements of `left` */
#define BYPASS (16 << 20)	/* bytes of C from which stores bypass */

/* c[0..q) = s b[0..q), q >= VW */
static void scale(real s, global const real *b, global real *c, int q,
                  bool bypass)
{
	int l = 0;

	if (bypass) {
		for (; l < q; l += VW)
			__builtin_nontemporal_store(s * VLOAD(b + l),
			    (global realv *)(c + l));
		return;
	}
	for (; l + VW <= q; l += VW)
		PUT(s * VLOAD(b + l), c + l);
	if (l < q)
		PUT(s * VLOAD(b + q - VW), c + q - VW);
}

/* c[0..count) = left[.] right[. mod q], q < VW; right holds q + VW elements */
static void multiply(const real *left, const real *right, global real *c,
                     int count, int q)
{
	int at = 0, from = 0;

	for (; at + VW <= count; at += VW) {
		PUT(VLOAD(left + at) * VLOAD(right + from), c + at);
		from += VW % q;
		from -= from >= q ? q : 0;
	}
	for (; at < count; at++)
		c[at] = left[at] * right[at % q];
}

/* Writes the rows `first` to `last` of C where q >= VW. */
static void write_wide(global const real *a, global const real *b,
                       global real *c, int n, int p, int q, int first,
                       int last, bool bypass)
{
	for (int r = first; r < last; r++)
		for (int j = 0; j < n; j++)
			scale(a[(size_t)(r / p) * n + j],
			      b + (size_t)(r % p) * q,
			      c + ((size_t)r * n + j) * q, q, bypass);
}

/* Writes the rows `first` to `last` of C where q < VW, for the columns j0 to j1
 * of A, of which there are at most CHUNK / q. */
static void write_narrow(global const real *a, global const real *b,
                         global real *c, int n, int p, int q, int first,
                         int last, int j0, int j1)
{
	real left[CHUNK], right[2 * VW];

	for (int r = first; r < last; r++) {
		if (r == first || r % p == 0)
			for (int j = j0, at = 0; j < j1; j++)
				for (int l = 0; l < q; l++)
					left[at++] = a[(size_t)(r / p) * n + j];
		for (int l = 0; l < q + VW; l++)
			right[l] = b[(size_t)(r % p) * q + l % q];
		multiply(left, right, c + ((size_t)r * n + j0) * q,
		         (j1 - j0) * q, q);
	}
}

kernel SINGLE_ITEM void kron_rows(global const real *restrict a,
                                  global const real *restrict b,
                                  global const int *restrict places,
                                  global real *restrict c, int m, int n,
                                  int p, int q, int rows, int stack,
                                  int first_group)
{
	const int blocks = (m * p + rows - 1) / rows;
	const size_t g = first_group + get_global_id(0), z = g / blocks;
	const bool one = stack == 1;
	const int first = g % blocks * rows;
	const int last = min(first + rows, m * p);
	const size_t size = (size_t)m * p * n * q;
	const bool bypass = q % VW == 0 &&
	    size * stack * sizeof(real) >= BYPASS;

	a += one ? 0 : (size_t)places[2 * z] * m * n;
	b += one ? 0 : (size_t)places[2 * z + 1] * p * q;
	c += z * size;
	if (q >= VW)
		write_wide(a, b, c, n, p, q, first, last, bypass);
	else
		for (int j = 0; j < n; j += CHUNK / q)
			write_narrow(a, b, c, n, p, q, first, last, j,
			             min(j + CHUNK / q, n));
}

/* complex_plain.c - see complex.h: A = L U of complex matrices without row
 * interchanges, by blocks of columns. */
#include "base/size.h"
#include "ops/lapack/exported.h"
#include "ops/lu/complex.h"
#include "ops/lu/zero_pivot.h"

enum { BLOCK = 32 };

/* What elimination has met: a zero pivot, and one above an element that is not
 * zero, whose column is `where`. */
struct met {
	bool zero, broken;
	size_t where;
};

/* Eliminates below the diagonal element k in the columns up to `end`. */
static void eliminate(cplx *a, size_t m, size_t k, size_t end, struct met *met)
{
	cplx *const x = a + k * m;

	if (x[k] == 0) {
		for (size_t i = k + 1; i < m && !met->broken; i++)
			met->broken = x[i] != 0;
		met->where = k;
		met->zero |= !met->broken;
		return;
	}
	for (size_t i = k + 1; i < m; i++)
		x[i] /= x[k];
	for (size_t j = k + 1; j < end; j++) {
		cplx *const y = a + j * m;

		for (size_t i = k + 1; y[k] != 0 && i < m; i++)
			y[i] -= x[i] * y[k];
	}
}

/* U12 = L11^-1 A12, A22 = A22 - L21 U12 for the columns after `end`, where the
 * block begins with column k. */
static void update(cplx *a, size_t m, size_t n, size_t k, size_t end)
{
	const int ld = (int)m, width = (int)(end - k);
	const int below = (int)(m - end), after = (int)(n - end);
	const cplx one = 1, minus = -1;

	if (after == 0)
		return;
	ztrsm_("L", "L", "N", "U", &width, &after, &one, a + k * m + k, &ld,
	       a + end * m + k, &ld);
	if (below > 0)
		zgemm_("N", "N", &below, &after, &width, &minus,
		       a + k * m + end, &ld, a + end * m + k, &ld, &one,
		       a + end * m + end, &ld);
}

static struct met factor(cplx *a, size_t m, size_t n)
{
	const size_t k = size_min(m, n);
	struct met met = { 0 };

	for (size_t j = 0; j < k && !met.broken; j += BLOCK) {
		const size_t end = size_min(j + BLOCK, k);

		for (size_t i = j; i < end && !met.broken; i++)
			eliminate(a, m, i, end, &met);
		update(a, m, n, j, end);
	}
	return met;
}

struct failure_detail lu_complex_plain(const struct lapack_call *c,
                                       const void *a, size_t m, size_t n,
                                       cplx *lu, int *pivots, cplx *room)
{
	struct failure_detail d = { .code = ERR_NONE };
	struct err e = { 0 };
	struct met met;

	for (size_t i = 0; i < size_min(m, n); i++)
		pivots[i] = (int)i + 1;
	complex_load(a, c->a->dtype, m, n, lu);
	met = factor(lu, m, n);
	if (!met.broken)
		return d;
	d.code = ERR_ZERO_PIVOT;
	if (met.zero) {
		complex_load(a, c->a->dtype, m, n, lu);
		lapack_transpose(lu, m, n, m, sizeof *lu, room, n);
		if (lu_by_rows_complex(room, m, n, COMPLEX128, &met.where, &e))
			d.code = ERR_NONE;
		else if (e.code != ERR_NONE)
			d.code = ERR_MEMORY;
		lapack_transpose(room, n, m, n, sizeof *lu, lu, m);
	}
	d.at = (int32_t)met.where;
	return d;
}

/* complex_plain.c - factors complex matrices A = L U without row interchanges,
 * by blocks of columns; see complex.h. */
#include "base/size.h"
#include "ops/lapack/exported.h"
#include "ops/lu/complex.h"
#include "ops/lu/zero_pivot.h"

enum { BLOCK = 32 };

/* The zero pivots that elimination has met. */
struct met {
	bool zero;			/* at least one above zeros alone */
	bool broken;			/* one above an element that is not
					 * zero, where elimination ends */
	size_t where;			/* the column of the latter */
};

/* Eliminates the elements below the diagonal in column k, and updates the
 * columns after it up to `end`. */
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

/* U12 = L11^-1 A12, A22 = A22 - L21 U12: applies the block of columns k to
 * `end` to the columns after it. */
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
                                       struct lu_complex *f, cplx *room)
{
	cplx *const lu = f->lu;
	struct failure_detail d = { .code = ERR_NONE };
	struct err e = { 0 };
	struct met met;

	for (size_t i = 0; i < size_min(m, n); i++)
		f->pivots[i] = (int)i + 1;
	f->ld = m;
	complex_load(a, c->a->dtype, m, n, lu);
	f->norm = complex_norm1(lu, m, n, m);
	met = factor(lu, m, n);
	if (!met.broken)
		return d;
	d.code = ERR_ZERO_PIVOT;
	/* Other choices in the column of an earlier zero pivot may lead to
	 * factors. */
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

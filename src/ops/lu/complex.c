/* complex.c - P A = L U of complex matrices by LAPACK on the host; see
 * ops/lapack/complex.h. A pivot is the element of its column whose
 * |real| + |imag| is largest, as in LAPACK. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/lapack/exported.h"
#include "ops/lu/complex.h"

/* Factor A, which f->lu holds. */
static bool factor_c(const struct lapack_call *c, const void *a, size_t m,
                     size_t n, struct lu_complex_c *f)
{
	(void)a;
	return complex_factor_c(c->l, m, n, f->lu, f->ld, f->norm, f->pivots);
}

static bool factor(const struct lapack_call *c, const void *a, size_t m,
                   size_t n, struct lu_complex *f)
{
	const enum dtype t = c->a->dtype;
	bool good;

	complex_factor_in_place(c->l, m, n, f->lu, f->ld, f->pivots, &good);
	if (!good && lapack_find_nonfinite(t, a, m * n) == m * n) {
		f->ld = m;
		complex_load(a, t, m, n, f->lu);
		complex_eliminate(f->lu, m, n, m, f->pivots);
	}
	return true;
}

void lu_complex_order(const int *pivots, size_t k, size_t m, int64_t *p)
{
	for (size_t i = 0; i < m; i++)
		p[i] = (int64_t)i;
	for (size_t i = 0; i < k; i++) {
		const int64_t with = p[pivots[i] - 1];

		p[pivots[i] - 1] = p[i];
		p[i] = with;
	}
}

static void put_pivots(const struct lapack_call *c, size_t index,
                       const int *pivots, const int64_t *p, size_t k,
                       size_t m)
{
	int64_t *const to = lapack_out(c->a, LU_PIVOTS, index);
	int64_t *const order = lapack_out(c->a, LU_P, index);

	for (size_t i = 0; to && i < k; i++)
		to[i] = pivots[i] - 1;
	if (order)
		memcpy(order, p, m * sizeof *p);
}

/* Make 0 of the elements above the diagonal of the row-major L, which has k
 * columns, and 1 of those on it; and 0 of those below that of the k x n U. */
static void make_unit_lower(void *l, enum dtype t, size_t k)
{
	const size_t each = dtype_bytes(t);

	for (size_t i = 0; i < k; i++) {
		memset((char *)l + (i * k + i) * each, 0, (k - i) * each);
		if (t == COMPLEX64)
			((cplx_c *)l)[i * k + i] = 1;
		else
			((cplx *)l)[i * k + i] = 1;
	}
}

static void make_upper(void *u, enum dtype t, size_t k, size_t n)
{
	for (size_t i = 0; i < k; i++)
		memset((char *)u + i * n * dtype_bytes(t), 0,
		       i * dtype_bytes(t));
}

#define LAPACK_BODY "ops/lu/complex_typed.h"
#include "ops/lapack/each_complex.h"

/* With pivoting, complex64 is computed with in itself first. */
static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const size_t m = matrix_rows(&c->a->in[0]);
	const size_t n = matrix_cols(&c->a->in[0]);
	const void *const a = lapack_in(c->a, 0, index);
	const bool wide = c->a->dtype == COMPLEX128;
	const bool plain = c->a->param[LU_PIVOT] == LU_NONE;
	struct complex_room r = { room };
	int64_t *const p = complex_array(&r, m, sizeof *p);
	struct complex_room again = r;
	struct lu_complex_c narrow = lu_complex_room_c(c, m, n, &r);
	struct lu_complex f = lu_complex_room(c, m, n, &again);
	struct failure_detail d = { .code = ERR_NONE };

	if (!wide && !plain && lu_complex_factor_c(c, a, m, n, &narrow)) {
		answer_c(c, index, &narrow, p);
		return d;
	}
	if (plain)
		d = lu_complex_plain(c, a, m, n, &f, wide ? complex_array(
		    &again, m * n, sizeof(cplx)) : f.wide);
	else
		lu_complex_factor(c, a, m, n, &f);
	if (d.code == ERR_NONE)
		answer(c, index, &f, p);
	return d;
}

int lu_complex(struct seq *s, struct args *a)
{
	const size_t m = matrix_rows(&a->in[0]), n = matrix_cols(&a->in[0]);

	return complex_run(&(struct lapack_call){
		.rows = size_max(m, n), .one = one,
		.room = lu_complex_bytes(m, n) + COMPLEX_BYTES(m),
	}, s, a);
}

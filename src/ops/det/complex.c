/* complex.c - the determinant of complex matrices: the product of U's diagonal,
 * as a fraction and a power of two, so that nothing overflows on the way. */
#include <complex.h>
#include <float.h>
#include <math.h>

#include "base/power.h"
#include "matrix/complex.h"
#include "ops/det/det.h"
#include "ops/lu/complex.h"

/* The number fraction * 2^power; the larger part of fraction is in [0.5, 1), or
 * 0, infinite or NaN. */
struct product {
	cplx fraction;
	int64_t power;
};

static double larger_part(cplx x)
{
	return fmax(fabs(creal(x)), fabs(cimag(x)));
}

static cplx scaled(cplx x, int64_t power)
{
	return complex_of(power_ldexp(creal(x), power),
	                  power_ldexp(cimag(x), power));
}

/* Moves the power of two of the larger part to p->power. */
static void settle(struct product *p, cplx x)
{
	const double size = larger_part(x);
	int power = 0;

	if (isfinite(size) && size > 0)
		frexp(size, &power);
	p->fraction = scaled(x, -power);
	p->power += power;
}

/* Multiplies p by an element of U's diagonal, or with `swapped` by its
 * negative. */
static void times(struct product *p, cplx x, bool swapped)
{
	struct product u = { 0 };

	settle(&u, x);
	settle(p, (swapped ? -1 : 1) * p->fraction * u.fraction);
	p->power += u.power;
}

#define LAPACK_BODY "ops/det/complex_typed.h"
#include "ops/lapack/each_complex.h"

/* Returns whether U's diagonal may have lost digits to underflow, as for real
 * matrices (det.c). */
static bool has_underflown(const struct lu_complex *f, const cplx *a, size_t n)
{
	bool zero = false, small = false;

	for (size_t i = 0; i < n; i++) {
		const double size = larger_part(f->lu[i * (f->ld + 1)]);

		if (size > 0 && size < DBL_MIN)
			return true;
		zero |= size == 0;
	}
	for (size_t i = 0; i < n * n && zero && !small; i++) {
		const double size = larger_part(a[i]);

		small = size > 0 && size < sqrt(DBL_MIN);
	}
	return small;
}

/* Scales each column of the column-major A by the power of two that brings the
 * larger part of its largest element near 1. Returns the sum of the powers. */
static int64_t scale_columns(cplx *a, size_t n)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++, a += n) {
		double most = 0;
		int power;

		for (size_t j = 0; j < n; j++)
			most = fmax(most, larger_part(a[j]));
		frexp(most, &power);
		for (size_t j = 0; j < n; j++)
			a[j] = scaled(a[j], -power);
		sum += power;
	}
	return sum;
}

/* Factors A and computes its determinant again, with scaled columns. `copy`
 * becomes what is factored. */
static struct product product_scaled(const struct lapack_call *c,
                                     const void *a, size_t n,
                                     struct lu_complex *f, cplx *copy)
{
	struct product p;
	int64_t power;

	complex_load(a, c->a->dtype, n, n, copy);
	power = scale_columns(copy, n);
	f->ld = n;
	complex_factor(c->l, copy, n, n, f->lu, f->pivots);
	f->given = copy;
	f->norm = complex_norm1(copy, n, n, n);
	p = product_of(f, n);
	p.power += power;
	return p;
}

static bool is_finite(const struct product *p)
{
	return isfinite(creal(p->fraction)) && isfinite(cimag(p->fraction));
}

static cplx det_of(const struct product *p)
{
	return scaled(p->fraction, p->power);
}

static void put(struct args *a, size_t index, const struct product *p)
{
	const cplx det = det_of(p);
	const double size = cabs(p->fraction);
	const cplx sign = size == 0 ? 0 : p->fraction / size;

	if (args_wants(a, DET_DET))
		matrix_set_complex(&a->out[DET_DET], index, creal(det),
		                   cimag(det));
	if (args_wants(a, DET_SIGN))
		matrix_set_complex(&a->out[DET_SIGN], index, creal(sign),
		                   cimag(sign));
	if (args_wants(a, DET_LOGABSDET))
		matrix_set(&a->out[DET_LOGABSDET], index,
		           isnormal(cabs(det)) ? log(cabs(det)) :
		           log(size) + (double)p->power * log(2));
}

/* Computes a determinant in complex64. Returns false where U has an element on
 * its diagonal that may consist of rounding errors. */
static bool compute_c(const struct lapack_call *c, size_t index, size_t n,
                      struct lu_complex_c *f, int64_t *p)
{
	struct product det;

	if (!lu_complex_factor_c(c, lapack_in(c->a, 0, index), n, n, f) ||
	    complex_is_doubtful(f->lu, n, f->ld))
		return false;
	det = product_of_c(f, n);
	put(c->a, index, &det);
	judge_c(c, index, n, f, p);
	return true;
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const size_t n = c->rows;
	const void *const a = lapack_in(c->a, 0, index);
	struct complex_room r = { room };
	int64_t *const p = complex_array(&r, n, sizeof *p);
	struct complex_room again = r;
	struct lu_complex_c narrow = lu_complex_room_c(c, n, n, &r);
	struct lu_complex f = lu_complex_room(c, n, n, &again);
	const struct failure_detail d = { .code = ERR_NONE };
	struct product det;

	if (c->a->dtype == COMPLEX64 && compute_c(c, index, n, &narrow, p))
		return d;
	lu_complex_factor(c, a, n, n, &f);
	det = product_of(&f, n);
	if (!is_finite(&det) || has_underflown(&f, f.given ? f.given : a, n))
		det = product_scaled(c, a, n, &f, f.wide ? f.wide :
		    complex_array(&again, n * n, sizeof(cplx)));
	put(c->a, index, &det);
	judge(c, index, n, &f, p);
	return d;
}

int det_complex(struct seq *s, struct args *a)
{
	const size_t n = matrix_rows(&a->in[0]);

	return complex_run(&(struct lapack_call){
		.rows = n, .one = one,
		.room = lu_complex_bytes(n, n) + COMPLEX_BYTES(n),
	}, s, a);
}

/* complex.c - see complex.h. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "matrix/complex.h"
#include "ops/lapack/complex.h"

static void add(struct args *a, const struct verdict *v)
{
	struct verdict *all = &a->verdict;

	if (!isnan(v->residual))
		all->residual = verdict_worse(all->residual, v->residual);
	if (!isnan(v->orthogonality))
		all->orthogonality = verdict_worse(all->orthogonality,
		                                   v->orthogonality);
	if (!isnan(v->forward_error))
		all->forward_error = verdict_worse(all->forward_error,
		                                   v->forward_error);
	if (!isnan(v->condition))
		all->condition = verdict_worse(all->condition, v->condition);
	if (!isnan(v->rcond))
		verdict_add_rcond(all, v->rcond, dtype_epsilon(a->dtype));
}

int complex_run(struct lapack_call *c, struct seq *s, struct args *a)
{
	struct verdict *told = calloc(a->stack + 1, sizeof *told);
	const struct complex_call call = { c->how, told };
	int rc;

	if (!told)
		return err_set(seq_err(s), ERR_MEMORY, "%s: no memory for %zu "
		               "verdicts", a->op->name, a->stack);
	for (size_t i = 0; i < a->stack; i++)
		told[i] = verdict_none();
	c->how = &call;
	rc = lapack_run(c, s, a);
	for (size_t i = 0; rc == 0 && i < a->stack; i++)
		if (!args_has_failed(a, i))
			add(a, &told[i]);
	free(told);
	return rc;
}

void *complex_array(struct complex_room *r, size_t n, size_t each)
{
	void *const array = r->next;

	r->next += size_round_up(n * each + 1, 64);
	return array;
}

/* Rows whose cache lines are kept while a matrix is transposed. */
enum { TILE = 16 };

static cplx element(const void *from, enum dtype t, size_t i)
{
	return t == COMPLEX64 ? ((const cplx_c *)from)[i] :
	                        ((const cplx *)from)[i];
}

void complex_load(const void *from, enum dtype t, size_t m, size_t n, cplx *to)
{
	if (t == COMPLEX128) {
		lapack_transpose(from, n, m, n, sizeof *to, to, m);
		return;
	}
	for (size_t top = 0; top < m; top += TILE)
		for (size_t j = 0; j < n; j++)
			for (size_t i = top; i < size_min(top + TILE, m); i++)
				to[j * m + i] = element(from, t, i * n + j);
}

void complex_round(cplx *x, size_t n, enum dtype t)
{
	/* Volatile: else the compiler may leave the roundings out. */
	for (size_t i = 0; i < n && t == COMPLEX64; i++) {
		const volatile float re = (float)creal(x[i]);
		const volatile float im = (float)cimag(x[i]);

		x[i] = complex_of(re, im);
	}
}

/* The lanes let the compiler use vector instructions. */
void complex_narrow(const cplx *from, size_t n, void *to)
{
	enum { LANES = 8 };
	const double *const part = (const double *)from;
	float *const narrow = to;
	size_t i = 0;

	for (; i + LANES <= 2 * n; i += LANES)
		for (size_t k = 0; k < LANES; k++)
			narrow[i + k] = (float)part[i + k];
	for (; i < 2 * n; i++)
		narrow[i] = (float)part[i];
}

void complex_store(const cplx *from, size_t ld, size_t m, size_t n,
                   enum dtype t, void *to)
{
	cplx_c *narrow = to;

	if (t == COMPLEX128) {
		lapack_transpose(from, ld, n, m, sizeof *from, to, n);
		return;
	}
	for (size_t top = 0; top < m; top += TILE)
		for (size_t j = 0; j < n; j++)
			for (size_t i = top; i < size_min(top + TILE, m); i++)
				narrow[i * n + j] = (cplx_c)from[j * ld + i];
}

void complex_store_reals(const double *from, size_t n, enum dtype t, void *to)
{
	for (size_t i = 0; i < n; i++)
		if (dtype_part(t) == FLOAT32)
			((float *)to)[i] = (float)from[i];
		else
			((double *)to)[i] = from[i];
}

double complex_norm2(const cplx *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += creal(x[i]) * creal(x[i]) + cimag(x[i]) * cimag(x[i]);
	if (sum > 0x1p-900 && sum < 0x1p960)
		return sqrt(sum);
	sum = 0;
	for (size_t i = 0; i < n; i++)
		sum = hypot(sum, complex_modulus(x[i]));
	return sum;
}

/* The row from k on in which column x has its pivot. */
static size_t pivot_of(const cplx *x, size_t m, size_t k)
{
	size_t top = k;
	double most = -1;

	for (size_t i = k; i < m; i++) {
		const double size = fabs(creal(x[i])) + fabs(cimag(x[i]));

		if (size > most) {
			most = size;
			top = i;
		}
	}
	return top;
}

static void swap_rows(cplx *a, size_t ld, size_t n, size_t i, size_t k)
{
	for (size_t j = 0; j < n && i != k; j++) {
		const cplx x = a[j * ld + i];

		a[j * ld + i] = a[j * ld + k];
		a[j * ld + k] = x;
	}
}

void complex_raise(cplx *x, size_t n, int k)
{
	for (size_t i = 0; i < n && k != 0; i++)
		x[i] = complex_of(ldexp(creal(x[i]), k), ldexp(cimag(x[i]), k));
}

void complex_raise_reals(double *x, size_t n, int k)
{
	for (size_t i = 0; i < n && k != 0; i++)
		x[i] = ldexp(x[i], k);
}

double complex_largest_part(const cplx *x, size_t n)
{
	double re = 0, im = 0;

	for (size_t i = 0; i < n; i++) {
		const double a = fabs(creal(x[i])), b = fabs(cimag(x[i]));

		re = a > re ? a : re;
		im = b > im ? b : im;
	}
	return re > im ? re : im;
}

int complex_lower(cplx *x, size_t n)
{
	static const int down = 64;
	const double most = complex_largest_part(x, n);

	if (most < ldexp(1, DBL_MAX_EXP - down) || isinf(most))
		return 0;
	complex_raise(x, n, -down);
	return down;
}

/* Multiplies U by 2^k. */
static void raise_upper(cplx *lu, size_t m, size_t n, size_t ld, int k)
{
	for (size_t j = 0; j < n; j++)
		complex_raise(lu + j * ld, size_min(j + 1, m), k);
}

static int eliminate(cplx *a, size_t m, size_t n, size_t ld, int *pivots)
{
	int info = 0;

	for (size_t k = 0; k < size_min(m, n); k++) {
		cplx *const x = a + k * ld;
		const size_t top = pivot_of(x, m, k);

		lapack_poll();
		pivots[k] = (int)top + 1;
		swap_rows(a, ld, n, k, top);
		if (x[k] == 0) {
			info = info ? info : (int)k + 1;
			continue;
		}
		for (size_t i = k + 1; i < m; i++)
			x[i] /= x[k];
		for (size_t j = k + 1; j < n; j++)
			for (size_t i = k + 1; i < m; i++)
				a[j * ld + i] -= x[i] * a[j * ld + k];
	}
	return info;
}

int complex_eliminate(cplx *a, size_t m, size_t n, size_t ld, int *pivots)
{
	const int k = complex_lower(a, ld * n);
	const int info = eliminate(a, m, n, ld, pivots);

	raise_upper(a, m, n, ld, k);
	return info;
}

int complex_factor_in_place(const struct lapack *l, size_t m, size_t n,
                            cplx *lu, size_t ld, int *pivots, bool *good)
{
	const int k = complex_lower(lu, ld * n);
	const int info = l->z.getrf(LAPACK_COLUMNS, (int)m, (int)n, lu,
	                            (int)ld, pivots);

	*good = complex_are_factors(lu, m, n, ld);
	raise_upper(lu, m, n, ld, k);
	return info;
}

int complex_factor(const struct lapack *l, const cplx *a, size_t m, size_t n,
                   cplx *lu, int *pivots)
{
	const size_t bytes = m * n * sizeof *lu;
	bool good;
	int info;

	memcpy(lu, a, bytes);
	info = complex_factor_in_place(l, m, n, lu, m, pivots, &good);
	if (!good && lapack_find_nonfinite(COMPLEX128, a, m * n) == m * n)
		info = complex_eliminate(memcpy(lu, a, bytes), m, n, m,
		                         pivots);
	return info;
}

double complex_ratio(double norm, double scale)
{
	return norm == 0 ? 0 : norm / scale;
}

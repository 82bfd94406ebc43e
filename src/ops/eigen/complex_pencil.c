/* complex_pencil.c - see complex.h: the problems of two complex matrices. Those
 * with a hermitian positive definite B = L L^H become one of one matrix, as
 * LAPACK's xHEGST makes them; pencil.c has the formulas, with L^H for L^T. Any
 * other pair is decomposed by ZGGEV3. */
#include <complex.h>
#undef complex				/* a member's name in many.h */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "matrix/complex.h"
#include "ops/eigen/complex.h"
#include "ops/lapack/exported.h"

/* --- the operands */

static void multiply(cplx *x, size_t n, int power)
{
	const double half = ldexp(1, power / 2);
	const double rest = ldexp(1, power - power / 2);

	for (size_t i = 0; i < n && power != 0; i++)
		x[i] = x[i] * half * rest;
}

int eigen_complex_scale(cplx *x, size_t n)
{
	double most = 0;
	int power;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fmax(fabs(creal(x[i])), fabs(cimag(x[i]))));
	power = most > 0 ? ilogb(most) : 0;
	multiply(x, n, -power);
	return power;
}

void eigen_complex_load(const struct lapack_call *c, size_t index,
                        struct eigen_complex_set *s)
{
	complex_load(lapack_in(c->a, EIGEN_A, index), c->a->dtype, s->n, s->n,
	             s->a);
	if (!s->b)
		return;
	complex_load(lapack_in(c->a, EIGEN_B, index), c->a->dtype, s->n, s->n,
	             s->b);
	s->power[EIGEN_A] = eigen_complex_scale(s->a, s->n * s->n);
	s->power[EIGEN_B] = eigen_complex_scale(s->b, s->n * s->n);
}

cplx eigen_complex_value(const struct eigen_complex_set *s, size_t k,
                         bool whole)
{
	const bool divides = s->form == EIGEN_DEFINITE ||
	                     s->form == EIGEN_GENERAL_PENCIL;
	const int power = s->b ? s->power[EIGEN_A] + (divides ? -1 : 1) *
	                         s->power[EIGEN_B] : 0;
	const cplx x = s->values[k];

	return whole ? complex_of(ldexp(creal(x), power),
	                          ldexp(cimag(x), power)) : x;
}

/* --- definite pairs */

/* X = op(L)^-1 X or op(L) X, in blocks of columns, between which a cancelled
 * call is left. */
static void apply(const struct eigen_complex_set *s, bool divides,
                  const char *op, cplx *x, size_t columns)
{
	enum { BLOCK = 64 };
	const int n = (int)s->n;
	const cplx one = 1;

	for (size_t j = 0; j < columns; j += BLOCK) {
		const int width = (int)size_min(BLOCK, columns - j);

		(divides ? ztrsm_ : ztrmm_)("L", "L", op, "N", &n, &width, &one,
		                            s->b, &n, x + j * s->n, &n);
	}
}

static void turn(cplx *a, size_t n)
{
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i <= j; i++) {
			const cplx x = conj(a[j * n + i]);

			a[j * n + i] = conj(a[i * n + j]);
			a[i * n + j] = x;
		}
}

struct failure_detail eigen_complex_reduce(const struct lapack_call *c,
                                           struct eigen_complex_set *s)
{
	const bool divides = s->form == EIGEN_DEFINITE;
	const int n = (int)s->n;
	const double slack = 100 * (double)n * dtype_epsilon(c->a->dtype);
	struct failure_detail d = { .code = ERR_MATHEMATICS,
	                            .at = EIGEN_FAULT_B };
	size_t i, j;

	if (eigen_complex_differs(s->b, s->n, slack, &i, &j)) {
		d.x = (double)j;
		d.y = (double)i;
		return d;
	}
	eigen_complex_mirror(s->b, s->n);
	d.at = c->l->z.potrf(LAPACK_COLUMNS, 'L', n, s->b, n);
	d.code = d.at > 0 ? ERR_NOT_POSITIVE : ERR_NONE;
	if (d.code != ERR_NONE)
		return d;
	/* The first turn makes the conjugate transpose of L^-1 A, or of L^H A.
	 * The second does the same with that. */
	for (int side = 0; side < 2; side++) {
		apply(s, divides, divides ? "N" : "C", s->a, s->n);
		turn(s->a, s->n);
	}
	if (s->hermitian)
		eigen_complex_mirror(s->a, s->n);
	return d;
}

void eigen_complex_back(const struct eigen_complex_set *s, bool left, cplx *z)
{
	const bool divides = eigen_pencil_divides(s->form, left);

	if (s->b && s->form != EIGEN_GENERAL_PENCIL)
		apply(s, divides, divides ? "C" : "N", z, s->count);
}

/* --- any pair */

static int call(const struct lapack_call *c, struct eigen_complex_set *s,
                double *rwork, cplx *work, int lwork)
{
	const char job = s->vectors ? 'V' : 'N';
	const int n = (int)s->n;

	return c->l->z.ggev3(LAPACK_COLUMNS, job, job, n, s->a, n, s->b, n,
	    s->alpha, s->beta, s->left, n, s->right, n, work, lwork, rwork);
}

int eigen_complex_qz(const struct lapack_call *c, struct eigen_complex_set *s,
                     struct complex_room r)
{
	double *const rwork = complex_array(&r, 8 * s->n, sizeof *rwork);
	cplx best = 0, *work;
	int info;

	call(c, s, rwork, &best, -1);
	work = malloc((size_t)fmax(creal(best), 1) * sizeof *work);
	if (!work)
		return EIGEN_NO_MEMORY;
	lapack_threads_for(c->l, s->n, true);
	info = call(c, s, rwork, work, (int)creal(best));
	lapack_threads_for(c->l, s->n, false);
	free(work);
	for (size_t i = 0; info == 0 && i < s->n; i++)
		s->values[i] = s->beta[i] != 0 ? s->alpha[i] / s->beta[i] :
		               s->alpha[i] == 0 ? complex_of(NAN, 0) :
		                                  complex_of(INFINITY, 0);
	return info;
}

/* complex_pencil.c - the eigenproblems of a pair of complex matrices; see
 * complex.h. If B is hermitian and positive definite, B = L L^H, they are
 * reduced to the eigenproblem of one matrix, as LAPACK's xHEGST does: pencil.c
 * has the formulas, with L^T for L^H, and tells why rows are sorted. ZHEEVD's
 * reduction to tridiagonal form begins with the first row, so that it is
 * L^-1 A L^-H whose rows are reversed. The problem A x = lambda B x for any B
 * is solved by ZGGEV3. */
#include <complex.h>
#undef complex				/* a member's name in many.h */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "matrix/complex.h"
#include "ops/eigen/complex.h"
#include "ops/eigen/pencil.h"
#include "ops/lapack/exported.h"

/* --- the operands */

static void load(const struct lapack_call *c, int operand, size_t index,
                 size_t n, cplx *x)
{
	complex_load(lapack_in(c->a, operand, index), c->a->dtype, n, n, x);
}

void eigen_complex_load(const struct lapack_call *c, size_t index,
                        struct eigen_complex_set *s)
{
	load(c, EIGEN_A, index, s->n, s->a);
	if (!s->b)
		return;
	load(c, EIGEN_B, index, s->n, s->b);
	/* A complex number is an array of its real and its imaginary part. */
	s->power[EIGEN_A] = eigen_scale((double *)s->a, 2 * s->n * s->n);
	s->power[EIGEN_B] = eigen_scale((double *)s->b, 2 * s->n * s->n);
}

cplx eigen_complex_value(const struct eigen_complex_set *s, size_t k)
{
	const int power = eigen_pencil_power(s->form, s->power);

	return complex_of(ldexp(creal(s->values[k]), power),
	                  ldexp(cimag(s->values[k]), power));
}

/* --- definite pairs */

/* X = op(L)^-1 X or X = op(L) X, by blocks of columns: a cancelled call is left
 * only where the next ztrsm_() or ztrmm_() begins. */
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

static void transpose_conjugate(cplx *a, size_t n)
{
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i <= j; i++) {
			const cplx x = conj(a[j * n + i]);

			a[j * n + i] = conj(a[i * n + j]);
			a[i * n + j] = x;
		}
}

static bool is_reversed(const struct eigen_complex_set *s)
{
	return s->hermitian && s->form == EIGEN_DEFINITE;
}

struct failure_detail eigen_complex_reduce(const struct lapack_call *c,
                                           struct eigen_complex_set *s,
                                           bool sorted)
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
	eigen_complex_make_hermitian(s->b, s->n);
	arrange_find(&s->rows, sorted ? s->b : NULL);
	arrange_apply(&s->rows, s->b);
	arrange_apply(&s->rows, s->a);
	d.at = complex_cholesky(c->l, 'L', s->b, s->n, s->n);
	d.code = d.at > 0 ? ERR_NOT_POSITIVE : ERR_NONE;
	if (d.code != ERR_NONE)
		return d;
	/* After the first pass, A holds (L^-1 A)^H or (L^H A)^H; the second
	 * pass does the same to that. */
	for (int side = 0; side < 2; side++) {
		apply(s, divides, divides ? "N" : "C", s->a, s->n);
		transpose_conjugate(s->a, s->n);
	}
	if (s->hermitian)
		eigen_complex_make_hermitian(s->a, s->n);
	if (is_reversed(s))
		arrange_reverse(&s->rows, s->a, s->n * s->n);
	return d;
}

bool eigen_complex_needs_qz(const struct eigen_complex_set *s)
{
	return !s->hermitian && s->form == EIGEN_DEFINITE &&
	       arrange_is_ill(&s->rows, s->b);
}

void eigen_complex_back(const struct eigen_complex_set *s, bool left, cplx *z)
{
	const bool divides = eigen_pencil_divides(s->form, left);

	if (!s->b || s->form == EIGEN_GENERAL_PENCIL)
		return;
	for (size_t k = 0; k < s->count && is_reversed(s); k++)
		arrange_reverse(&s->rows, z + k * s->n, s->n);
	apply(s, divides, divides ? "C" : "N", z, s->count);
	arrange_undo(&s->rows, z, s->count);
}

/* --- pairs with any B */

/* Returns LAPACK's info. If lwork is -1, only sets *work to the best length of
 * the work array. */
static int call_ggev3(const struct lapack_call *c, struct eigen_complex_set *s,
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

	call_ggev3(c, s, rwork, &best, -1);
	work = malloc((size_t)fmax(creal(best), 1) * sizeof *work);
	if (!work)
		return EIGEN_NO_MEMORY;
	/* xLAQZ0 reads both before it has set them, see eigen_qz(). */
	memset(s->alpha, 0, s->n * sizeof *s->alpha);
	memset(s->beta, 0, s->n * sizeof *s->beta);
	lapack_threads_for(c->l, s->n, true);
	info = call_ggev3(c, s, rwork, work, (int)creal(best));
	lapack_threads_for(c->l, s->n, false);
	free(work);
	for (size_t i = 0; info == 0 && i < s->n; i++)
		s->values[i] = s->beta[i] != 0 ? s->alpha[i] / s->beta[i] :
		               s->alpha[i] == 0 ? complex_of(NAN, 0) :
		                                  complex_of(INFINITY, 0);
	return info;
}

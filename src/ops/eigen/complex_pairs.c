/* complex_pairs.c - computes the eigenpairs of one complex matrix, and chooses
 * among them; see complex.h. */
#include <complex.h>
#undef complex				/* a member's name in many.h */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/eigen/complex.h"

/* --- which of the eigenvalues */

struct key {
	double first, second;
	size_t at;
};
_Static_assert(sizeof(struct key) == EIGEN_COMPLEX_KEY, "room for a key");

static int compare(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	if (x->second != y->second)
		return x->second < y->second ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Returns the number by which c ranks an eigenvalue: those with the smallest
 * keys are chosen. */
static double key_of(const struct eigen_choice *c, cplx value)
{
	return c->which == EIGEN_DOMINANT ? -cabs(value) :
	       eigen_key(c, creal(value), cimag(value));
}

static struct key key_at(const struct eigen_complex_set *s,
                         const struct eigen_choice *c, size_t i)
{
	const cplx value = eigen_complex_value(s, i);

	return (struct key){ eigen_key_or_last(key_of(c, value)),
	                     eigen_key_or_last(-creal(value)), i };
}

/* Keeps the keys of those eigenvalues whose real parts are in (low, high].
 * Returns the number of these keys. */
static size_t keep(const struct eigen_complex_set *s,
                   const struct eigen_choice *c, struct key *keys)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++) {
		const double re = creal(eigen_complex_value(s, keys[i].at));

		if (c->low < re && re <= c->high)
			keys[kept++] = keys[i];
	}
	return kept;
}

void eigen_complex_choose(struct eigen_complex_set *s,
                          const struct eigen_choice *c, void *room)
{
	struct key *const keys = room;

	for (size_t i = 0; i < s->n; i++)
		keys[i] = key_at(s, c, i);
	qsort(keys, s->n, sizeof *keys, compare);
	if (c->which == EIGEN_INTERVAL)
		s->count = keep(s, c, keys);
	for (size_t i = 0; i < s->count; i++)
		keys[i].first = s->hermitian ? creal(s->values[keys[i].at]) :
		    c->found ? (double)keys[i].at :
		    eigen_key_or_last(-cabs(s->values[keys[i].at]));
	qsort(keys, s->count, sizeof *keys, compare);
	for (size_t i = 0; i < s->count; i++)
		s->order[i] = keys[i].at;
}

/* --- the decompositions */

bool eigen_complex_differs(const cplx *x, size_t n, double slack, size_t *i,
                           size_t *j)
{
	double most = 0;

	for (size_t k = 0; k < n * n && slack > 0; k++)
		most = fmax(most, complex_modulus(x[k]));
	for (*i = 0; *i < n; ++*i)
		for (*j = 0; *j <= *i; ++*j) {
			const cplx a = x[*i * n + *j];
			const cplx b = conj(x[*j * n + *i]);

			if (a != b && cabs(a - b) > slack * most)
				return true;
		}
	return false;
}

void eigen_complex_make_hermitian(cplx *a, size_t n)
{
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i <= j; i++) {
			const cplx mean = (a[j * n + i] +
			                   conj(a[i * n + j])) / 2;

			a[j * n + i] = mean;
			a[i * n + j] = conj(mean);
		}
}

#define LAPACK_BODY "ops/eigen/complex_typed.h"
#include "ops/lapack/each_complex.h"

/* Residuals that complex64 leaves are below this, relative to |A|. */
#define NARROW_TOL (64 * FLT_EPSILON)

/* Decomposes a hermitian matrix in complex64. Returns false for one that is
 * left to complex128: near the ends of float32's range, with smaller residuals
 * asked for, or if that fails. */
static bool decompose_narrow(const struct lapack_call *c,
                             struct eigen_complex_set *s,
                             struct complex_room r)
{
	const size_t n = s->n;
	float *const values = complex_array(&r, n, sizeof *values);
	cplx_c *const x = complex_array(&r, n * n, sizeof *x);

	if (eigen_tol(c->a) < NARROW_TOL ||
	    !complex_is_moderate(complex_norm1(s->a, n, n, n)))
		return false;
	complex_narrow(s->a, n * n, x);
	if (heevd_c(c->l, s->vectors, n, x, values, r) != 0 ||
	    lapack_find_nonfinite(COMPLEX64, x, n * n) < n * n ||
	    lapack_find_nonfinite(FLOAT32, values, n) < n)
		return false;
	for (size_t i = 0; i < n; i++)
		s->values[i] = values[i];
	for (size_t i = 0; i < n * n && s->vectors; i++)
		s->right[i] = x[i];
	return true;
}

/* The matrix of a pair has been computed in complex128, and stays so. */
static int decompose_hermitian(const struct lapack_call *c,
                               struct eigen_complex_set *s,
                               struct complex_room r)
{
	const size_t n = s->n;
	double *const values = complex_array(&r, n, sizeof *values);
	int info;

	if (c->a->dtype == COMPLEX64 && !s->b && decompose_narrow(c, s, r))
		return 0;
	memcpy(s->right, s->a, n * n * sizeof *s->a);
	info = heevd(c->l, s->vectors, n, s->right, values, r);
	for (size_t i = 0; i < n; i++)
		s->values[i] = values[i];
	return info;
}

static int decompose_general(const struct lapack_call *c,
                             struct eigen_complex_set *s,
                             struct complex_room r)
{
	const size_t n = s->n, work = 2 * n + n * n + 64 * n;
	const char job = s->vectors ? 'V' : 'N';
	cplx *const a = complex_array(&r, n * n, sizeof *a);
	cplx *const w = complex_array(&r, work, sizeof *w);
	double *const rwork = complex_array(&r, 2 * n, sizeof *rwork);
	double *const scale = complex_array(&r, n, sizeof *scale);
	double *const of_vectors = complex_array(&r, n, sizeof *scale);
	double norm;
	int low, high;

	memcpy(a, s->a, n * n * sizeof *a);
	return c->l->z.geevx(LAPACK_COLUMNS, s->plain ? 'N' : 'B', job, job,
	                     s->vectors ? 'E' : 'N', (int)n, a, (int)n,
	                     s->values, s->left, (int)n, s->right, (int)n,
	                     &low, &high, scale, &norm, s->conditions,
	                     of_vectors, w, (int)work, rwork);
}

int eigen_complex_decompose(const struct lapack_call *c,
                            struct eigen_complex_set *s, struct complex_room r)
{
	return (s->hermitian ? decompose_hermitian : decompose_general)(c, s,
	                                                                r);
}

struct failure_detail eigen_complex_structure(const struct lapack_call *c,
                                              struct eigen_complex_set *s)
{
	const enum eigen_structure asked =
	    (enum eigen_structure)c->a->param[EIGEN_P_STRUCTURE];
	const bool forced = asked == EIGEN_SYMMETRIC_STRUCTURE;
	const double slack = forced ? 100 * dtype_epsilon(c->a->dtype) : 0;
	size_t i, j;

	s->hermitian =
	    !eigen_complex_differs(s->a, s->n, slack, &i, &j) &&
	    asked != EIGEN_GENERAL_STRUCTURE;
	if (forced && !s->hermitian)
		return (struct failure_detail){
			.code = ERR_MATHEMATICS,
			.at = EIGEN_FAULT_NOT_SYMMETRIC,
			.x = (double)j, .y = (double)i,
		};
	if (s->hermitian && slack > 0)
		eigen_complex_make_hermitian(s->a, s->n);
	return (struct failure_detail){ .code = ERR_NONE };
}

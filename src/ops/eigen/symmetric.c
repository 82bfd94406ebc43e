/* symmetric.c - the dominant pair of a symmetric matrix. LAPACK computes all
 * eigenvalues of its tridiagonal form T = Q^T A Q, and one eigenvector by
 * inverse iteration. A matrix that is tridiagonal already takes O(n^2)
 * operations. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "matrix/pages.h"
#include "ops/eigen/eigen.h"
#include "ops/lapack/lapack.h"

enum { BLOCK = 64 };			/* of LAPACK's workspace, at most */

struct form {
	const struct lapack *l;
	int n;
	double *a;			/* A, then the reflectors of Q; NULL if
					 * A is tridiagonal */
	double *diagonal, *beside, *tau, *values, *work;
	int *integers;			/* 5 n */
};

static bool form_init(struct form *f, const struct lapack *l, size_t n,
                      bool tridiagonal)
{
	*f = (struct form){
		.l = l, .n = (int)n,
		.a = tridiagonal ? NULL : pages_new(n * n * sizeof(double)),
		.diagonal = malloc((3 * n + 1) * sizeof(double)),
		.values = malloc(2 * n * sizeof(double)),
		.work = malloc((BLOCK + 5) * n * sizeof(double)),
		.integers = malloc(5 * n * sizeof(int)),
	};
	if (!(f->a || tridiagonal) || !f->diagonal || !f->values || !f->work ||
	    !f->integers)
		return false;
	f->beside = f->diagonal + n;
	f->tau = f->beside + n;
	return true;
}

static void form_fini(struct form *f)
{
	free(f->a);
	free(f->diagonal);
	free(f->values);
	free(f->work);
	free(f->integers);
}

static double element(const struct eigen_problem *p, size_t i, size_t j)
{
	return p->unit * matrix_get(p->m, (p->index * p->n + i) * p->n + j);
}

static void load(struct form *f, const struct eigen_problem *p)
{
	const size_t n = p->n;

	for (size_t i = 0; i < n && f->a; i++)
		for (size_t j = 0; j < n; j++)
			f->a[i * n + j] = element(p, i, j);
	for (size_t i = 0; i < n && !f->a; i++) {
		f->diagonal[i] = element(p, i, i);
		if (i + 1 < n)
			f->beside[i] = element(p, i + 1, i);
	}
}

/* Computes T and its eigenvalues, in ascending order. */
static int reduce(struct form *f)
{
	double *copy = f->values + f->n;
	int info = 0;

	if (f->a)
		info = f->l->d.sytrd(LAPACK_COLUMNS, 'L', f->n, f->a, f->n,
		    f->diagonal, f->beside, f->tau, f->work, BLOCK * f->n);
	for (int i = 0; i < f->n; i++) {
		f->values[i] = f->diagonal[i];
		copy[i] = i + 1 < f->n ? f->beside[i] : 0;
	}
	return info ? info : f->l->d.sterf(f->n, f->values, copy);
}

static double norm_of(const struct form *f)
{
	double sum = 0;

	for (int i = 0; i < f->n; i++)
		sum += f->values[i] * f->values[i];
	return sqrt(sum);
}

/* The index of the eigenvalue of largest modulus, which is the first or the
 * last, and the last if both moduli are equal within `noise`. */
static int dominant(const struct form *f, double noise)
{
	const int last = f->n - 1;

	return fabs(f->values[last]) + noise >= fabs(f->values[0]) ? last : 0;
}

static bool is_tied(const struct form *f, int k, double noise)
{
	const int end = f->n - 1, other = end - k;
	const int next = k == end ? k - 1 : k + 1;
	const double size = fabs(f->values[k]) - noise;

	return end > 0 && (fabs(f->values[other]) >= size ||
	                   fabs(f->values[next]) >= size);
}

/* Computes the vector of T's eigenvalue k, and from it the vector of A. */
static int vector_of(struct form *f, int k, double *v)
{
	const struct lapack *l = f->l;
	int *block = f->integers, *split = block + f->n;
	int *more = split + f->n, count = 0, blocks, info;

	info = l->d.stebz('I', 'B', f->n, 0, 0, k + 1, k + 1, 2 * DBL_MIN,
	    f->diagonal, f->beside, &count, &blocks, f->values, block, split,
	    f->work, more);
	if (info == 0)
		info = l->d.stein(LAPACK_COLUMNS, f->n, f->diagonal, f->beside,
		    count, f->values, block, split, v, f->n, f->work, more,
		    more + f->n);
	if (info == 0 && f->a)
		info = l->d.ormtr(LAPACK_COLUMNS, 'L', 'L', 'N', f->n, 1, f->a,
		    f->n, f->tau, v, f->n, f->work, BLOCK * f->n);
	return info;
}

/* Sets *norm to the Frobenius norm of B. */
static bool solve(struct form *f, const struct eigen_problem *p,
                  struct eigen_pair *r, double *norm)
{
	double noise;
	int k;

	load(f, p);
	if (reduce(f))
		return false;
	*norm = norm_of(f);
	noise = 4 * DBL_EPSILON * *norm;
	k = dominant(f, noise);
	r->value = f->values[k] / p->unit;
	r->imaginary = 0;
	r->tie = is_tied(f, k, noise);
	r->condition = 1;
	return vector_of(f, k, r->vector) == 0;
}

int eigen_symmetric(struct eigen_problem *p, struct eigen_pair *r)
{
	const struct lapack *l = lapack_load(p->s, p->n, seq_err(p->s));
	struct form f;
	bool room, solved = false;
	double norm = 0;

	if (!l)
		return -1;
	seq_host_begin(p->s);
	room = form_init(&f, l, p->n, eigen_is_tridiagonal(p));
	if (room)
		solved = solve(&f, p, r, &norm);
	form_fini(&f);
	seq_host_end(p->s);
	if (!room)
		return err_set(seq_err(p->s), ERR_MEMORY, "eigen: no memory "
		               "to decompose a matrix of %zu rows", p->n);
	return solved ?
	       eigen_measure(p, r, eigen_least_residual(p->n, norm)) : 0;
}

/* decompose.c - computes all eigenvalues of a matrix, and the chosen
 * eigenvectors, by LAPACK; see many.h.
 *
 * All vectors of a symmetric matrix come from divide and conquer (xSYEVD). For
 * few or none of them, xSYTRD reduces A to the tridiagonal T = Q^T A Q, xSTERF
 * computes the eigenvalues, xSTEMR the chosen vectors of T by relatively robust
 * representations, and xORMTR multiplies these by Q.
 *
 * For a general matrix, xGEEVX balances it, reduces it to Hessenberg form, runs
 * the QR algorithm, and computes the vectors from the triangular factor.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/eigen/many.h"

enum {
	BLOCK = 64,			/* xSYTRD's workspace has BLOCK n
					 * numbers */
	FEW = 4,			/* fewer than n / FEW vectors are few */
	FEW_FROM = 64			/* rows; smaller matrices take the way
					 * for all vectors */
};

int eigen_set_init(struct eigen_set *s, size_t n, bool right, bool left)
{
	*s = (struct eigen_set){
		.n = n,
		.re = calloc(2 * n, sizeof *s->re),
		.order = calloc(2 * n, sizeof *s->order),
		.right = right ? malloc(n * n * sizeof *s->right) : NULL,
		.left = left ? malloc(n * n * sizeof *s->left) : NULL,
	};
	if (!s->re || !s->order || (right && !s->right) || (left && !s->left))
		return -1;
	s->im = s->re + n;
	s->column = s->order + n;
	return 0;
}

void eigen_set_fini(struct eigen_set *s)
{
	free(s->re);
	free(s->order);
	free(s->right);
	free(s->left);
}

/* Multiplies the eigenvalues by 2^power, chooses among them, and sets the
 * columns of their vectors for the case that all n vectors are computed. */
static int choose(struct eigen_set *s, int power, const struct eigen_choice *c)
{
	int count;

	for (size_t i = 0; i < s->n; i++) {
		s->re[i] = ldexp(s->re[i], power);
		s->im[i] = ldexp(s->im[i], power);
	}
	count = eigen_choose(c, s->re, s->symmetric ? NULL : s->im, s->n,
	                     s->order);
	if (count < 0)
		return -1;
	s->count = (size_t)count;
	s->columns = s->n;
	for (size_t i = 0; i < s->count; i++)
		s->column[i] = s->order[i] - (s->im[s->order[i]] < 0);
	return 0;
}

/* --- symmetric: all vectors */

static int solve_all(struct eigen_set *s, const struct lapack *l, double *a,
                     bool *solved)
{
	const int n = (int)s->n;
	const size_t length = 1 + 6 * s->n + 2 * s->n * s->n;
	const size_t integers = 3 + 5 * s->n;
	double *work = malloc(length * sizeof *work);
	int *iwork = malloc(integers * sizeof *iwork);
	const bool room = work && iwork;

	if (room) {
		*solved = l->d.syevd(LAPACK_COLUMNS, 'V', 'L', n, a, n, s->re,
		    work, (int)size_min(length, INT32_MAX), iwork,
		    (int)integers) == 0;
		memcpy(s->right, a, s->n * s->n * sizeof *a);
	}
	free(work);
	free(iwork);
	return room ? 0 : -1;
}

/* --- symmetric: no vectors, or few */

/* The tridiagonal form T = Q^T A Q, with workspaces. */
struct form {
	int n;
	double *a;			/* the reflectors of Q */
	double *diagonal, *beside, *tau, *copies, *work;
	int *integers;			/* 2 n for xSTEMR's support, 10 n for
					 * its workspace */
};

static bool form_init(struct form *f, double *a, size_t n)
{
	*f = (struct form){
		.n = (int)n, .a = a,
		.diagonal = malloc((6 * n + BLOCK * n) * sizeof(double)),
		.integers = malloc(12 * n * sizeof(int)),
	};
	f->beside = f->diagonal + n;
	f->tau = f->diagonal + 2 * n;
	f->copies = f->diagonal + 3 * n;
	f->work = f->diagonal + 6 * n;
	return f->diagonal && f->integers;
}

/* Computes T and its eigenvalues. */
static bool reduce(struct form *f, const struct lapack *l, double *values)
{
	const size_t bytes = (size_t)f->n * sizeof *values;

	f->beside[f->n - 1] = 0;
	if (l->d.sytrd(LAPACK_COLUMNS, 'L', f->n, f->a, f->n, f->diagonal,
	               f->beside, f->tau, f->work, BLOCK * f->n))
		return false;
	memcpy(values, f->diagonal, bytes);
	memcpy(f->copies, f->beside, bytes);
	return l->d.sterf(f->n, values, f->copies) == 0;
}

/* Writes the vectors of T's eigenvalues `first` to `last`, which are counted
 * from 0, to z. */
static bool range(struct form *f, const struct lapack *l, size_t first,
                  size_t last, double *z)
{
	const size_t n = (size_t)f->n, bytes = n * sizeof(double);
	double *d = f->copies, *e = d + n, *values = e + n;
	int count = 0, precise = 1;

	memcpy(d, f->diagonal, bytes);
	memcpy(e, f->beside, bytes);
	return l->d.stemr(LAPACK_COLUMNS, 'V', 'I', f->n, d, e, 0, 0,
	    (int)first + 1, (int)last + 1, &count, values, z, f->n,
	    (int)(last - first + 1), f->integers, &precise, f->work,
	    18 * f->n, f->integers + 2 * n, 10 * f->n) == 0 &&
	    (size_t)count == last - first + 1;
}

/* Writes the vectors of the chosen eigenvalues to the first columns of
 * s->right. xSTEMR computes one run of consecutive eigenvalues in a call; the
 * chosen ones are one or two such runs. */
static bool vectors(struct eigen_set *s, struct form *f,
                    const struct lapack *l)
{
	for (size_t i = 0, end; i < s->count; i = end) {
		for (end = i + 1; end < s->count &&
		     s->order[end] == s->order[end - 1] + 1; end++)
			;
		if (!range(f, l, s->order[i], s->order[end - 1],
		           s->right + i * s->n))
			return false;
	}
	for (size_t i = 0; i < s->count; i++)
		s->column[i] = i;
	s->columns = s->count;
	return l->d.ormtr(LAPACK_COLUMNS, 'L', 'L', 'N', f->n, (int)s->count,
	    f->a, f->n, f->tau, s->right, f->n, f->work, BLOCK * f->n) == 0;
}

static int solve_some(struct eigen_set *s, const struct lapack *l, double *a,
                      int power, const struct eigen_choice *c, bool *solved)
{
	struct form f;
	int rc = -1;

	*solved = false;
	if (form_init(&f, a, s->n)) {
		*solved = reduce(&f, l, s->re);
		rc = *solved ? choose(s, power, c) : 0;
	}
	if (rc == 0 && *solved && s->right)
		*solved = vectors(s, &f, l);
	free(f.diagonal);
	free(f.integers);
	return rc;
}

static int solve_and_choose(struct eigen_set *s, const struct lapack *l,
                            double *a, int power,
                            const struct eigen_choice *c, bool *solved)
{
	return solve_all(s, l, a, solved) < 0 ? -1 :
	       *solved ? choose(s, power, c) : 0;
}

/* Where xSTEMR fails, which is rare, divide and conquer computes all vectors
 * of a copy. */
static int solve_few(struct eigen_set *s, const struct lapack *l, double *a,
                     int power, const struct eigen_choice *c, bool *solved)
{
	const size_t bytes = s->n * s->n * sizeof *a;
	double *copy = malloc(bytes);
	int rc = -1;

	if (copy) {
		memcpy(copy, a, bytes);
		rc = solve_some(s, l, a, power, c, solved);
	}
	if (rc == 0 && !*solved)
		rc = solve_and_choose(s, l, copy, power, c, solved);
	free(copy);
	return rc;
}

static bool are_few(const struct eigen_set *s, const struct eigen_choice *c)
{
	return s->n >= FEW_FROM && FEW * c->k < s->n;
}

static int symmetric(struct eigen_set *s, const struct lapack *l, double *a,
                     int power, const struct eigen_choice *c, bool *solved)
{
	return (!s->right ? solve_some : are_few(s, c) ? solve_few :
	        solve_and_choose)(s, l, a, power, c, solved);
}

/* --- general */

static int general(struct eigen_set *s, const struct lapack *l, double *a,
                   bool *solved)
{
	const int n = (int)s->n;
	const char left = s->left ? 'V' : 'N', right = s->right ? 'V' : 'N';
	const char balance = s->plain ? 'N' : s->balanced ? 'P' : 'B';
	double *scale = malloc(3 * s->n * sizeof *scale), *work = NULL;
	double wanted = 0, norm;
	int low, high, info = -1;

	for (int turn = 0; scale && turn < 2; turn++) {
		/* The first turn only asks for the length of the workspace. */
		work = turn ? malloc((size_t)wanted * sizeof *work) : NULL;
		if (turn && !work)
			break;
		info = l->d.geevx(LAPACK_COLUMNS, balance, left, right, 'N', n,
		    a, n, s->re, s->im, s->left, n, s->right, n, &low, &high,
		    scale, &norm, scale + n, scale + 2 * n,
		    turn ? work : &wanted, turn ? (int)wanted : -1, NULL);
	}
	*solved = work && info == 0;
	free(scale);
	if (!work)
		return -1;
	free(work);
	return 0;
}

int eigen_decompose(struct eigen_set *s, const struct lapack *l, double *a,
                    int power, const struct eigen_choice *c, bool *solved)
{
	if (s->symmetric)
		return symmetric(s, l, a, power, c, solved);
	return general(s, l, a, solved) < 0 ? -1 :
	       *solved ? choose(s, power, c) : 0;
}

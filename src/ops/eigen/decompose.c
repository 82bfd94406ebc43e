/* decompose.c - computes all eigenvalues of a matrix, and the chosen
 * eigenvectors, by LAPACK; see many.h.
 *
 * Symmetric matrices go to spectral.c. A general matrix, which several.c has
 * balanced, is reduced to Hessenberg form and then by the QR algorithm to
 * quasi-triangular form, of which LAPACK computes the eigenvectors. The matrix
 * of a generalized problem goes to DGEEVX, which balances it and does all of
 * this. Float32 operands are decomposed in float64 as well, because rounding
 * errors of float32 may move the eigenvalues of a matrix that is far from
 * normal beyond recognition.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "matrix/pages.h"
#include "ops/eigen/many.h"
#include "ops/eigen/multishift.h"

enum { LWORK = 130 };			/* float64 of workspace for each row */

int eigen_set_init(struct eigen_set *s, size_t n, bool right, bool left)
{
	*s = (struct eigen_set){
		.n = n,
		.re = calloc(2 * n, sizeof *s->re),
		.order = calloc(2 * n, sizeof *s->order),
		.right = right ? pages_new(n * n * sizeof *s->right) : NULL,
		.left = left ? pages_new(n * n * sizeof *s->left) : NULL,
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
	free(s->alpha);
}

/* Returns 2^power im. A non-zero imaginary part marks a member of a conjugate
 * pair: where it would underflow to 0, it becomes the smallest denormal
 * number. */
static double scaled(double im, int power)
{
	const double x = ldexp(im, power);

	return x == 0 && im != 0 ? copysign(0x1p-1074, im) : x;
}

int eigen_set_choose(struct eigen_set *s, int power,
                     const struct eigen_choice *c)
{
	int count;

	for (size_t i = 0; i < s->n; i++) {
		s->re[i] = ldexp(s->re[i], power);
		s->im[i] = scaled(s->im[i], power);
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

/* The matrix and its vectors with a leading dimension that suits the cache
 * (lapack_ld()), which LAPACK works on. */
struct padded {
	size_t n, ld;
	double *a, *right, *left;
};

static bool padded_init(struct padded *p, const struct eigen_set *s,
                        const double *a)
{
	const size_t n = s->n, ld = lapack_ld(n);

	*p = (struct padded){
		.n = n, .ld = ld, .a = pages_new(n * ld * sizeof *p->a),
		.right = s->right ? pages_new(n * ld * sizeof *p->a) : NULL,
		.left = s->left ? pages_new(n * ld * sizeof *p->a) : NULL,
	};
	if (p->a)
		lapack_copy(a, n, n, n, sizeof *a, p->a, ld);
	return p->a && (p->right || !s->right) && (p->left || !s->left);
}

static void unpad(const struct padded *p, const double *from, double *to)
{
	if (to)
		lapack_copy(from, p->ld, p->n, p->n, sizeof *to, to, p->n);
}

static void padded_fini(struct padded *p)
{
	free(p->a);
	free(p->right);
	free(p->left);
}

/* Decomposes p->a by DGEEVX. `numbers` has room for 3 n numbers. Returns -1 if
 * there is no memory. */
static int by_geevx(struct eigen_set *s, const struct lapack *l,
                    struct padded *p, double *numbers, bool *solved)
{
	const int n = (int)s->n, ld = (int)p->ld;
	const char left = s->left ? 'V' : 'N', right = s->right ? 'V' : 'N';
	double *work = NULL, wanted = 0, norm;
	int low, high, info = -1;

	for (int turn = 0; turn < 2; turn++) {
		/* The first turn only asks for the length of the workspace. */
		work = turn ? malloc((size_t)wanted * sizeof *work) : NULL;
		if (turn && !work)
			return -1;
		info = l->d.geevx(LAPACK_COLUMNS, 'B', left, right, 'N', n,
		    p->a, ld, s->re, s->im, p->left, ld, p->right, ld, &low,
		    &high, numbers, &norm, numbers + n, numbers + 2 * n,
		    turn ? work : &wanted, turn ? (int)wanted : -1, NULL);
	}
	*solved = info == 0;
	free(work);
	return 0;
}

/* Sets a to H = Q^T A Q, and the right vectors, if they are wanted, to Q. */
static void reduce(const struct eigen_set *s, const struct lapack *l,
                   struct padded *p, double *tau, double *work)
{
	const int n = (int)s->n, ld = (int)p->ld, lwork = LWORK * n;
	const int low = (int)size_min(s->low + 1, s->n);
	const int high = s->high > s->low ? (int)s->high : low;

	l->d.gehrd(LAPACK_COLUMNS, n, low, high, p->a, ld, tau, work, lwork);
	if (p->right) {
		memcpy(p->right, p->a, s->n * p->ld * sizeof *p->a);
		l->d.orghr(LAPACK_COLUMNS, n, low, high, p->right, ld, tau,
		           work, lwork);
	}
	for (size_t j = 0; j < s->n; j++)
		for (size_t i = j + 2; i < s->n; i++)
			p->a[j * p->ld + i] = 0;
}

/* Decomposes a matrix that is triangular but for the rows from s->low to
 * s->high - 1. Unlike by_geevx(), does not normalize the eigenvectors, which
 * the caller of eigen_decompose() does anyway. Returns -1 if there is no
 * memory. */
static int by_parts(struct eigen_set *s, const struct lapack *l,
                    struct padded *p, double *tau, bool *solved)
{
	const int n = (int)s->n, ld = (int)p->ld, lwork = LWORK * n;
	const struct multishift m = {
		.l = l, .n = s->n, .ld = p->ld, .low = s->low, .high = s->high,
		.form = p->right, .h = p->a, .z = p->right, .re = s->re,
		.im = s->im,
	};
	double *work = malloc((size_t)lwork * sizeof *work);
	int rc = work ? 0 : -1, count, info;

	if (rc == 0) {
		reduce(s, l, p, tau, work);
		rc = multishift_run(&m, solved);
	}
	if (rc == 0 && *solved && p->right) {
		if (p->left)
			memcpy(p->left, p->right,
			       s->n * p->ld * sizeof *p->left);
		l->d.trevc3(p->left ? "B" : "R", "B", NULL, &n, p->a, &ld,
		            p->left, &ld, p->right, &ld, &n, &count, work,
		            &lwork, &info);
	}
	free(work);
	return rc;
}

static int general(struct eigen_set *s, const struct lapack *l,
                   const double *a, bool *solved)
{
	double *numbers = malloc(3 * s->n * sizeof *numbers);
	struct padded p;
	int rc = padded_init(&p, s, a) && numbers ? 0 : -1;

	if (rc == 0)
		rc = (s->balanced || s->plain ? by_parts : by_geevx)
		    (s, l, &p, numbers, solved);
	if (rc == 0) {
		unpad(&p, p.right, s->right);
		unpad(&p, p.left, s->left);
	}
	padded_fini(&p);
	free(numbers);
	return rc;
}

int eigen_decompose(struct eigen_set *s, const struct lapack *l, double *a,
                    int power, const struct eigen_choice *c, bool *solved)
{
	if (s->symmetric)
		return eigen_spectral(s, l, a, power, c, solved);
	return (s->device ? eigen_reduced : general)(s, l, a, solved) < 0 ? -1 :
	       *solved ? eigen_set_choose(s, power, c) : 0;
}

/* spectrum.c - see spectrum.h. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/pages.h"
#include "ops/eigen/multishift.h"
#include "ops/eigen/spectrum.h"

enum { BLOCK = 64, MORE = 8192 };	/* sizes of LAPACK's workspace */

static bool make_room(struct spectrum *s, size_t n)
{
	double *v;

	s->h = pages_new(n * n * sizeof *s->h);
	s->room = pages_new((lapack_ld(n) + 2) * n * sizeof *s->room);
	s->numbers = malloc(((11 + BLOCK) * n + MORE) * sizeof *s->numbers);
	s->chosen = malloc(n * sizeof *s->chosen);
	if (balance_init(&s->balance, n) < 0 || !s->h || !s->room ||
	    !s->numbers || !s->chosen)
		return false;
	v = s->numbers;
	s->re = v;
	s->im = v + n;
	s->at_re = v + 2 * n;
	s->at_im = v + 3 * n;
	s->tau = v + 4 * n;
	s->right = v + 5 * n;
	s->left = v + 7 * n;
	s->scratch = v + 9 * n;
	s->work = v + 11 * n;
	return true;
}

static int work_room(const struct spectrum *s)
{
	return BLOCK * s->n + MORE;
}

void spectrum_fini(struct spectrum *s)
{
	balance_fini(&s->balance);
	free(s->h);
	free(s->room);
	free(s->numbers);
	free(s->chosen);
}

static double norm_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * x[i];
	return sqrt(sum);
}

static int load(struct spectrum *s, const struct matrix *m, size_t index)
{
	struct balance *b = &s->balance;

	if (!s->plain && balance_find(b, m, index, true) < 0)
		return -1;
	s->power = balance_copy(NULL, b, m, index, s->h);
	s->norm = norm_of(s->h, b->n * b->n);
	s->noise = 4 * DBL_EPSILON * s->norm;
	s->active = (int)(b->high - b->low);
	/* LAPACK wants at least one active row. */
	s->low = b->low < b->n ? (int)b->low + 1 : s->n;
	s->high = s->active > 0 ? (int)b->high : s->low;
	return 0;
}

/* Reduces A to H and computes its eigenvalues. Returns -1 if there is no
 * memory. */
static int decompose(struct spectrum *s, bool *solved)
{
	const struct lapack *l = s->l;
	const size_t n = (size_t)s->n, ld = lapack_ld(n);
	const struct multishift m = {
		.l = l, .n = n, .ld = ld, .low = s->balance.low,
		.high = s->balance.high, .h = s->room, .re = s->re,
		.im = s->im,
	};

	*solved = false;
	if (l->d.gehrd(LAPACK_COLUMNS, s->n, s->low, s->high, s->h, s->n,
	               s->tau, s->work, work_room(s)))
		return 0;
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < n; i++)
			s->room[j * ld + i] = i > j + 1 ? 0 : s->h[j * n + i];
	return multishift_run(&m, solved);
}

int spectrum_init(struct spectrum *s, const struct lapack *l,
                  const struct matrix *m, size_t index, bool *solved)
{
	const size_t n = matrix_rows(m);

	*s = (struct spectrum){ .plain = s->plain, .n = (int)n, .l = l };
	if (!make_room(s, n) || load(s, m, index) < 0)
		return -1;
	return decompose(s, solved);
}

/* Runs inverse iteration on H - (re + im i) I, where re + im i is eigenvalue k
 * or a number near it for which the matrix is nearly singular as well. side:
 * 'R', or 'B' for the left vector too. start: 'N', or 'U' to start from the
 * vectors in left and right. */
static void iterate(struct spectrum *s, int k, double re, double im,
                    char side, char start)
{
	const bool itself = re == s->re[k] && im == s->im[k];
	const int n = s->n;
	int columns, fails[4];

	memcpy(s->at_re, s->re, (size_t)n * sizeof *s->re);
	memcpy(s->at_im, s->im, (size_t)n * sizeof *s->im);
	memset(s->chosen, 0, (size_t)n * sizeof *s->chosen);
	s->at_re[k] = re;
	s->at_im[k] = im;
	s->chosen[k] = 1;
	s->l->d.hsein(LAPACK_COLUMNS, side, itself ? 'Q' : 'N', start,
	    s->chosen, n, s->h, n, s->at_re, s->at_im, s->left, n, s->right,
	    n, 2, &columns, s->room, fails, fails + 2);
}

static double condition_of(const struct spectrum *s)
{
	const size_t n = (size_t)s->n;
	const double *x = s->right, *y = s->left;
	double re = 0, im = 0;

	for (size_t i = 0; i < n; i++) {
		re += y[i] * x[i] + y[n + i] * x[n + i];
		im += y[i] * x[n + i] - y[n + i] * x[i];
	}
	return norm_of(x, 2 * n) * norm_of(y, 2 * n) / hypot(re, im);
}

/* Turns a vector of H into one of A; returns the power of two by which it was
 * divided. */
static int restore(struct spectrum *s, enum balance_side side, double *x)
{
	s->l->d.ormhr(LAPACK_COLUMNS, 'L', 'N', s->n, 2, s->low, s->high, s->h,
	              s->n, s->tau, x, s->n, s->work, work_room(s));
	return balance_back(&s->balance, side, 2, x, s->scratch);
}

static double lengths(const struct spectrum *s)
{
	return norm_of(s->right, 2 * (size_t)s->n) *
	       norm_of(s->left, 2 * (size_t)s->n);
}

/* Turns both vectors of H into those of A, and sets the condition of the
 * eigenvalue in A. It differs from that in the balanced matrix by the change in
 * length of both vectors, because y^H x is the same. */
static void take_back(struct spectrum *s)
{
	const double before = lengths(s);
	const int power = restore(s, BALANCE_RIGHT, s->right) +
	                  restore(s, BALANCE_LEFT, s->left);
	const double after = lengths(s);

	s->condition = fmax(1, fmin(ldexp(s->inner * (after / before), power),
	                            DBL_MAX));
}

static void find(struct spectrum *s, int k, double re, double im)
{
	const size_t bytes = 2 * (size_t)s->n * sizeof *s->left;

	memset(s->left, 0, bytes);
	memset(s->right, 0, bytes);
	iterate(s, k, re, im, 'B', 'N');
}

void spectrum_vectors(struct spectrum *s, int k)
{
	find(s, k, s->re[k], s->im[k]);
	s->inner = condition_of(s);
	take_back(s);
}

void spectrum_vectors_at(struct spectrum *s, int k, double at)
{
	find(s, k, at, 0);
	s->inner = condition_of(s);
	take_back(s);
}

/* Starts the iteration for the right vector from the left one. Where LAPACK's
 * own start vector has only a small component along the eigenvector, the left
 * vector has a larger one. */
void spectrum_vectors_again(struct spectrum *s, int k)
{
	find(s, k, s->re[k], s->im[k]);
	memcpy(s->right, s->left, 2 * (size_t)s->n * sizeof *s->left);
	iterate(s, k, s->re[k], s->im[k], 'R', 'U');
	s->inner = condition_of(s);
	take_back(s);
}

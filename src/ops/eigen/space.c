/* space.c - see space.h. Vectors are orthogonalized by classical Gram-Schmidt
 * with matrix-vector products, which is repeated as long as a pass shortens the
 * vector much (Daniel, Gragg, Kaufman, Stewart 1976). If the operator is
 * symmetric, the two components that are not small are subtracted first, so
 * that one pass is mostly enough. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/eigen/space.h"

enum {
	ROWS = 256,			/* of a block that is rotated at once */
	PASSES = 4
};

int space_init(struct space *s)
{
	const size_t room = (size_t)s->room;
	const size_t all = (size_t)s->most_locked + room + 1;

	s->random = UINT64_C(0x9e3779b97f4a7c15);
	s->x = malloc(s->n * all * sizeof *s->x);
	s->h = calloc((room + 1) * room, sizeof *s->h);
	s->sums = malloc(all * sizeof *s->sums);
	s->block = malloc(ROWS * room * sizeof *s->block);
	return s->x && s->h && s->sums && s->block ? 0 : -1;
}

void space_fini(struct space *s)
{
	free(s->x);
	free(s->h);
	free(s->sums);
	free(s->block);
}

static double *column(const struct space *s, int i)
{
	return s->x + (size_t)i * s->n;
}

/* H's element (i, j). */
static double *element(const struct space *s, int i, int j)
{
	return s->h + (size_t)j * ((size_t)s->room + 1) + i;
}

static double norm_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * x[i];
	return sqrt(sum);
}

static double dot(const double *x, const double *y, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

static void divide(double *x, size_t n, double by)
{
	for (size_t i = 0; i < n; i++)
		x[i] /= by;
}

/* Computes sums = X^T w and w -= X sums, where X are the first `count`
 * columns. */
static void project(struct space *s, double *w, int count)
{
	const int n = (int)s->n, step = 1;
	const double one = 1, minus = -1, zero = 0;

	s->l->d.gemv("T", &n, &count, &one, s->x, &n, w, &step, &zero,
	             s->sums, &step);
	s->l->d.gemv("N", &n, &count, &minus, s->x, &n, s->sums, &step, &one,
	             w, &step);
}

/* Makes w orthogonal to the first `count` columns and returns its norm, or 0 if
 * w depends on them but for rounding errors. The coefficients of the columns
 * that are not locked are added to h, unless it is NULL. */
static double orthogonalise(struct space *s, double *w, int count, double *h)
{
	double before = norm_of(w, s->n), after = before;
	const double first = before;

	for (int pass = 0; pass < PASSES && count > 0; pass++) {
		project(s, w, count);
		for (int i = s->locked; h && i < count; i++)
			h[i - s->locked] += s->sums[i];
		after = norm_of(w, s->n);
		if (after > 0.7 * before)
			return after;
		if (!(after > 4 * DBL_EPSILON * first))
			return 0;
		before = after;
	}
	return after;
}

/* Returns a number in (-1, 1); xorshift (Marsaglia 2003). */
static double random_number(struct space *s)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	return (double)(s->random >> 11) * 0x1p-52 - 1;
}

/* Makes column `at` a random unit vector orthogonal to all columns before. */
static void put_random(struct space *s, int at)
{
	double *w = column(s, at), length = 0;

	while (length == 0) {
		for (size_t i = 0; i < s->n; i++)
			w[i] = random_number(s);
		length = orthogonalise(s, w, at, NULL);
	}
	divide(w, s->n, length);
}

void space_begin(struct space *s)
{
	const size_t room = (size_t)s->room;

	s->dim = 0;
	memset(s->h, 0, (room + 1) * room * sizeof *s->h);
	put_random(s, s->locked);
}

/* Subtracts from w = C v_j the components along v_j and v_(j-1). */
static void subtract_beside(struct space *s, double *w, double *h)
{
	for (int i = s->dim; i >= 0 && i >= s->dim - 1; i--) {
		const double *v = column(s, s->locked + i);
		const double sum = dot(v, w, s->n);

		for (size_t k = 0; k < s->n; k++)
			w[k] -= sum * v[k];
		h[i] = sum;
	}
}

bool space_extend(struct space *s)
{
	const int j = s->dim, at = s->locked + j;
	double *w = column(s, at + 1), *h = element(s, 0, j), beta, size;

	if (!s->apply(s->with, column(s, at), w))
		return false;
	s->products++;
	size = norm_of(w, s->n);
	s->scale = fmax(s->scale, size);
	memset(h, 0, ((size_t)j + 1) * sizeof *h);
	if (s->symmetric)
		subtract_beside(s, w, h);
	beta = orthogonalise(s, w, at + 1, h);
	s->dim++;
	if (!(beta > 16 * DBL_EPSILON * s->scale)) {
		h[j + 1] = 0;
		put_random(s, at + 1);
		return true;
	}
	h[j + 1] = beta;
	divide(w, s->n, beta);
	return true;
}

double space_beta(const struct space *s)
{
	return *element(s, s->dim, s->dim - 1);
}

/* Replaces V by the first p columns of V Q, block by block of rows. */
static void rotate(struct space *s, const double *q, int ld, int p)
{
	const double one = 1, zero = 0;
	double *v = column(s, s->locked);

	for (size_t i = 0; i < s->n; i += ROWS) {
		const int rows = (int)size_min(ROWS, s->n - i);
		const int n = (int)s->n;

		s->l->d.gemm("N", "N", &rows, &p, &ld, &one, v + i, &n, q,
		             &ld, &zero, s->block, &rows);
		for (int j = 0; j < p; j++)
			memcpy(v + (size_t)j * s->n + i,
			       s->block + j * rows,
			       (size_t)rows * sizeof *v);
	}
}

void space_restart(struct space *s, const double *q, const double *t, int ld,
                   int p)
{
	const size_t room = (size_t)s->room;
	const double beta = space_beta(s);

	rotate(s, q, ld, p);
	memcpy(column(s, s->locked + p), column(s, s->locked + s->dim),
	       s->n * sizeof *s->x);
	memset(s->h, 0, (room + 1) * room * sizeof *s->h);
	for (int j = 0; j < p; j++) {
		for (int i = 0; i < p; i++)
			*element(s, i, j) = t[j * ld + i];
		*element(s, p, j) = beta * q[j * ld + ld - 1];
	}
	s->dim = p;
}

/* Makes the vector in column `from`, or C times it if `again`, orthogonal to
 * the locked ones and locks it, unless it depends on them. False: the call was
 * cancelled. */
static bool lock_one(struct space *s, int from, bool again)
{
	double *to = column(s, s->locked), *x = column(s, from), length;
	double *spare = column(s, s->most_locked + s->room);

	if (again) {
		if (!s->apply(s->with, x, spare))
			return false;
		s->products++;
		x = spare;
	}
	memmove(to, x, s->n * sizeof *to);
	length = orthogonalise(s, to, s->locked, NULL);
	if (length > 0) {
		divide(to, s->n, length);
		s->locked++;
	}
	return true;
}

bool space_lock(struct space *s, const double *q, int p, bool again)
{
	const int first = s->locked;

	rotate(s, q, s->dim, p);
	for (int i = 0; i < p; i++)
		if (!lock_one(s, first + i, again))
			return false;
	return true;
}

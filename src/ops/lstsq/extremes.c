/* extremes.c - see extremes.h. */
#include "ops/lstsq/extremes.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/size.h"

enum {
	VECTORS = EXTREMES_VECTORS, LARGE = EXTREMES_LARGE,
	ITERATIONS = 3,			/* of inverse iteration */
	DEGREE = 16,			/* the largest of the polynomials */
	WORK = 4 * VECTORS * VECTORS,	/* of LAPACK: at least 1 + 6 VECTORS +
					 * 2 VECTORS^2 for DSYEVD */
	SMALL = WORK + 2 * VECTORS * VECTORS
};

/* d for VECTORS and for LARGE vectors: d times the root of 2 / pi is 10^(-15 /
 * 16) and 10^(-15 / 8), rounded down. */
static const double PART = 0.144, PART_LARGE = 0.0167;

/* Nothing is proved unless |G| is between 1 / SCALE and SCALE, so that no
 * square of a number that matters overflows or underflows. */
static const double SCALE = 1e60;

/* What is known of G^-1. */
struct small {
	size_t count;			/* min(VECTORS, n) */
	double *v, *w, *z;		/* n x VECTORS: V; G^-1 V, later E and
					 * the null space; scratch */
	double *t;			/* SMALL numbers, of which the first are
					 * T, and then its eigenvectors */
	double value[VECTORS];		/* of T, descending */
	double stray[VECTORS];		/* |E y| for T's eigenvectors y */
	double rest, off;		/* c and |E| */
};

/* What is known of G: bounds of |G|, and the vectors p(G) g of two polynomials
 * of neighbouring degrees. */
struct large {
	double *now, *before, *next;	/* n x LARGE */
	double lower, upper, interval;
	int degree;
};

/* --- vectors */

/* A number above 0 and below 1, from the hash of its index (splitmix64 of
 * Steele, Lea and Flood, 2014). */
static double uniform(uint64_t i)
{
	uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return ((double)(z >> 12) + 0.5) * 0x1p-52;
}

/* By the transformation of Box and Muller (1958), which makes two normal
 * numbers of two uniform ones. */
void extremes_start(double *start, size_t n)
{
	const double circle = 2 * acos(-1);

	for (size_t i = 0; i < EXTREMES_START(n); i += 2) {
		const double length = sqrt(-2 * log(uniform(i)));
		const double angle = circle * uniform(i + 1);

		start[i] = length * cos(angle);
		start[i + 1] = length * sin(angle);
	}
}

static double norm(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * x[i];
	return sqrt(sum);
}

/* The largest 2-norm of a column, or NaN. */
static double longest(const double *x, size_t n, size_t columns)
{
	double most = 0;

	for (size_t c = 0; c < columns; c++) {
		const double by = norm(x + c * n, n);

		most = by > most || isnan(by) ? by : most;
	}
	return most;
}

/* C = alpha op(A) B + beta C, of column-major matrices without gaps */
static void times(const struct lapack *l, char trans, size_t m, size_t n,
                  size_t k, double alpha, const double *a, const double *b,
                  double beta, double *c)
{
	const int rows = (int)m, columns = (int)n, inner = (int)k;

	l->d.gemm(&trans, "N", &rows, &columns, &inner, &alpha, a,
	          trans == 'T' ? &inner : &rows, b, &inner, &beta, c, &rows);
}

/* x = x - B (B^T x), with `count` columns in B */
static void project(const struct lapack *l, size_t n, const double *b,
                    size_t count, double *x, size_t columns, double *room)
{
	times(l, 'T', count, columns, n, 1, b, x, 0, room);
	times(l, 'N', n, columns, count, -1, b, room, 1, x);
}

void extremes_project(const struct lapack *l, size_t n,
                      const struct extremes_found *f, double *x,
                      size_t columns, double *room)
{
	if (f->rank < n && columns > 0)
		project(l, n, f->null, n - f->rank, x, columns, room);
}

/* --- the small singular values */

static struct small small_of(const struct extremes *e)
{
	const size_t each = e->n * VECTORS;

	return (struct small){
		.count = size_min(e->n, VECTORS), .v = e->room,
		.w = e->room + each, .z = e->room + 2 * each,
		.t = e->room + 3 * each, .rest = INFINITY,
	};
}

/* W = G^-1 g, from which c is a bound of all of G^-1. */
static bool begin_small(const struct extremes *e, struct small *s)
{
	memcpy(s->w, e->start, e->n * VECTORS * sizeof *s->w);
	if (!e->apply(e->how, true, s->w, VECTORS))
		return false;
	s->rest = longest(s->w, e->n, VECTORS) / PART;
	return s->rest < INFINITY;
}

/* V becomes an orthonormal basis of W, and W = G^-1 V. */
static bool iterate(const struct extremes *e, struct small *s)
{
	const int n = (int)e->n, count = (int)s->count;
	double *const tau = s->t, *const work = tau + VECTORS;
	const size_t bytes = e->n * s->count * sizeof *s->v;

	for (size_t c = 0; c < s->count; c++) {
		const double by = norm(s->w + c * e->n, e->n);

		if (!(by > 0 && by < INFINITY))
			return false;
		for (size_t i = 0; i < e->n; i++)
			s->w[c * e->n + i] /= by;
	}
	memcpy(s->v, s->w, bytes);
	if (e->l->d.geqrf(LAPACK_COLUMNS, n, count, s->v, n, tau, work,
	                  WORK) != 0 ||
	    e->l->d.orgqr(LAPACK_COLUMNS, n, count, count, s->v, n, tau, work,
	                  WORK) != 0)
		return false;
	memcpy(s->w, s->v, bytes);
	return e->apply(e->how, true, s->w, s->count);
}

/* Computes T and its eigenvalues, E, and c from other random vectors than
 * those of begin_small(), because P depends on these. Leaves the eigenvectors
 * in s->t, in the order of ascending eigenvalues. */
static bool measure(const struct extremes *e, struct small *s)
{
	const size_t n = e->n, count = s->count, each = n * VECTORS;
	double *const t = s->t, *const copy = t + VECTORS * VECTORS;
	double *const work = copy + VECTORS * VECTORS;
	double values[VECTORS];
	int integers[3 + 5 * VECTORS];

	times(e->l, 'T', count, count, n, 1, s->v, s->w, 0, t);
	memcpy(copy, t, count * count * sizeof *t);
	times(e->l, 'N', n, count, count, -1, s->v, copy, 1, s->w);
	s->off = norm(s->w, n * count);
	if (!(s->off < INFINITY))
		return false;
	if (e->l->d.syevd(LAPACK_COLUMNS, 'V', 'U', (int)count, t, (int)count,
	                  values, work, WORK, integers, COUNT(integers)) != 0)
		return false;
	times(e->l, 'N', n, count, count, 1, s->w, t, 0, s->z);
	for (size_t i = 0; i < count; i++) {
		s->value[i] = values[count - 1 - i];
		s->stray[i] = norm(s->z + (count - 1 - i) * n, n);
	}
	s->rest = 0;
	if (n <= VECTORS)
		return true;
	memcpy(s->z, e->start + each, each * sizeof *s->z);
	project(e->l, n, s->v, count, s->z, VECTORS, copy);
	if (!e->apply(e->how, true, s->z, VECTORS))
		return false;
	project(e->l, n, s->v, count, s->z, VECTORS, copy);
	s->rest = longest(s->z, n, VECTORS) / PART;
	return s->rest < INFINITY;
}

/* --- the largest singular value */

/* Raises the lower bound of |G| to the largest |G v| / |v|, where v is a column
 * of `from` and G v the same column of `to`. */
static void grow(const struct extremes *e, struct large *g, const double *from,
                 const double *to)
{
	for (size_t c = 0; c < LARGE; c++) {
		const double by = norm(to + c * e->n, e->n) /
		                  norm(from + c * e->n, e->n);

		g->lower = by > g->lower || isnan(by) ? by : g->lower;
	}
}

/* Lowers the upper bound of |G| to the one that follows from the vectors
 * p(G) g, in which p is the Chebyshev polynomial T_k. With x = 2 |G| / interval
 * - 1, p(|G|) = T_k(x) = cosh(k arcosh x) for x >= 1. */
static void tighten(const struct extremes *e, struct large *g)
{
	const double most = longest(g->now, e->n, LARGE) / PART_LARGE;
	const double x = cosh(acosh(most < 1 ? 1 : most) / g->degree);

	g->upper = fmin(g->upper, g->interval * (1 + x) / 2);
}

/* Computes G g and G^2 g. With u = 2 / interval, the polynomials of degrees 1
 * and 2 are u G - I and 2 u^2 G^2 - 4 u G + I. Returns false if |G| is out of
 * scale. */
static bool begin_large(const struct extremes *e, struct large *g)
{
	const size_t count = e->n * LARGE, bytes = count * sizeof *g->now;
	double u;

	memcpy(g->before, e->start, bytes);
	if (!e->apply(e->how, false, g->before, LARGE))
		return false;
	grow(e, g, e->start, g->before);
	memcpy(g->now, g->before, bytes);
	if (!e->apply(e->how, false, g->now, LARGE))
		return false;
	grow(e, g, g->before, g->now);
	if (!(g->lower > 1 / SCALE && g->lower < SCALE))
		return false;
	g->interval = g->lower;
	g->degree = 2;
	u = 2 / g->interval;
	for (size_t i = 0; i < count; i++) {
		const double by = u * g->before[i];

		g->now[i] = 2 * u * u * g->now[i] - 4 * by + e->start[i];
		g->before[i] = by - e->start[i];
	}
	tighten(e, g);
	return true;
}

/* The polynomial of the next degree is 2 (u G - I) now - before. */
static bool proceed(const struct extremes *e, struct large *g)
{
	const size_t count = e->n * LARGE;
	double *const spare = g->before;

	memcpy(g->next, g->now, count * sizeof *g->next);
	if (!e->apply(e->how, false, g->next, LARGE))
		return false;
	grow(e, g, g->now, g->next);
	for (size_t i = 0; i < count; i++)
		g->next[i] = 4 / g->interval * g->next[i] - 2 * g->now[i] -
		             g->before[i];
	g->before = g->now;
	g->now = g->next;
	g->next = spare;
	g->degree++;
	tighten(e, g);
	return isfinite(g->lower);
}

/* --- the rank */

/* An upper bound of eigenvalue i of G^-1. */
static double bound(const struct small *s, size_t i)
{
	return fmax(s->value[i], s->rest) + s->off;
}

/* Returns whether the singular vectors that count as 0 are those of A but for a
 * rotation by as much as LAPACK's rounding errors may cause. `reach` is a bound
 * of s_1 over the smallest singular value that counts. By the theorem of Davis
 * and Kahan (1970) the sine of the angle is at most the residual of the vectors
 * over the distance of their eigenvalues of G^-1 from all others. */
static bool has_null(const struct extremes *e, const struct small *s,
                     size_t zeros, double reach)
{
	const double apart = s->value[zeros - 1] - bound(s, zeros);
	double stray = DBL_EPSILON * reach * s->value[0];

	for (size_t i = 0; i < zeros; i++)
		stray = hypot(stray, s->stray[i]);
	return stray <= e->turn * reach * apart;
}

/* Sets the rank, if it is certain. */
static bool decide(const struct extremes *e, const struct small *s,
                   const struct large *g, struct extremes_found *f)
{
	const double upper = sqrt(g->upper), lower = sqrt(g->lower);
	size_t zeros = 0;
	double reach;

	while (zeros < s->count &&
	       !(1 > e->above * upper * sqrt(bound(s, zeros))))
		zeros++;
	if (zeros == s->count)
		return false;
	reach = upper * sqrt(bound(s, zeros));
	if (reach > e->accurate ||
	    (zeros > 0 && !has_null(e, s, zeros, reach)))
		return false;
	f->first = lower;
	f->rank = e->n - zeros;
	f->next = zeros > 0 ? 1 / sqrt(s->value[zeros - 1]) : 0;
	return f->next <= e->below * lower;
}

/* Computes the eigenvectors of T's largest eigenvalues in the place of W. */
static void set_null(const struct extremes *e, const struct small *s,
                     struct extremes_found *f)
{
	const size_t zeros = e->n - f->rank;

	times(e->l, 'N', e->n, zeros, s->count, 1, s->v,
	      s->t + (s->count - zeros) * s->count, 0, s->w);
	f->null = s->w;
}

bool extremes_find(const struct extremes *e, struct extremes_found *f)
{
	const size_t each = e->n * LARGE;
	struct small s = small_of(e);
	struct large g = { .now = s.t + SMALL, .before = s.t + SMALL + each,
	                   .next = s.t + SMALL + 2 * each,
	                   .upper = e->largest * e->largest };

	if (!begin_small(e, &s) || !begin_large(e, &g))
		return false;
	if (decide(e, &s, &g, f) && f->rank == e->n)
		return true;
	for (int i = 0; i < ITERATIONS; i++)
		if (!iterate(e, &s))
			return false;
	if (!measure(e, &s))
		return false;
	while (!decide(e, &s, &g, f))
		if (g.degree == DEGREE || !proceed(e, &g))
			return false;
	set_null(e, &s, f);
	return true;
}

/* host_qr.c - float64 least squares by LAPACK's DGELS, which factors A = Q R,
 * or A = L Q if it has fewer rows than columns, for matrices whose rank is
 * proved to be k = min(m, n) from R or L (extremes.h).
 *
 * R is the exact factor of a matrix that differs from A by a rounding error E.
 * Its 2-norm grows about with the root of the larger dimension: it is less than
 * ROUNDING eps max(m, n)^½ |A|, which allows for the rounding errors of the
 * bounds, too. The bound on the condition number keeps this distance and a
 * tenth (MARGIN) from the threshold of the rank, so that LAPACK's singular
 * values would give the same rank. */
#include <float.h>
#include <math.h>

#include "base/size.h"
#include "ops/lapack/stack.h"
#include "ops/lstsq/host.h"

static const double MARGIN = 1.1, ROUNDING = 4;

/* Outside of 1 / RANGE to RANGE extremes.h proves nothing. */
static const double RANGE = 1e30;

size_t lstsq_qr_room(const struct lapack *l, const struct lstsq_plan *h)
{
	const int m = (int)h->m, n = (int)h->n, sides = (int)h->columns;
	const size_t most = size_max(h->m, h->n);
	double work = 1;

	l->d.gels(LAPACK_COLUMNS, 'N', m, n, sides, NULL, m, NULL, (int)most,
	          &work, -1);
	return h->m * h->n + most * h->columns + EXTREMES_ROOM(h->k) +
	       (size_t)work + 1;
}

/* Copies A and B to column-major order. */
static void take(const struct lstsq_plan *h, const struct lstsq_system *y,
                 double *a, double *b)
{
	const size_t ld = size_max(h->m, h->n);

	lapack_transpose(y->a, h->n, h->m, h->n, sizeof *a, a, h->m);
	for (size_t j = 0; j < h->columns; j++)
		for (size_t i = 0; i < ld; i++)
			b[j * ld + i] = i < h->m && j < h->sides ?
			    ((const double *)y->b)[i * h->sides + j] : 0;
}

static bool is_in_range(const double *a, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(a[i]));
	return most < RANGE && most > 1 / RANGE;
}

static bool has_full_rank(const struct lapack *l, const struct lstsq_plan *h,
                          const double *a, double *room, double *first)
{
	const double rounding = ROUNDING * DBL_EPSILON *
	                        sqrt((double)size_max(h->m, h->n));
	const struct lstsq_triangle t = { l, h->m >= h->n ? 'U' : 'L', h->k,
	                                  h->m, a };
	const struct extremes e = {
		.above = MARGIN * h->rcond + rounding, .below = 0,
		.accurate = INFINITY, .largest = INFINITY,
	};
	struct extremes_found f;
	const bool found = lstsq_triangle_rank(&t, h, e, room, &f);

	*first = f.first;
	return found && f.rank == h->k;
}

enum lstsq_outcome lstsq_by_qr(const struct lapack *l,
                               const struct lstsq_plan *h,
                               struct lstsq_system *y, double *room)
{
	const size_t ld = size_max(h->m, h->n);
	double *const a = room, *const b = a + h->m * h->n;
	double *const vectors = b + ld * h->columns;
	double *const work = vectors + EXTREMES_ROOM(h->k);
	const size_t length = lstsq_qr_room(l, h) - (size_t)(work - room);
	double *const x = y->x;

	take(h, y, a, b);
	if (!is_in_range(a, h->m * h->n))
		return LSTSQ_INACCURATE;
	if (l->d.gels(LAPACK_COLUMNS, 'N', (int)h->m, (int)h->n,
	              (int)h->columns, a, (int)h->m, b, (int)ld, work,
	              (int)length) != 0)
		return LSTSQ_UNPROVED;
	if (!has_full_rank(l, h, a, vectors, &y->first))
		return LSTSQ_UNPROVED;
	if (x)
		lapack_transpose(b, ld, h->sides, h->n, sizeof *b, x,
		                 h->sides);
	y->rank = (int)h->k;
	y->next = 0;
	return LSTSQ_SOLVED;
}

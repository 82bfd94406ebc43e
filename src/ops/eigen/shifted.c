/* shifted.c - see shifted.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/eigen/shifted.h"

/* The largest factorization that is made takes a few seconds on two cores, and
 * 1 GiB. */
#define MOST_FLOPS 4e11
#define MOST_BYTES ((double)(UINT64_C(1) << 30))

/* Factoring a band takes about this many times longer for each operation than
 * factoring a dense matrix. */
#define BAND_SLOWER 4

static void find_band(struct shifted *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->place[s->order[i]] = (int32_t)i;
	for (size_t i = 0; i < s->n; i++)
		for (int64_t k = s->a->start[i]; k < s->a->start[i + 1]; k++) {
			const int d = s->place[i] - s->place[s->a->column[k]];

			s->below = d > s->below ? d : s->below;
			s->above = -d > s->above ? -d : s->above;
		}
}

/* Returns the rows of LAPACK's band storage. Row interchanges widen the upper
 * band by the width of the lower one. */
static double band_rows(const struct shifted *s)
{
	return 2.0 * s->below + s->above + 1;
}

static bool choose(struct shifted *s)
{
	const double n = (double)s->n, rows = band_rows(s);
	const double dense = 2.0 / 3 * n * n * n;
	const double band = 2 * n * s->below * (s->below + s->above + 1.0);

	s->dense = band * BAND_SLOWER >= dense || rows >= n;
	s->rows = s->dense ? s->n : (size_t)rows;
	return (s->dense ? dense : band * BAND_SLOWER) <= MOST_FLOPS &&
	       (double)s->rows * n * sizeof *s->f <= MOST_BYTES;
}

int shifted_init(struct shifted *s, const struct lapack *l,
                 const struct entries *a, const struct entries *pattern,
                 bool *fits)
{
	*s = (struct shifted){
		.l = l, .a = a, .n = a->n,
		.order = malloc(a->n * sizeof *s->order),
		.place = malloc(a->n * sizeof *s->place),
	};
	*fits = false;
	if (!s->order || !s->place || entries_order(pattern, s->order) < 0)
		return -1;
	find_band(s);
	*fits = choose(s);
	return 0;
}

void shifted_fini(struct shifted *s)
{
	free(s->order);
	free(s->place);
	free(s->f);
	free(s->x);
	free(s->pivots);
}

static int make_room(struct shifted *s)
{
	if (!s->f) {
		s->f = malloc(s->rows * s->n * sizeof *s->f);
		s->x = malloc(s->n * sizeof *s->x);
		s->pivots = malloc(s->n * sizeof *s->pivots);
	}
	return s->f && s->x && s->pivots ? 0 : -1;
}

/* Returns the place of element (i, j) of the ordered matrix in f. */
static double *at(const struct shifted *s, int32_t i, int32_t j)
{
	const size_t row = s->dense ? (size_t)i :
	    (size_t)(s->below + s->above + i - j);

	return &s->f[(size_t)j * s->rows + row];
}

static void fill(struct shifted *s, double sigma)
{
	memset(s->f, 0, s->rows * s->n * sizeof *s->f);
	for (size_t i = 0; i < s->n; i++) {
		const int32_t to = s->place[i];

		for (int64_t k = s->a->start[i]; k < s->a->start[i + 1]; k++)
			*at(s, to, s->place[s->a->column[k]]) =
			    s->a->value[k];
		*at(s, to, to) -= sigma;
	}
}

int shifted_factor(struct shifted *s, double sigma, bool *singular)
{
	const int n = (int)s->n, rows = (int)s->rows;

	if (make_room(s) < 0)
		return -1;
	fill(s, sigma);
	*singular = (s->dense ?
	    s->l->d.getrf(LAPACK_COLUMNS, n, n, s->f, rows, s->pivots) :
	    s->l->d.gbtrf(LAPACK_COLUMNS, n, n, s->below, s->above, s->f,
	                  rows, s->pivots)) != 0;
	return 0;
}

void shifted_solve(const struct shifted *s, const double *x, double *y)
{
	const int n = (int)s->n, rows = (int)s->rows;

	for (size_t i = 0; i < s->n; i++)
		s->x[i] = x[s->order[i]];
	if (s->dense)
		s->l->d.getrs(LAPACK_COLUMNS, 'N', n, 1, s->f, rows,
		              s->pivots, s->x, n);
	else
		s->l->d.gbtrs(LAPACK_COLUMNS, 'N', n, s->below, s->above, 1,
		              s->f, rows, s->pivots, s->x, n);
	for (size_t i = 0; i < s->n; i++)
		y[s->order[i]] = s->x[i];
}

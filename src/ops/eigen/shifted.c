/* shifted.c - see shifted.h. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/eigen/shifted.h"

/* The largest factorization that is made takes a few seconds on two cores, and
 * 1 GiB. */
#define MOST_FLOPS 4e11
#define MOST_BYTES ((double)(UINT64_C(1) << 30))

/* Factoring a band takes about this many times longer for each operation than
 * factoring a dense matrix. */
#define BAND_SLOWER 4

size_t shifted_most_bytes(const struct sheet *d, size_t n)
{
	const double dense = (double)n * (double)n * sizeof(double);
	const double most = d->unified_memory ?
	    fmin(MOST_BYTES, (double)(d->global_memory_bytes / 4)) :
	    MOST_BYTES;

	return (size_t)fmin(dense, most);
}

static void find_band(const struct shifted *s, int *below, int *above)
{
	const struct entries *a = s->a;

	*below = *above = 0;
	for (size_t i = 0; i < a->n; i++)
		s->place[s->order[i]] = (int32_t)i;
	for (size_t i = 0; i < a->n; i++)
		for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) {
			const int d = s->place[i] - s->place[a->column[k]];

			*below = d > *below ? d : *below;
			*above = -d > *above ? -d : *above;
		}
}

/* Plans the storage of the factorization. Returns whether the memory and the
 * time that it takes are within bounds. */
static bool choose(struct shifted *s, const struct lapack *l)
{
	const size_t n = s->a->n;
	const double rows = (double)n, dense = 2.0 / 3 * rows * rows * rows;
	int below, above;
	double band;

	find_band(s, &below, &above);
	band = BAND_SLOWER * 2 * rows * below * (below + above + 1.0);
	banded_plan(&s->b, n, (size_t)below, (size_t)above, false);
	if (band >= dense || banded_elements(&s->b) >= rows * rows)
		banded_plan(&s->b, n, 0, 0, true);
	s->b.l = l;
	return (s->b.dense ? dense : band) <= MOST_FLOPS &&
	       banded_elements(&s->b) * sizeof *s->b.f <=
	       (double)shifted_most_bytes(seq_sheet(s->s), n);
}

int shifted_init(struct shifted *s, struct seq *seq, const struct lapack *l,
                 const struct entries *a, const struct entries *pattern,
                 bool *fits)
{
	*s = (struct shifted){
		.a = a, .s = seq, .order = malloc(a->n * sizeof *s->order),
		.place = malloc(a->n * sizeof *s->place),
		.x = malloc(a->n * sizeof *s->x),
	};
	*fits = false;
	if (!s->order || !s->place || !s->x ||
	    entries_order(pattern, s->order) < 0)
		return -1;
	*fits = choose(s, l);
	return 0;
}

void shifted_fini(struct shifted *s)
{
	free(s->order);
	free(s->place);
	free(s->x);
	banded_fini(&s->b);
}

static void fill(struct shifted *s, double sigma)
{
	for (size_t i = 0; i < s->a->n; i++) {
		const size_t to = (size_t)s->place[i];

		for (int64_t k = s->a->start[i]; k < s->a->start[i + 1]; k++)
			*banded_at(&s->b, to,
			           (size_t)s->place[s->a->column[k]]) =
			    s->a->value[k];
		*banded_at(&s->b, to, to) -= sigma;
	}
}

int shifted_factor(struct shifted *s, double sigma, bool *singular)
{
	if (banded_clear(&s->b, s->s) < 0)
		return -1;
	fill(s, sigma);
	return banded_factor(&s->b, s->s, singular);
}

int shifted_solve(const struct shifted *s, const double *x, double *y)
{
	for (size_t i = 0; i < s->a->n; i++)
		s->x[i] = x[s->order[i]];
	if (banded_solve(&s->b, s->s, s->x) < 0)
		return -1;
	for (size_t i = 0; i < s->a->n; i++)
		y[s->order[i]] = s->x[i];
	return 0;
}

/* complex_refine.c - see complex_refine.h. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "ops/lapack/exported.h"
#include "ops/solve/complex_refine.h"

enum { WIDTH = 32, STEPS = 5 };

/* Up to WIDTH columns of X. `moduli` and `size` are row-major, so that the
 * numbers of a row lie beside each other; `rest` is column-major. */
struct chunk {
	const struct complex_refinement *q;
	size_t first, width;
	cplx *rest;			/* B - op(A) X, then the correction */
	double *moduli;			/* |X| */
	double *size;			/* |op(A)| |X| + |B| */
};

size_t complex_refine_room(size_t n, size_t sides)
{
	return n * size_min(sides, WIDTH) *
	       (sizeof(cplx) + 2 * sizeof(double));
}

static const cplx *column_of(const struct chunk *k, const cplx *m, size_t c)
{
	return m + (k->first + c) * k->q->n;
}

static void set_rest(const struct chunk *k)
{
	const struct complex_refinement *q = k->q;
	const int n = (int)q->n, width = (int)k->width;
	const cplx one = 1, minus = -1;

	memcpy(k->rest, column_of(k, q->b, 0),
	       q->n * k->width * sizeof *k->rest);
	zgemm_(q->turned ? "T" : "N", "N", &n, &width, &n, &minus, q->a, &n,
	       column_of(k, q->x, 0), &n, &one, k->rest, &n);
}

/* Adds a times the `width` numbers of `from` to those of `to`. */
static void add_row(double a, const double *from, size_t width, double *to)
{
	for (size_t c = 0; c < width; c++)
		to[c] += a * from[c];
}

static void set_size(const struct chunk *k)
{
	const struct complex_refinement *q = k->q;
	const size_t n = q->n, w = k->width;

	for (size_t c = 0; c < w; c++)
		for (size_t i = 0; i < n; i++) {
			k->moduli[i * w + c] =
			    complex_modulus(column_of(k, q->x, c)[i]);
			k->size[i * w + c] =
			    complex_modulus(column_of(k, q->b, c)[i]);
		}
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < n; i++) {
			const double a = complex_modulus(q->a[j * n + i]);
			const size_t from = q->turned ? i : j;
			const size_t to = q->turned ? j : i;

			add_row(a, k->moduli + from * w, w, k->size + to * w);
		}
}

/* Returns the largest |r_i| / size_i of column c. Where size_i is so small that
 * it may consist of rounding errors, both are enlarged, as in LAPACK. */
static double backward_error(const struct chunk *k, size_t c)
{
	const size_t n = k->q->n;
	const double small = (double)(n + 1) * DBL_MIN;
	double worst = 0;

	for (size_t i = 0; i < n; i++) {
		const double r = complex_modulus(k->rest[c * n + i]);
		const double size = k->size[i * k->width + c];
		const double more = size > small / (DBL_EPSILON / 2) ? 0 :
		                                                       small;

		worst = verdict_worse(worst, (r + more) / (size + more));
	}
	return worst;
}

/* Corrects the columns c for which goes_on[c]. */
static void correct(const struct chunk *k, const bool *goes_on)
{
	const struct complex_refinement *q = k->q;
	const size_t n = q->n;
	cplx *const x = q->x + k->first * n;

	q->l->z.getrs(LAPACK_COLUMNS, q->turned ? 'T' : 'N', (int)n,
	              (int)k->width, q->lu, (int)n, q->pivots, k->rest,
	              (int)n);
	for (size_t c = 0; c < k->width; c++)
		for (size_t i = 0; goes_on[c] && i < n; i++)
			x[c * n + i] += k->rest[c * n + i];
}

static void weigh(const struct chunk *k)
{
	const struct complex_refinement *q = k->q;
	const double unit = (double)(q->n + 1) * (DBL_EPSILON / 2);

	for (size_t c = 0; c < k->width; c++) {
		double most = 0;

		for (size_t i = 0; i < q->n; i++)
			most = fmax(most, k->moduli[i * k->width + c]);
		for (size_t i = 0; i < q->n; i++) {
			const double w =
			    complex_modulus(k->rest[c * q->n + i]) +
			    unit * k->size[i * k->width + c];

			q->weight[i] = verdict_worse(q->weight[i],
			    most > 0 ? w / most : w);
		}
	}
}

static void refine(const struct chunk *k)
{
	double last[WIDTH];
	bool goes_on[WIDTH], any = true;

	for (size_t c = 0; c < k->width; c++) {
		last[c] = HUGE_VAL;
		goes_on[c] = true;
	}
	for (int step = 0; any; step++) {
		set_rest(k);
		set_size(k);
		any = false;
		for (size_t c = 0; c < k->width; c++) {
			const double error = backward_error(k, c);

			goes_on[c] &= step < STEPS &&
			              error > DBL_EPSILON / 2 &&
			              2 * error <= last[c];
			last[c] = error;
			any |= goes_on[c];
		}
		if (any)
			correct(k, goes_on);
	}
	weigh(k);
}

void complex_refine(const struct complex_refinement *q)
{
	const size_t most = size_min(q->sides, WIDTH);
	struct chunk k = { .q = q, .rest = q->room };

	k.moduli = (double *)(k.rest + q->n * most);
	k.size = k.moduli + q->n * most;
	memset(q->weight, 0, q->n * sizeof *q->weight);
	for (; k.first < q->sides; k.first += k.width) {
		lapack_poll();
		k.width = size_min(WIDTH, q->sides - k.first);
		refine(&k);
	}
}

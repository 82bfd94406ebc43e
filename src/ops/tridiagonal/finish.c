/* finish.c - see steps.h and kernels/tridiagonal/finish.cl. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/lu/residual.h"
#include "ops/tridiagonal/steps.h"
#include "shared/tridiagonal_tile.h"

enum {
	ITEMS = 64,
	LOW = 0, HIGH, PIVMIN, BOUNDS,
	/* The interval is about 2 |T| wide at first; after so many steps it is
	 * narrower than rounding errors of T. */
	STEPS_32 = 30, STEPS_64 = 56, STEPS_ALL_32 = 26
};

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static bool is_diagonal(size_t n, const double *e)
{
	for (size_t i = 0; i + 1 < n; i++)
		if (e[i] != 0)
			return false;
	return true;
}

/* An interval that encloses all eigenvalues (Gershgorin's), widened by rounding
 * errors, and the least pivot, as in LAPACK's xSTEBZ. */
static void find_bounds(size_t n, const double *d, const double *e, bool wide,
                        double bounds[BOUNDS])
{
	const double epsilon = wide ? DBL_EPSILON : FLT_EPSILON;
	double low = INFINITY, high = -INFINITY, square = 1, slack;

	for (size_t i = 0; i < n; i++) {
		const double radius = (i > 0 ? fabs(e[i - 1]) : 0) +
		                      fabs(e[i]);

		low = fmin(low, d[i] - radius);
		high = fmax(high, d[i] + radius);
		square = fmax(square, e[i] * e[i]);
	}
	slack = 2 * epsilon * (double)n * fmax(fabs(low), fabs(high));
	bounds[LOW] = low - slack;
	bounds[HIGH] = high + slack;
	bounds[PIVMIN] = square * (wide ? DBL_MIN : FLT_MIN);
}

static struct buf upload(struct seq *s, const double *x, size_t n, bool wide)
{
	float single[BOUNDS];

	for (size_t i = 0; i < n; i++)
		single[i] = (float)x[i];
	return wide ? seq_constant(s, x, n * sizeof *x) :
	              seq_constant(s, single, n * sizeof *single);
}

static int bisect(const struct tridiagonal_form *f, double *d, const double *e)
{
	struct seq *const s = f->s;
	const size_t each = lu_wide_bytes(seq_sheet(s)), n = f->n;
	const bool wide = each == sizeof(double);
	const int steps = !wide ? STEPS_ALL_32 :
	    seq_dtype(s) == FLOAT32 ? STEPS_32 : STEPS_64;
	const struct buf values = seq_scratch(s, n * each);
	double bounds[BOUNDS], *host;

	find_bounds(n, d, e, wide, bounds);
	seq_work(s, 5.0 * (double)n * (double)n * steps, 0);
	seq_launch(s, "tridiagonal_bisect", GRID1(n, ITEMS), ARG_BUF(f->t),
	           ARG_INT(n), ARG_BUF(upload(s, bounds, BOUNDS, wide)),
	           ARG_INT(steps), ARG_BUF(values));
	host = lu_wide_read(s, values, n);
	for (size_t i = 0; host && i < n; i++)
		d[i] = host[i];
	free(host);
	return host ? 0 : -1;
}

int tridiagonal_bisect(const struct tridiagonal_form *f, double *d,
                       const double *e)
{
	if (!is_diagonal(f->n, e) && bisect(f, d, e) < 0)
		return -1;
	qsort(d, f->n, sizeof *d, ascending);
	return 0;
}

void tridiagonal_bisect_need(struct need *n, const struct sheet *d,
                             size_t rows)
{
	const size_t wide = lu_wide_bytes(d);

	need_buffer(n, rows * wide);
	need_buffer(n, BOUNDS * wide);
}

void tridiagonal_gather(struct seq *s, size_t n, struct buf z,
                        const size_t *columns, size_t cols, struct buf to)
{
	const size_t bytes = cols * sizeof(int32_t);
	int32_t *from = malloc(bytes);

	if (!from) {
		err_set(seq_err(s), ERR_MEMORY, "no memory for %zu numbers",
		        cols);
		return;
	}
	for (size_t i = 0; i < cols; i++)
		from[i] = (int32_t)columns[i];
	seq_launch(s, "tridiagonal_gather", GRID1(n * cols, ITEMS),
	           ARG_BUF(z), ARG_INT(n),
	           ARG_BUF(seq_constant(s, from, bytes)), ARG_INT(cols),
	           ARG_LONG(n * cols), ARG_BUF(to));
	free(from);
}

void tridiagonal_signs(struct seq *s, size_t n, struct buf z, size_t cols)
{
	seq_launch(s, "tridiagonal_signs",
	           GRID1(size_blocks(cols, SIGN_LANES) * SYTRD_ITEMS,
	                 SYTRD_ITEMS),
	           ARG_BUF(z), ARG_INT(n), ARG_INT(cols));
}

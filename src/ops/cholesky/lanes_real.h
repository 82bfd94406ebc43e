/* lanes_real.h - one group of matrices, in one of the two types
 * (ops/lapack/each_type.h). */
typedef real TYPED(lanes) __attribute__((vector_size(16)));

enum { TYPED(LANES) = 16 / sizeof(real) };

/* The matrices from `first` on; past the last one of the stack, identities
 * fill the group. */
struct TYPED(group) {
	const struct lapack_call *c;
	size_t n, first, count;
	real x[MOST];			/* the vector of signs */
	TYPED(lanes) l[MOST * MOST];	/* the lower triangles, row by row */
	double quadratic[MOST_LANES];	/* x^T A x */
	double square[MOST_LANES];	/* |L^T x|^2 */
	size_t order[MOST_LANES];	/* of the first minor that is not
					 * positive, or 0 */
};

static void TYPED(gather)(struct TYPED(group) *g, size_t m)
{
	const size_t n = g->n;
	const real *a = m < g->count ? lapack_in(g->c->a, 0, g->first + m) :
	                               NULL;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++)
			g->l[i * n + j][m] = a ? a[i * n + j] : i == j;
}

static void TYPED(add_quadratic)(struct TYPED(group) *g)
{
	const size_t n = g->n;

	for (size_t i = 0; i < n; i++) {
		const TYPED(lanes) *row = g->l + i * n;
		TYPED(lanes) sum = { 0 };

		for (size_t j = 0; j < i; j++)
			sum += row[j] * g->x[j];
		for (size_t m = 0; m < TYPED(LANES); m++)
			g->quadratic[m] += 2.0 * g->x[i] * sum[m] + row[i][m];
	}
}

static void TYPED(add_square)(struct TYPED(group) *g)
{
	const size_t n = g->n;

	for (size_t j = 0; j < n; j++) {
		TYPED(lanes) sum = { 0 };

		for (size_t i = j; i < n; i++)
			sum += g->l[i * n + j] * g->x[i];
		for (size_t m = 0; m < TYPED(LANES); m++)
			g->square[m] += (double)sum[m] * sum[m];
	}
}

/* Replaces the pivots of row j, less the squares that are subtracted from them,
 * by their roots, and returns these. A pivot that is not positive becomes 1, so
 * that its lane goes on without exceptions. */
static TYPED(lanes) TYPED(root)(struct TYPED(group) *g, size_t j)
{
	TYPED(lanes) *row = g->l + j * g->n, sum = { 0 }, d;

	for (size_t k = 0; k < j; k++)
		sum += row[k] * row[k];
	d = row[j] - sum;
	for (size_t m = 0; m < TYPED(LANES); m++) {
		if (!(d[m] > 0)) {
			g->order[m] = g->order[m] ? g->order[m] : j + 1;
			d[m] = 1;
		}
		d[m] = (real)sqrt(d[m]);
	}
	row[j] = d;
	return d;
}

/* l_ij = (a_ij - sum_{k<j} l_ik l_jk) / l_jj for all i > j. Four rows at a time
 * hide the latency of an addition. The products are summed first, because they
 * are smaller than a_ij and so are their rounding errors. */
static void TYPED(column)(struct TYPED(group) *g, size_t j, TYPED(lanes) root)
{
	const size_t n = g->n;
	const TYPED(lanes) *y = g->l + j * n;
	size_t i = j + 1;

	for (; i + 4 <= n; i += 4) {
		TYPED(lanes) *x = g->l + i * n;
		TYPED(lanes) p = { 0 }, q = { 0 }, r = { 0 }, s = { 0 };

		for (size_t k = 0; k < j; k++) {
			p += x[k] * y[k];
			q += x[n + k] * y[k];
			r += x[2 * n + k] * y[k];
			s += x[3 * n + k] * y[k];
		}
		x[j] = (x[j] - p) / root;
		x[n + j] = (x[n + j] - q) / root;
		x[2 * n + j] = (x[2 * n + j] - r) / root;
		x[3 * n + j] = (x[3 * n + j] - s) / root;
	}
	for (; i < n; i++) {
		TYPED(lanes) *x = g->l + i * n, p = { 0 };

		for (size_t k = 0; k < j; k++)
			p += x[k] * y[k];
		x[j] = (x[j] - p) / root;
	}
}

static void TYPED(scatter)(const struct TYPED(group) *g, size_t m)
{
	const size_t n = g->n;
	real *l = lapack_out(g->c->a, 0, g->first + m);

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j <= i; j++)
			l[i * n + j] = g->l[i * n + j][m];
		for (size_t j = i + 1; j < n; j++)
			l[i * n + j] = 0;
	}
}

/* Returns the first element of a lower triangle that is not finite. */
static struct failure_detail TYPED(find)(const real *a, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const size_t j = lapack_find_nonfinite(REAL_DTYPE, a + i * n,
		                                       i + 1);

		if (j <= i)
			return cholesky_nonfinite(i, j);
	}
	return (struct failure_detail){ .code = ERR_NONE };
}

/* Sets the detail and the ratio of matrix m of the group. A finite x^T A x
 * proves that all elements are finite. */
static void TYPED(judge)(const struct TYPED(group) *g, size_t m)
{
	const struct found *f = g->c->how;
	const real *a = lapack_in(g->c->a, 0, g->first + m);
	struct failure_detail *d = &f->details[g->first + m];
	double trace = 0;

	if (!isfinite(g->quadratic[m]))
		*d = TYPED(find)(a, g->n);
	if (d->code == ERR_NONE && g->order[m] > 0)
		*d = cholesky_not_positive(g->order[m]);
	if (d->code != ERR_NONE)
		return;
	for (size_t i = 0; i < g->n; i++)
		trace += a[i * (g->n + 1)];
	f->ratios[g->first + m] = cholesky_ratio(REAL_DTYPE, g->n,
	    g->quadratic[m], g->square[m], trace);
}

static void TYPED(run)(const struct lapack_call *c, size_t index)
{
	struct TYPED(group) g;

	g.c = c;
	g.n = c->rows;
	g.first = index * TYPED(LANES);
	g.count = size_min(TYPED(LANES), c->a->stack - g.first);
	for (size_t i = 0; i < g.n; i++)
		g.x[i] = (real)lapack_sign(i);
	for (size_t m = 0; m < TYPED(LANES); m++) {
		g.quadratic[m] = g.square[m] = 0;
		g.order[m] = 0;
		TYPED(gather)(&g, m);
	}
	TYPED(add_quadratic)(&g);
	for (size_t j = 0; j < g.n; j++)
		TYPED(column)(&g, j, TYPED(root)(&g, j));
	TYPED(add_square)(&g);
	for (size_t m = 0; m < g.count; m++) {
		TYPED(scatter)(&g, m);
		TYPED(judge)(&g, m);
	}
}

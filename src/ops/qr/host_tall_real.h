/* host_tall_real.h - CholeskyQR2 of one matrix, for one element type; included
 * by host_tall.c through ops/lapack/each_type.h. To LAPACK the rows of Q are
 * the columns of Q^T, so that Q U^-1 is computed as U^-T Q^T. */

struct TYPED(tall) {
	const struct host_tall *t;
	real *g;			/* n x n: G, and then U */
	real *r;			/* n x n: R */
	real *top;			/* n x n: the first n rows of Q */
	real *sums;			/* n x n for each slice */
	real *signs;			/* n */
};

/* What a pass does to every row. */
struct TYPED(pass) {
	const struct TYPED(tall) *x;
	const real *from;		/* A, or Q */
	bool divides;			/* compute Q = from U^-1, U being in g;
					 * else Q is `from` */
	bool sums;			/* compute G = Q^T Q */
};

static struct TYPED(tall) TYPED(tall_of)(const struct host_tall *t)
{
	const size_t square = t->n * t->n;
	real *room = t->room;

	return (struct TYPED(tall)){
		.t = t, .g = room, .r = room + square, .top = room + 2 * square,
		.sums = room + 3 * square,
		.signs = room + (SLICES + 3) * square,
	};
}

/* Computes X = X U^-1 for `count` rows of X, STRIP columns at a time, because
 * OpenBLAS's xTRSM takes twice the time of xGEMM for as many operations. */
static void TYPED(divide)(const struct TYPED(tall) *x, real *rows, size_t count)
{
	const int n = (int)x->t->n, m = (int)count;
	const real one = 1, minus = -1;

	for (int j = 0; j < n; j += STRIP) {
		const int width = n - j < STRIP ? n - j : STRIP;
		const real *u = x->g + (ptrdiff_t)j * n;

		if (j > 0)
			OF(x->t->c->l)->gemm("T", "N", &width, &m, &j, &minus,
			                     u, &n, rows, &n, &one, rows + j,
			                     &n);
		OF(x->t->c->l)->trsm("L", "U", "T", "N", &width, &m, &one,
		                     u + j, &n, rows + j, &n);
	}
}

/* Passes over slice `index` of the rows. */
static void TYPED(slice)(void *arg, size_t index)
{
	const struct TYPED(pass) *p = arg;
	const struct host_tall *t = p->x->t;
	const size_t each = size_blocks(t->m, SLICES), n = t->n;
	const size_t last = size_min((index + 1) * each, t->m);
	const size_t most = size_max(CHUNK / n, n);
	real *const sum = p->x->sums + index * n * n, one = 1;
	const int order = (int)n;

	if (p->sums)
		memset(sum, 0, n * n * sizeof *sum);
	for (size_t i = index * each; i < last; i += most) {
		const size_t count = size_min(most, last - i);
		const real *rows = p->from + i * n;
		real *q = (real *)t->q + i * n;
		const int some = (int)count;

		if (p->divides) {
			if (q != rows)
				memcpy(q, rows, count * n * sizeof *q);
			TYPED(divide)(p->x, q, count);
			rows = q;
		}
		if (p->sums)
			OF(t->c->l)->syrk("U", "N", &order, &some, &one, rows,
			                  &order, &one, sum, &order);
	}
}

/* Sets g to the sum of the slices'. */
static void TYPED(add_up)(const struct TYPED(tall) *x)
{
	const size_t n = x->t->n;

	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i <= j; i++) {
			double sum = 0;

			for (size_t k = 0; k < SLICES; k++)
				sum += x->sums[(k * n + j) * n + i];
			x->g[j * n + i] = (real)sum;
		}
}

static void TYPED(pass_over)(struct TYPED(pass) *p)
{
	lapack_poll();
	lapack_parts(p->x->t->c, SLICES, TYPED(slice), p);
	if (p->sums)
		TYPED(add_up)(p->x);
}

/* Are the products of A's columns far from overflow and underflow? */
static bool TYPED(is_in_range)(const struct TYPED(tall) *x)
{
	const double low = sqrt(REAL_MIN) / REAL_EPSILON, high = 1 / low;
	const size_t n = x->t->n;

	for (size_t j = 0; j < n; j++)
		if (!(x->g[j * (n + 1)] > low && x->g[j * (n + 1)] < high))
			return false;
	return true;
}

static bool TYPED(is_near_identity)(const struct TYPED(tall) *x)
{
	const size_t n = x->t->n;
	double sum = 0;

	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i <= j; i++) {
			const double d = x->g[j * n + i] - (i == j);

			sum += (i < j ? 2 : 1) * d * d;
		}
	return sum <= NEAR * NEAR;
}

/* R = U R; R = U if there is none yet. */
static void TYPED(collect)(const struct TYPED(tall) *x, bool first)
{
	const size_t n = x->t->n;
	const int order = (int)n;
	const real one = 1;

	if (!first) {
		OF(x->t->c->l)->trmm("L", "U", "N", "N", &order, &order, &one,
		                     x->g, &order, x->r, &order);
		return;
	}
	for (size_t j = 0; j < n; j++) {
		memcpy(x->r + j * n, x->g + j * n, (j + 1) * sizeof *x->r);
		memset(x->r + j * n + j + 1, 0, (n - j - 1) * sizeof *x->r);
	}
}

/* Gives U and so R and Q the signs of LAPACK. Where a reflection would change
 * nothing LAPACK makes none and keeps the sign, which rounding errors hide
 * here: returns false then. */
static bool TYPED(take_signs)(const struct TYPED(tall) *x)
{
	const size_t n = x->t->n;
	const double most = 2 - 64 * REAL_EPSILON;
	int order = (int)n, info;

	memcpy(x->top, x->t->q, n * n * sizeof *x->top);
	TYPED(divide)(x, x->top, n);
	OF(x->t->c->l)->laorhr_col_getrfnp(&order, &order, x->top, &order,
	                                   x->signs, &info);
	for (size_t i = 0; i < n; i++) {
		if (!(fabs(x->top[i * (n + 1)]) < most))
			return false;
		for (size_t j = i; j < n; j++)
			x->g[j * n + i] *= x->signs[i];
	}
	return true;
}

static void TYPED(put_tall_r)(const struct TYPED(tall) *x)
{
	const size_t n = x->t->n;

	if (x->t->r)
		lapack_transpose(x->r, n, n, n, sizeof *x->r, x->t->r, n);
}

/* Makes Q of A, with G near I, and R. */
static bool TYPED(approach)(const struct TYPED(tall) *x)
{
	struct TYPED(pass) p = { .x = x, .from = x->t->a, .sums = true };

	TYPED(pass_over)(&p);
	if (!TYPED(is_in_range)(x))
		return false;
	p.divides = true;
	for (int i = 0; i < PASSES; i++) {
		if (OF(x->t->c->l)->potrf(LAPACK_COLUMNS, 'U', (int)x->t->n,
		                          x->g, (int)x->t->n) != 0)
			return false;
		TYPED(collect)(x, i == 0);
		TYPED(pass_over)(&p);
		if (TYPED(is_near_identity)(x))
			return true;
		p.from = x->t->q;
	}
	return false;
}

static bool TYPED(decompose)(const struct TYPED(tall) *x)
{
	const struct host_tall *t = x->t;
	struct TYPED(pass) last = { .x = x, .from = t->q, .divides = true };

	if (!TYPED(approach)(x) ||
	    OF(t->c->l)->potrf(LAPACK_COLUMNS, 'U', (int)t->n, x->g,
	                       (int)t->n) != 0 || !TYPED(take_signs)(x))
		return false;
	TYPED(collect)(x, false);
	if (t->wanted)
		TYPED(pass_over)(&last);
	TYPED(put_tall_r)(x);
	return true;
}

/* Limits OpenBLAS to one thread for each call while the threads of
 * lapack_parts() call it. */
bool TYPED(host_tall)(const struct host_tall *t)
{
	const struct TYPED(tall) x = TYPED(tall_of)(t);
	bool done;

	lapack_threads_for(t->c->l, t->m, true);
	done = TYPED(decompose)(&x);
	lapack_threads_for(t->c->l, t->m, false);
	return done;
}

/* polar.c - see polar.h. */
#include <math.h>

#include "base/size.h"
#include "ops/polar/polar.h"
#include "ops/room.h"
#include "shared/polar_state.h"

enum {
	ITEMS = 64, SCAN_GROUPS = 512,
	/* LAPACK is faster for matrices with fewer than LEAST rows or columns,
	 * and, on several threads, for stacks of more than MANY matrices with
	 * fewer than LARGE. */
	LEAST = 144, MANY = 8, LARGE = 256,
	/* A^T B is summed over blocks of BLOCK rows or more if it has at most
	 * NARROW columns and A at least ASPECT times as many rows: as a single
	 * product it would have too few tiles for all compute units. */
	BLOCK = 1024, NARROW = 768, ASPECT = 4
};

/* The constants of the iteration for A's type. l is a lower bound of the
 * singular values of X (see polar.h). */
struct limits {
	double floor;			/* the least l from which r is
					 * computed */
	double usual;			/* l of X_0 for most matrices */
	double least;			/* l of X_0 for matrices of full rank */
	double noise, noisy;		/* for matrices without full rank: |R|,
					 * where R is added to X_0, and l of
					 * that X_0 */
	double near;			/* the largest 1 - l after the last
					 * step */
	double orthogonal;		/* the largest element that X^T X - I
					 * may have after the last step */
};

static const struct limits *limits_of(enum dtype t)
{
	static const struct limits
	single = {
		.floor = 1e-6, .usual = 2e-6, .least = 1e-10,
		.noise = 0x1p-27, .noisy = 1e-14, .near = 1e-5,
		.orthogonal = 5e-5,
	},
	twofold = {
		.floor = 0.1, .usual = 3e-6, .least = 1e-17,
		.noise = 0x1p-55, .noisy = 1e-22, .near = 3e-9,
		.orthogonal = 2e-8,
	};

	return t == FLOAT32 ? &single : &twofold;
}

bool polar_pays(const struct sheet *d, size_t stack, size_t n)
{
	return d->float64 && d->max_work_group_size >= ITEMS && n >= LEAST &&
	       stack > 0 && (stack <= MANY || n >= LARGE);
}

/* --- buffers */

static struct buf room(const struct polar *p, size_t numbers, size_t bytes)
{
	return room_make(p->s, p->need, numbers * bytes);
}

/* Returns the number of blocks of equally many rows over which A^T B is summed,
 * or 0 if it is computed as one product. */
static size_t blocks_of(size_t m, size_t n)
{
	return n <= NARROW && m >= ASPECT * n && m >= 2 * BLOCK ? m / BLOCK : 0;
}

/* Returns a product that is at least as large as every product of an iteration,
 * which determines the memory that they take. */
static struct blas_gemm largest_product(size_t m, size_t n)
{
	return (struct blas_gemm){ .stack = 1, .m = m, .n = n, .k = m,
	                           .alpha = 1 };
}

static void plan(struct polar *p)
{
	const size_t m = p->m, n = p->n, bytes = sizeof(double);

	p->a = room(p, m * n, bytes);
	p->u = room(p, m * n, bytes);
	p->y = room(p, m * n, bytes);
	p->g = room(p, n * n, bytes);
	p->state = room(p, POLAR_STATE, sizeof(int32_t));
	if (blocks_of(m, n) > 0)
		p->parts = room(p, (blocks_of(m, n) + 1) * n * n, bytes);
}

struct polar polar_of(struct seq *s, size_t m, size_t n)
{
	const struct blas_gemm most = largest_product(m, n);
	struct polar p = { .s = s, .t = seq_dtype(s), .m = m, .n = n };

	plan(&p);
	seq_set_dtype(s, FLOAT64);
	p.tensor = blas_tensor_of(s, &most);
	seq_set_dtype(s, p.t);
	return p;
}

void polar_spectrum_need(struct need *n, const struct sheet *d, enum dtype t,
                         size_t stack, size_t rows, size_t cols)
{
	const struct blas_gemm most = largest_product(rows, cols);
	struct polar p = { .need = n, .t = t, .m = rows, .n = cols };

	plan(&p);
	blas_gemm_need(n, d, FLOAT64, &most);
	for (size_t i = 0; i < stack; i++)
		symmetric_decompose_need(n, d, t, cols);
}

/* --- products */

/* C = A^T B in float64 as a sum over blocks of rows, whose products are
 * computed side by side. The rows that are left over are a block of their
 * own. */
static void multiply_blocks(const struct polar *p, struct buf a, struct buf b,
                            struct buf c)
{
	const size_t n = p->n, size = n * n, blocks = blocks_of(p->m, n);
	const size_t rows = p->m / blocks, rest = p->m % blocks;
	struct blas_gemm g = { .stack = blocks, .m = n, .n = n, .k = rows,
	                       .alpha = 1, .tile = 64 };
	struct blas_part x = { a, 0, n, rows * n, true };
	struct blas_part y = { b, 0, n, rows * n, false };
	struct blas_part z = { p->parts, 0, n, size, false };

	seq_set_dtype(p->s, FLOAT64);
	blas_gemm(p->s, &g, &x, &y, &z);
	g.stack = 1;
	g.k = rest;
	x.at = y.at = blocks * rows * n;
	z.at = blocks * size;
	blas_gemm(p->s, &g, &x, &y, &z);	/* zeros if rest is 0 */
	seq_set_dtype(p->s, p->t);
	seq_launch(p->s, "polar_sum", GRID1(size, ITEMS), ARG_BUF(p->parts),
	           ARG_LONG(size), ARG_INT(blocks + 1), ARG_BUF(c));
}

/* C = A^T B in float64, where C is n x n and A and B are m x n. */
static void multiply_turned(const struct polar *p, struct buf a, struct buf b,
                            struct buf c)
{
	const size_t m = p->m, n = p->n;
	const struct blas_gemm g = { .stack = 1, .m = n, .n = n, .k = m,
	                             .alpha = 1, .tensor = &p->tensor };
	const struct blas_part x = { .b = a, .ld = n, .transposed = true };
	const struct blas_part y = { .b = b, .ld = n };
	const struct blas_part z = { .b = c, .ld = n };

	if (p->parts.id) {
		multiply_blocks(p, a, b, c);
		return;
	}
	seq_set_dtype(p->s, FLOAT64);
	blas_gemm(p->s, &g, &x, &y, &z);
	seq_set_dtype(p->s, p->t);
}

/* X = X (of_x I + of_xg G), where X is p->u and G is p->g. */
static void step(struct polar *p, double of_x, double of_xg)
{
	const size_t m = p->m, n = p->n;
	const struct blas_gemm g = { .stack = 1, .m = m, .n = n, .k = n,
	                             .alpha = 1, .tensor = &p->tensor };
	const struct blas_part x = { .b = p->u, .ld = n };
	const struct blas_part y = { .b = p->g, .ld = n };
	const struct blas_part z = { .b = p->y, .ld = n };

	seq_launch(p->s, "polar_shift", GRID1(n * n, ITEMS), ARG_BUF(p->g),
	           ARG_INT(n), ARG_LONG(n * n), ARG_DOUBLE(of_x),
	           ARG_DOUBLE(of_xg));
	seq_set_dtype(p->s, FLOAT64);
	blas_gemm(p->s, &g, &x, &y, &z);
	seq_set_dtype(p->s, p->t);
	p->u = z.b;
	p->y = x.b;
}

/* --- the iteration */

/* Computes B = A 2^exponent, and alpha, an upper bound of the 2-norm of B:
 * alpha^2 is the largest row sum of magnitudes in B^T B. */
static void load(const struct polar *p, const struct polar_source *a)
{
	const size_t m = p->m, n = p->n, count = m * n;
	const int32_t zeros[POLAR_STATE] = { 0 };

	seq_fill(p->s, p->state, 0, sizeof zeros, zeros, sizeof *zeros);
	seq_launch(p->s, "polar_scan",
	           GRID1(size_min(SCAN_GROUPS, size_blocks(count, ITEMS)) *
	                 ITEMS, ITEMS), ARG_BUF(a->b), ARG_LONG(a->at),
	           ARG_LONG(count), ARG_BUF(p->state),
	           ARG_LOCAL(ITEMS * sizeof(int32_t)));
	seq_launch(p->s, "polar_load", GRID1(count, ITEMS), ARG_BUF(a->b),
	           ARG_LONG(a->at), ARG_LONG(a->transposed ? 1 : n),
	           ARG_LONG(a->transposed ? m : 1), ARG_INT(n),
	           ARG_LONG(count), ARG_BUF(p->state), ARG_BUF(p->a));
	multiply_turned(p, p->a, p->a, p->g);
	seq_launch(p->s, "polar_row_sums", GRID1(n * ITEMS, ITEMS),
	           ARG_BUF(p->g), ARG_INT(n), ARG_BUF(p->state),
	           ARG_LOCAL(ITEMS * sizeof(double)));
}

/* X_0 = B / alpha + noise R, where |R| is about 1: the largest singular value
 * of a matrix of independent elements of variance 1/3 is about sqrt(m / 3) +
 * sqrt(n / 3). */
static void start(const struct polar *p, double noise)
{
	const size_t count = p->m * p->n;

	seq_launch(p->s, "polar_start", GRID1(count, ITEMS), ARG_BUF(p->a),
	           ARG_LONG(count), ARG_DOUBLE(noise / sqrt((double)p->m)),
	           ARG_BUF(p->state), ARG_BUF(p->u));
}

/* Returns the singular value to which a step with this r maps the singular
 * value x of X. */
static double image(double r, double x)
{
	return fmin(1, r * x * (3 - r * r * x * x) / 2);
}

/* Makes steps until all singular values of X that were at least l are near 1.
 * Those that were at least *least are then at least the new *least. */
static void iterate(struct polar *p, double l, double *least)
{
	const struct limits *z = limits_of(p->t);

	while (1 - l > z->near && seq_goes_on(p->s)) {
		const double from = fmax(l, z->floor);
		const double r = sqrt(3 / (1 + from + from * from));

		multiply_turned(p, p->u, p->u, p->g);
		step(p, 1.5 * r, -0.5 * r * r * r);
		l = image(r, l);
		*least = image(r, *least);
	}
}

/* Sets *far to whether X is not orthogonal, or not finite, and returns the
 * magnitude of A's largest element. G becomes X^T X. */
static int32_t look(const struct polar *p, bool *far)
{
	const size_t count = p->n * p->n;
	const int32_t none = 0;
	int32_t state[POLAR_STATE] = { 0 };

	multiply_turned(p, p->u, p->u, p->g);
	seq_fill(p->s, p->state, POLAR_FAR * sizeof none, sizeof none, &none,
	         sizeof none);
	seq_launch(p->s, "polar_check", GRID1(count, ITEMS), ARG_BUF(p->g),
	           ARG_INT(p->n), ARG_LONG(count),
	           ARG_DOUBLE(limits_of(p->t)->orthogonal), ARG_BUF(p->state));
	seq_read(p->s, p->state, 0, state, sizeof state);
	*far = state[POLAR_FAR] != 0;
	return state[POLAR_LARGEST];
}

/* Computes X = U and G = X^T X, by as many of the three series of steps in
 * polar.h as A needs. Returns false if A has a NaN or an infinity, or if X is
 * not orthogonal after all of them. */
static bool find_u(struct polar *p)
{
	const struct limits *z = limits_of(p->t);
	const size_t bytes = dtype_bytes(p->t);
	double least = z->least, other = 1;
	bool far;
	int32_t largest;

	start(p, 0);
	iterate(p, z->usual, &least);
	largest = look(p, &far);
	p->exponent = POLAR_EXPONENT(largest, bytes);
	if (POLAR_BIASED(largest, bytes) == POLAR_NONFINITE(bytes))
		return false;
	if (far) {
		iterate(p, least, &other);
		look(p, &far);
	}
	if (far) {
		start(p, z->noise);
		iterate(p, z->noisy, &other);
		look(p, &far);
	}
	return !far && !seq_failed(p->s);
}

int polar_decompose(struct polar *p, const struct polar_source *a,
                    struct buf h, bool *done)
{
	const size_t n = p->n;

	load(p, a);
	*done = find_u(p);
	if (!*done)
		return seq_failed(p->s) ? -1 : 0;
	/* X = (3 X - X X^T X) / 2, H = X^T A */
	step(p, 1.5, -0.5);
	multiply_turned(p, p->u, p->a, p->g);
	seq_launch(p->s, "polar_symmetrize", GRID1(n * n, ITEMS),
	           ARG_BUF(p->g), ARG_INT(n), ARG_LONG(n * n), ARG_BUF(h));
	return seq_failed(p->s) ? -1 : 0;
}

int polar_spectrum(struct polar *p, const struct polar_source *a,
                   struct buf h, bool vectors, double *w, bool *done)
{
	const struct buf z = vectors ? h : (struct buf){ 0 };

	if (polar_decompose(p, a, h, done) < 0)
		return -1;
	if (!*done)
		return 0;
	if (symmetric_decompose(p->s, p->n, h, w, z) < 0)
		return -1;
	for (size_t i = 0; i < p->n; i++)
		w[i] = ldexp(w[i], -p->exponent);
	return 0;
}

struct buf polar_factor(const struct polar *p, struct buf rounded)
{
	const size_t count = p->m * p->n;

	if (p->t == FLOAT64)
		return p->u;
	seq_launch(p->s, "polar_round", GRID1(count, ITEMS), ARG_BUF(p->u),
	           ARG_LONG(count), ARG_BUF(rounded));
	return rounded;
}

void polar_order(const double *w, size_t n, int32_t *order)
{
	size_t low = 0, high = n;

	for (size_t i = 0; i < n; i++)
		order[i] = (int32_t)(fabs(w[low]) > fabs(w[high - 1]) ? low++ :
		                     --high);
}

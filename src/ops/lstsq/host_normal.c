/* host_normal.c - least squares by the normal equations in float64 on the host,
 * for an m x n matrix A:
 *
 *     m >= n:  x = G^-1 A^T b, G = A^T A      m < n:  x = A^T G^-1 b, G = A A^T
 *
 * with G = U^T U by Cholesky's factorization. It takes half the operations of a
 * QR factorization, nearly all in xSYRK, and is the faster the taller A is. For
 * float64 operands x is corrected STEPS times by the solution for r = b - A x
 * in place of b, which makes the error as small as that of a QR factorization
 * (normal.c).
 *
 * extremes.h proves the rank from U. Where a few singular values count as 0, it
 * tells their singular vectors, the columns of N, and P G^-1 P with the
 * projector P = I - N N^T is the pseudoinverse of the G without them.
 *
 * The rounding of G changes the squares of singular values by about 2^-53
 * |A|^2: by less than 2^-13 of those that count, whose smallest is at least |A|
 * / MOST_SINGLE. That and the rounding of the bounds are far less than MARGIN -
 * 1, the relative distance of all singular values from the threshold of the
 * rank. A matrix with others is not solved here. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "ops/lapack/stack.h"
#include "ops/lstsq/host.h"

enum {
	STEPS = 2,
	CHUNK = 512			/* rows of A, or columns if m < n, that
					 * become float64 at a time */
};

/* Operations of xSYRK at a time for float64 matrices, between which a cancelled
 * call is left. */
static const double PIECE = 4e9;

/* The largest ratio k of singular values that count. The error of x is about
 * 2^-53 k^2 before corrections, which for float32 operands is less than 2^-24
 * k. Each correction of a float64 x multiplies it by at most 2^-19. */
static const double MOST_SINGLE = 0x1p20, MOST_DOUBLE = 0x1p17;

static const double MARGIN = 1.1;

/* Magnitudes outside of 1 / RANGE to RANGE may lose digits of their products to
 * underflow or overflow. */
static const double RANGE = 1e130;

struct task {
	const struct lapack *l;
	const struct lstsq_plan *h;
	const struct lstsq_system *y;
	bool tall;			/* m >= n */
	size_t span, each;		/* rows (columns) of A, of a chunk */
	double *g;			/* k x k: G, and then U */
	double *r;			/* m x sides, row-major: b - A x */
	double *x;			/* n x sides, column-major */
	double *d;			/* k x sides, column-major */
	double *vectors;		/* for extremes.h */
	double *shares;			/* of null vectors in d */
	double *chunk;			/* of float32 operands in float64 */
};

/* The transpose of some rows of A (some columns if m < n), column-major. */
struct chunk {
	const double *at;
	size_t ld, first, count;
};

static size_t each_of(const struct lstsq_plan *h)
{
	const double square = (double)h->k * (double)h->k;
	const size_t most = h->dtype == FLOAT32 ? CHUNK :
	                    size_max(CHUNK, (size_t)(PIECE / square));

	return size_min(size_max(h->m, h->n), most);
}

size_t lstsq_normal_room(const struct lstsq_plan *h)
{
	const size_t chunk = h->dtype == FLOAT32 ? h->k * each_of(h) : 0;

	return h->k * h->k +
	       (h->m + h->n + h->k + EXTREMES_VECTORS) * h->columns +
	       EXTREMES_ROOM(h->k) + chunk;
}

static struct task task_of(const struct lapack *l, const struct lstsq_plan *h,
                           const struct lstsq_system *y, double *room)
{
	struct task t = {
		.l = l, .h = h, .y = y, .tall = h->m >= h->n,
		.span = size_max(h->m, h->n), .each = each_of(h), .g = room,
	};

	t.r = t.g + h->k * h->k;
	t.x = t.r + h->m * h->columns;
	t.d = t.x + h->n * h->columns;
	t.vectors = t.d + h->k * h->columns;
	t.shares = t.vectors + EXTREMES_ROOM(h->k);
	t.chunk = t.shares + EXTREMES_VECTORS * h->columns;
	return t;
}

/* Returns the chunk that begins at row (column) `first`. */
static struct chunk chunk_at(const struct task *t, size_t first)
{
	const size_t m = t->h->m, n = t->h->n;
	const size_t count = size_min(t->each, t->span - first);
	const size_t offset = t->tall ? first * n : first;
	const size_t rows = t->tall ? count : m, width = t->tall ? n : count;
	const float *from = (const float *)t->y->a + offset;

	if (t->h->dtype != FLOAT32)
		return (struct chunk){ (const double *)t->y->a + offset, n,
		                       first, count };
	for (size_t i = 0; i < rows; i++, from += n)
		for (size_t j = 0; j < width; j++)
			t->chunk[i * width + j] = from[j];
	return (struct chunk){ t->chunk, width, first, count };
}

/* C = alpha op(A) op(B) + beta C, with C of m rows and n columns, by xGEMV if
 * one of these is 1. */
static void product(const struct lapack *l, const char *of_a, const char *of_b,
                    size_t m, size_t n, size_t k, double alpha,
                    const double *a, size_t lda, const double *b, size_t ldb,
                    double beta, double *c, size_t ldc)
{
	const int rows = (int)m, cols = (int)n, inner = (int)k, one = 1;
	const int da = (int)lda, db = (int)ldb, dc = (int)ldc;
	const bool a_turned = *of_a == 'T', b_turned = *of_b == 'T';

	if (n == 1)
		l->d.gemv(of_a, a_turned ? &inner : &rows,
		          a_turned ? &rows : &inner, &alpha, a, &da, b,
		          b_turned ? &db : &one, &beta, c, &one);
	else if (m == 1)
		l->d.gemv(b_turned ? "N" : "T", b_turned ? &cols : &inner,
		          b_turned ? &inner : &cols, &alpha, b, &db, a,
		          a_turned ? &one : &da, &beta, c, &dc);
	else
		l->d.gemm(of_a, of_b, &rows, &cols, &inner, &alpha, a, &da, b,
		          &db, &beta, c, &dc);
}

/* --- the factorization */

static bool is_in_range(double most)
{
	return most < RANGE && most > 1 / RANGE;
}

/* Computes the upper triangle of G. */
static void multiply(const struct task *t)
{
	const int k = (int)t->h->k;
	const double one = 1;

	for (size_t i = 0; i < t->span; i += t->each) {
		const struct chunk c = chunk_at(t, i);
		const int count = (int)c.count, ld = (int)c.ld;
		const double beta = i > 0;

		lapack_poll();
		t->l->d.syrk("U", t->tall ? "N" : "T", &k, &count, &one, c.at,
		             &ld, &beta, t->g, &k);
	}
}

/* Returns the Frobenius norm of G's square root, an upper bound of |A|, and
 * sets *diagonal to the largest element of G, the largest squared length of
 * A's columns (rows). */
static double measure(const struct task *t, double *diagonal)
{
	const size_t k = t->h->k;
	double sum = 0, most = 0;

	for (size_t j = 0; j < k; j++)
		most = fmax(most, t->g[j * k + j]);
	for (size_t j = 0; j < k; j++)
		for (size_t i = 0; i <= j; i++) {
			const double x = t->g[j * k + i] / most;

			sum += (i < j ? 2 : 1) * x * x;
		}
	*diagonal = most;
	return sqrt(sqrt(sum) * most);
}

/* Factors G, and returns whether the rank of A is proved. */
static enum lstsq_outcome factor(const struct task *t,
                                 struct extremes_found *f)
{
	const struct lstsq_plan *h = t->h;
	const struct lstsq_triangle u = { t->l, 'U', h->k, h->k, t->g };
	struct extremes e = {
		.above = MARGIN * h->rcond, .below = h->rcond / MARGIN,
		.accurate = h->dtype == FLOAT32 ? MOST_SINGLE : MOST_DOUBLE,
		.turn = EXTREMES_TURN * dtype_epsilon(h->dtype),
	};
	double diagonal;

	multiply(t);
	e.largest = measure(t, &diagonal);
	if (!is_in_range(sqrt(diagonal)))
		return LSTSQ_INACCURATE;
	if (t->l->d.potrf(LAPACK_COLUMNS, 'U', (int)h->k, t->g,
	                  (int)h->k) != 0)
		return LSTSQ_INACCURATE;
	if (lstsq_triangle_rank(&u, h, e, t->vectors, f))
		return LSTSQ_SOLVED;
	return e.above * e.accurate > 1 ? LSTSQ_UNPROVED : LSTSQ_INACCURATE;
}

/* --- the solution */

/* r = b. Returns whether the columns of b are 0 or in range. */
static bool take_b(const struct task *t)
{
	const size_t sides = t->h->sides;
	const bool single = t->h->dtype == FLOAT32;
	const float *const narrow = t->y->b;
	const double *const wide = t->y->b;
	bool good = true;

	for (size_t e = 0; e < t->h->m * sides; e++)
		t->r[e] = single ? narrow[e] : wide[e];
	for (size_t c = 0; c < sides && !single; c++) {
		double most = 0;

		for (size_t i = 0; i < t->h->m; i++)
			most = fmax(most, fabs(t->r[i * sides + c]));
		good &= most == 0 || is_in_range(most);
	}
	return good;
}

/* r = b - A x */
static void subtract(const struct task *t)
{
	const size_t m = t->h->m, n = t->h->n, sides = t->h->sides;

	take_b(t);
	for (size_t i = 0; i < t->span; i += t->each) {
		const struct chunk c = chunk_at(t, i);

		if (t->tall)
			product(t->l, "T", "N", sides, c.count, n, -1, t->x, n,
			        c.at, c.ld, 1, t->r + c.first * sides, sides);
		else
			product(t->l, "T", "N", sides, m, c.count, -1,
			        t->x + c.first, n, c.at, c.ld, 1, t->r, sides);
	}
}

/* d = A^T r, or d = r if m < n */
static void gather(const struct task *t)
{
	const size_t m = t->h->m, n = t->h->n, sides = t->h->sides;

	for (size_t i = 0; t->tall && i < t->span; i += t->each) {
		const struct chunk c = chunk_at(t, i);

		product(t->l, "N", "T", n, sides, c.count, 1, c.at, c.ld,
		        t->r + c.first * sides, sides, i > 0, t->d, n);
	}
	for (size_t e = 0; !t->tall && e < m * sides; e++)
		t->d[e % sides * m + e / sides] = t->r[e];
}

/* x += d, or x += A^T d if m < n */
static void spread(const struct task *t)
{
	const size_t m = t->h->m, n = t->h->n, sides = t->h->sides;

	for (size_t e = 0; t->tall && e < n * sides; e++)
		t->x[e] += t->d[e];
	for (size_t i = 0; !t->tall && i < t->span; i += t->each) {
		const struct chunk c = chunk_at(t, i);

		product(t->l, "N", "N", c.count, sides, m, 1, c.at, c.ld, t->d,
		        m, 1, t->x + c.first, n);
	}
}

/* d = P G^-1 P d, where P removes the singular vectors that count as 0 */
static void divide(const struct task *t, const struct extremes_found *f)
{
	const size_t k = t->h->k, sides = t->h->sides;
	const struct lstsq_triangle u = { t->l, 'U', k, k, t->g };

	extremes_project(t->l, k, f, t->d, sides, t->shares);
	lstsq_triangle_apply(&u, true, t->d, sides);
	extremes_project(t->l, k, f, t->d, sides, t->shares);
}

/* Solves, and returns whether x is finite. */
static bool solve(const struct task *t, const struct extremes_found *f)
{
	const struct lstsq_plan *h = t->h;
	bool good = true;

	memset(t->x, 0, h->n * h->sides * sizeof *t->x);
	for (int i = 0; i <= (h->dtype == FLOAT32 ? 0 : STEPS); i++) {
		if (i > 0)
			subtract(t);
		gather(t);
		divide(t, f);
		spread(t);
	}
	for (size_t e = 0; e < h->n * h->sides; e++)
		good &= isfinite(t->x[e]) != 0;
	return good;
}

static void put_x(const struct task *t)
{
	const size_t n = t->h->n, sides = t->h->sides;
	const bool single = t->h->dtype == FLOAT32;
	float *const narrow = t->y->x;
	double *const wide = t->y->x;

	for (size_t e = 0; t->y->x && e < n * sides; e++) {
		const double x = t->x[e % sides * n + e / sides];

		if (single)
			narrow[e] = (float)x;
		else
			wide[e] = x;
	}
}

enum lstsq_outcome lstsq_by_normal(const struct lapack *l,
                                   const struct lstsq_plan *h,
                                   struct lstsq_system *y, double *room)
{
	const struct task t = task_of(l, h, y, room);
	struct extremes_found f;
	enum lstsq_outcome outcome;

	if (!take_b(&t))
		return LSTSQ_INACCURATE;
	outcome = factor(&t, &f);
	if (outcome == LSTSQ_SOLVED && h->sides > 0 && !solve(&t, &f))
		outcome = LSTSQ_INACCURATE;
	if (outcome != LSTSQ_SOLVED)
		return outcome;
	put_x(&t);
	y->rank = (int)f.rank;
	y->first = f.first;
	y->next = f.next;
	return LSTSQ_SOLVED;
}

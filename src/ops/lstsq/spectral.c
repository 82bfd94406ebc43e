/* spectral.c - one least squares problem by its singular values, from the polar
 * decomposition (ops/polar) on the device:
 *
 *     A = P H,  H = V D V^T,  x = V D^+ V^T P^T b.
 *
 * The magnitudes of D's elements are the singular values of A. D^+ is 0 where
 * one counts as 0, which makes x the shortest solution. */
#include <math.h>
#include <stdlib.h>

#include "ops/dense.h"
#include "ops/lstsq/normal.h"
#include "ops/polar/polar.h"
#include "ops/room.h"
#include "ops/solve/solve.h"

enum { ITEMS = 64 };

struct task {
	struct seq *s;			/* NULL if the scratch memory is only
					 * counted, in need */
	struct need *need;		/* NULL while a call runs */
	const struct args *a;
	size_t m, n, sides;
	struct polar p;
	struct buf v, weighed;		/* n x n: V, and V D^+ */
	struct buf u;			/* m x n: P in float32 */
	struct buf d;			/* n elements: D^+ */
	struct buf y, z;		/* n x sides */
	double *w;			/* D; later room for n numbers and for
					 * the n x sides solutions */
};

static struct task task_of(const struct args *a)
{
	const struct systems y = systems_of(NULL, a);

	return (struct task){ .a = a, .m = matrix_rows(&a->in[LSTSQ_A]),
	                      .n = y.n, .sides = y.sides };
}

bool lstsq_spectral_fits(const struct args *a, const struct sheet *d)
{
	const struct task t = task_of(a);

	return a->stack == 1 && t.m >= t.n && polar_pays(d, 1, t.n);
}

static struct buf room(const struct task *t, size_t numbers)
{
	const size_t bytes = numbers * dtype_bytes(t->a->dtype);

	return room_make(t->s, t->need, bytes);
}

static void make_room(struct task *t)
{
	t->v = room(t, t->n * t->n);
	t->weighed = room(t, t->n * t->n);
	t->d = room(t, t->n);
	t->y = room(t, t->n * t->sides);
	t->z = room(t, t->n * t->sides);
	if (t->a->dtype == FLOAT32)
		t->u = room(t, t->m * t->n);
}

void lstsq_spectral_need(struct need *n, const struct sheet *d,
                         const struct args *a)
{
	struct task t = task_of(a);

	t.need = n;
	make_room(&t);
	polar_spectrum_need(n, d, a->dtype, 1, t.m, t.n);
}

/* --- the rank */

bool lstsq_decide(const struct args *a, size_t n, struct lstsq_rank *r)
{
	const double rcond = dense_rcond(a, LSTSQ_RCOND);
	const double error = dtype_epsilon(a->dtype) *
	                     (double)matrix_rows(&a->in[LSTSQ_A]);

	r->first = r->s[0];
	for (r->rank = 0; r->rank < n; r->rank++)
		if (!(r->s[r->rank] > rcond * r->first))
			break;
	r->next = r->rank < n ? r->s[r->rank] : 0;
	return rcond >= error || r->s[n - 1] > error * r->first;
}

/* Sorts the singular values and finds the rank, as lstsq_decide() does. `order`
 * has room for n numbers. */
static bool rank(const struct task *t, int32_t *order, struct lstsq_rank *r)
{
	polar_order(t->w, t->n, order);
	for (size_t i = 0; i < t->n; i++)
		r->s[i] = fabs(t->w[order[i]]);
	return lstsq_decide(t->a, t->n, r);
}

/* Writes D^+ to the device. The magnitudes that count are at least `least`,
 * and `host` has room for n elements. */
static void invert(const struct task *t, double least, void *host)
{
	float *const single = host;
	double *const wide = host;

	for (size_t i = 0; i < t->n; i++) {
		const bool counts = fabs(t->w[i]) >= least;
		const double x = counts ? 1 / t->w[i] : 0;

		if (t->a->dtype == FLOAT32)
			single[i] = (float)x;
		else
			wide[i] = x;
	}
	seq_write(t->s, t->d, 0, host, t->n * dtype_bytes(t->a->dtype));
}

/* --- the solution */

/* to = X B or, if `transposed`, X^T B. X is `rows` x n, where rows is m or
 * n. */
static void times(const struct task *t, struct buf x, bool transposed,
                  size_t rows, struct buf b, struct buf to)
{
	const struct blas_gemm g = { .stack = 1, .m = t->n, .n = t->sides,
	                             .k = rows, .alpha = 1 };
	const struct blas_part left = { .b = x, .ld = t->n,
	                                .transposed = transposed };
	const struct blas_part right = { .b = b, .ld = t->sides };
	const struct blas_part product = { .b = to, .ld = t->sides };

	blas_gemm(t->s, &g, &left, &right, &product);
}

/* z = V D^+ V^T P^T b */
static void solve(const struct task *t)
{
	const struct buf u = polar_factor(&t->p, t->u);
	const size_t n = t->n;

	times(t, u, true, t->m, seq_input(t->s, &t->a->in[LSTSQ_B]), t->y);
	times(t, t->v, true, n, t->y, t->z);
	seq_launch(t->s, "pinv_weigh", GRID1(n * n, ITEMS), ARG_BUF(t->v),
	           ARG_INT(n), ARG_BUF(t->d), ARG_LONG(n * n),
	           ARG_BUF(t->weighed));
	times(t, t->weighed, false, n, t->z, t->y);
}

/* Reads the solutions in z into `host`, and stores them in x column-major. */
static void take(const struct task *t, void *host, double *x)
{
	const float *const single = host;
	const double *const wide = host;

	seq_read(t->s, t->y, 0, host,
	         t->n * t->sides * dtype_bytes(t->a->dtype));
	for (size_t i = 0; i < t->n; i++)
		for (size_t c = 0; c < t->sides; c++) {
			const size_t e = i * t->sides + c;

			x[c * t->n + i] = t->a->dtype == FLOAT32 ? single[e] :
			                                           wide[e];
		}
}

static bool run(struct task *t, bool wants_x, struct lstsq_rank *r)
{
	const struct polar_source from = {
		.b = seq_input(t->s, &t->a->in[LSTSQ_A]),
	};
	double *const more = t->w + t->n;
	bool done;

	make_room(t);
	t->p = polar_of(t->s, t->m, t->n);
	if (polar_spectrum(&t->p, &from, t->v, wants_x, t->w, &done) < 0 ||
	    !done)
		return false;
	if (!rank(t, (int32_t *)more, r))
		return false;
	if (!wants_x)
		return true;
	invert(t, r->rank > 0 ? r->s[r->rank - 1] : INFINITY, more);
	solve(t);
	take(t, more, r->x);
	return !seq_failed(t->s);
}

bool lstsq_spectral(struct seq *s, const struct args *a, bool solve,
                    struct lstsq_rank *r)
{
	struct task t = task_of(a);
	bool done = false;

	t.s = s;
	t.w = malloc((2 * t.n + t.n * t.sides) * sizeof *t.w);
	r->s = malloc(t.n * sizeof *r->s);
	r->x = solve ? malloc(t.n * t.sides * sizeof *r->x) : NULL;
	if (t.w && r->s && (r->x || !solve))
		done = run(&t, solve, r);
	else
		err_set(seq_err(s), ERR_MEMORY, "lstsq: no memory for %zu "
		        "singular values", t.n);
	free(t.w);
	return done;
}

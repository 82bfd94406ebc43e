/* krylov.c - Krylov-Schur on the device, its small problem on the host.
 *
 *     B V = V H + v b^T		V: p orthonormal vectors, a row each
 *
 * Here B is the balanced matrix (scaling.c); a pair's residual is nevertheless
 * measured with the matrix as given.
 *
 * A step multiplies the newest vector by B and orthogonalises the product
 * twice against all of V ("twice is enough", Kahan and Parlett 1976); the
 * coefficients are H's next column. Steps are queued in bursts; after each the
 * host reads their columns and lets ritz_judge() decide. A full space is
 * restarted from its leading invariant subspace (Stewart 2001). A random start
 * has a component along every eigenvector, so a complete space contains every
 * eigenvalue.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/eigen/eigen.h"
#include "ops/eigen/ritz.h"

enum {
	BURST = 8,			/* steps between two decisions */
	SPACE = 40, KEEP = 20,		/* vectors of a space that restarts */
	SPAN = 5,			/* restarts over which progress is
					 * judged */
};

struct work {
	struct ritz_space space;
	struct ritz ritz;
	struct ritz_rules rules;
	int room;			/* vectors that fit, less one */
	int side;			/* the basis in use */
	bool restarted;			/* then a burst fills the space */
	bool scaled;			/* D is not I */
	double before[SPAN];		/* errors of the last restarts */
	int restarts;
	double c[(KEEP + 1) * SCHUR_MAX];
	double column[SCHUR_MAX + 1];
};

static struct grid blocks_of(const struct eigen_problem *p)
{
	return GRID1(size_blocks(p->n, p->k->chunk) * p->k->local,
	             p->k->local);
}

static int room_of(size_t n)
{
	return n <= SCHUR_MAX ? (int)n : SPACE;
}

void eigen_krylov_need(struct need *need, size_t acc,
                       const struct eigen_kernels *k, size_t n)
{
	const size_t rows = (size_t)room_of(n) + 1;

	for (int i = 0; i < 2; i++)	/* bases */
		need_buffer(need, rows * n * acc);
	need_buffer(need, n * acc);
	need_buffer(need, rows * acc);
	need_buffer(need, rows * rows * acc);
	need_buffer(need, size_blocks(n, k->chunk) * acc);
	need_buffer(need, COUNT(((struct work *)0)->c) * acc);
}

static void make_buffers(struct eigen_problem *p, const struct work *w)
{
	const size_t rows = (size_t)w->room + 1;

	if (p->basis[0].id)
		return;
	for (int i = 0; i < 2; i++)
		p->basis[i] = eigen_scratch(p, rows * p->n);
	p->w = eigen_scratch(p, p->n);
	p->h = eigen_scratch(p, rows);
	p->column = eigen_scratch(p, rows * rows);
	p->norms = eigen_scratch(p, size_blocks(p->n, p->k->chunk));
	p->c = eigen_scratch(p, COUNT(w->c));
}

static void orthogonalise(struct eigen_problem *p, struct buf v, int count,
                          size_t at, int again)
{
	/* h = V w */
	seq_launch(p->s, p->k->project,
	           GRID1((size_t)count * p->k->local, p->k->local),
	           ARG_BUF(v), ARG_BUF(p->w), ARG_BUF(p->h), ARG_LONG(p->n));
	/* w -= V^T h */
	seq_launch(p->s, p->k->subtract, blocks_of(p), ARG_BUF(v),
	           ARG_BUF(p->w), ARG_BUF(p->h), ARG_BUF(p->column),
	           ARG_LONG(at), ARG_BUF(p->norms), ARG_LONG(p->n),
	           ARG_LONG(p->k->chunk), ARG_INT(count), ARG_INT(again));
}

/* Adds vector j + 1 to the basis. */
static void step(struct eigen_problem *p, const struct work *w, int j)
{
	const struct buf v = p->basis[w->side];
	const size_t at = (size_t)j * ((size_t)w->room + 1);

	/* w = B v_j */
	if (w->scaled)
		eigen_scaled_product(p, v, (size_t)j * p->n, p->w);
	else
		eigen_product(p, v, (size_t)j * p->n, p->w, 0);
	orthogonalise(p, v, j + 1, at, 0);
	orthogonalise(p, v, j + 1, at, 1);
	/* v_(j+1) = w / |w| */
	seq_launch(p->s, p->k->normalise, blocks_of(p), ARG_BUF(v),
	           ARG_BUF(p->w), ARG_BUF(p->column), ARG_LONG(at),
	           ARG_BUF(p->norms), ARG_LONG(p->n), ARG_LONG(p->k->chunk),
	           ARG_INT(size_blocks(p->n, p->k->chunk)), ARG_INT(j + 1));
}

/* Reads column j into H and b. */
static void read_column(struct eigen_problem *p, struct work *w, int j)
{
	struct ritz_space *s = &w->space;

	eigen_read(p, p->column, (size_t)j * ((size_t)w->room + 1), w->column,
	           (size_t)j + 2);
	for (int i = 0; i < j; i++)
		s->h[j + 1][i] = 0;
	for (int i = 0; i <= j + 1; i++)
		s->h[i][j] = w->column[i];
	s->p = j + 1;
	if ((size_t)s->p == p->n)
		s->h[s->p][j] = 0;
	s->complete = s->h[s->p][j] == 0;
}

/* Runs a burst of steps; returns how many extended the space. */
static int extend(struct eigen_problem *p, struct work *w, int64_t left)
{
	const int begin = w->space.p;
	int end = w->restarted ? w->room : begin + BURST;

	if (end > w->room)
		end = w->room;
	if (end - begin > left)
		end = begin + (int)left;
	for (int j = begin; j < end; j++)
		step(p, w, j);
	for (int j = begin; j < end && !w->space.complete; j++)
		read_column(p, w, j);
	return w->space.p - begin;
}

/* rows = C V, where C has k rows and dim columns. */
static void rotate(struct eigen_problem *p, struct work *w, const double *c,
                   int k, int dim, struct buf rows)
{
	eigen_write(p, p->c, 0, c, (size_t)k * (size_t)dim);
	seq_launch(p->s, p->k->rotate, blocks_of(p),
	           ARG_BUF(p->basis[w->side]), ARG_BUF(p->c), ARG_BUF(rows),
	           ARG_LONG(p->n), ARG_LONG(p->k->chunk),
	           ARG_INT(dim), ARG_INT(k));
}

static void restart(struct eigen_problem *p, struct work *w)
{
	const size_t row = p->n * acc_bytes(p);
	const int dim = w->space.p, other = !w->side;
	const int k = ritz_restart(&w->space, KEEP, w->c);

	rotate(p, w, w->c, k, dim, p->basis[other]);
	/* v remains the vector behind the last of V. */
	seq_copy(p->s, p->basis[w->side], (size_t)dim * row,
	         p->basis[other], (size_t)k * row, row);
	w->side = other;
	w->restarted = true;
}

/* Forms the vector, complex or not, and measures the pair's true residual
 * unless the limit of products has been reached. */
static int form_pair(struct eigen_problem *p, struct work *w,
                     struct eigen_pair *r)
{
	const struct ritz *z = &w->ritz;
	const int dim = w->space.p, parts = z->imaginary == 0 ? 1 : 2;
	double y[2 * SCHUR_MAX];

	r->value = z->value / p->unit;
	r->imaginary = z->imaginary / p->unit;
	r->error = z->error;
	r->tie = z->tie;
	r->condition = fmax(z->condition, 1);
	memcpy(y, z->y, (size_t)dim * sizeof *y);
	memcpy(y + dim, z->z, (size_t)dim * sizeof *y);
	rotate(p, w, y, parts, dim, p->pair);
	for (int i = 0; i < parts && w->scaled; i++)
		eigen_scale_vector(p, p->pair, (size_t)i * p->n);
	eigen_read(p, p->pair, 0, r->vector, (size_t)parts * p->n);
	if (r->iterations >= p->limit)
		return seq_failed(p->s) ? -1 : 0;
	if (eigen_measure(p, r, 0) < 0)
		return -1;
	eigen_begin(p, 0, 0, 0);
	r->converged = r->converged && z->verdict != RITZ_OPEN;
	return 0;
}

/* At the rate of the last SPAN restarts, would the error reach tol only after
 * more products than are left? Or was it below tol all that time, so that only
 * other values keep the verdict open? */
static bool is_stalled(const struct eigen_problem *p, struct work *w,
                       const struct eigen_pair *r)
{
	const double error = w->ritz.error;
	double *before = &w->before[w->restarts++ % SPAN];
	const double was = *before, rate = log(error / was) / SPAN;
	const double left = (double)(p->limit - r->iterations);

	*before = error;
	if (w->restarts <= SPAN || was <= p->tol)
		return w->restarts > SPAN && error <= p->tol;
	return !(rate < 0) ||
	       log(p->tol / error) / rate * (SPACE - KEEP) > left;
}

/* Shall a full decomposition take over? The error of a symmetric matrix falls
 * steadily, so a slow rate decides early. Errors of other matrices rise and
 * fall, so these may use all but the last SPACE products. */
static bool gives_up(const struct eigen_problem *p, struct work *w,
                     const struct eigen_pair *r)
{
	const bool last = p->limit - r->iterations <= SPACE;
	const bool stalled = is_stalled(p, w, r);

	return (last || (stalled && eigen_is_symmetric(p))) &&
	       eigen_full_can(p);
}

static int solve(struct eigen_problem *p, struct work *w,
                 struct eigen_pair *r)
{
	while (!r->converged && !w->rules.last) {
		r->iterations += extend(p, w, p->limit - r->iterations);
		if (seq_failed(p->s))
			return -1;
		w->rules.last = w->space.complete || r->iterations >= p->limit;
		if (ritz_judge(&w->space, &w->rules, &w->ritz) < 0)
			return err_set(seq_err(p->s), ERR_CONVERGENCE, "eigen: "
			               "the QR iteration of a Krylov space of "
			               "%d vectors did not end", w->space.p);
		if ((w->ritz.verdict != RITZ_OPEN || w->rules.last) &&
		    form_pair(p, w, r) < 0)
			return -1;
		if (r->converged || w->space.p < w->room || w->rules.last)
			continue;
		if (gives_up(p, w, r))
			break;
		restart(p, w);
	}
	return seq_failed(p->s) ? -1 : 0;
}

static void start(struct eigen_problem *p, double *x)
{
	double sum = 0;

	eigen_random(x, p->n);
	for (size_t i = 0; i < p->n; i++)
		sum += x[i] * x[i];
	for (size_t i = 0; i < p->n; i++)
		x[i] /= sqrt(sum);
	eigen_begin(p, 0, 0, 0);
	eigen_write(p, p->basis[0], 0, x, p->n);
}

int eigen_krylov(struct eigen_problem *p, struct eigen_pair *r)
{
	struct work *w = calloc(1, sizeof *w);
	int rc;

	if (!w)
		return err_set(seq_err(p->s), ERR_MEMORY,
		               "eigen: no memory for a Krylov space");
	w->room = room_of(p->n);
	w->rules = (struct ritz_rules){ .tol = 0.9 * p->tol,
		.epsilon = p->epsilon, .perron = p->non_negative };
	make_buffers(p, w);
	rc = eigen_scaling_find(p, &w->scaled);
	if (rc == 0) {
		start(p, r->vector);
		rc = solve(p, w, r);
	}
	free(w);
	return rc;
}

/* plan.c - how the wanted pairs of a large sparse matrix are searched; see
 * large.h.
 *
 * Those at the ends of the spectrum come from products with A, those near a
 * number sigma from solutions with A - sigma I (shift-and-invert) where its
 * factorization is within bounds (shifted.c). Otherwise they are searched with
 * products with A, too, which converge only if sigma lies outside the spectrum.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "ops/eigen/large.h"

enum { PATIENCE = 400 };		/* products with A for each pair before
					 * a factorization is tried */

/* Sigma is moved by NUDGE |A| if A - sigma I is singular, or so close to it
 * that |(A - sigma I)^-1| exceeds MOST_INVERSE / |A|: then the rounding errors
 * of the eigenvalues next to sigma would hide all others. */
#define NUDGE 1e-9
#define MOST_INVERSE 1e10

static bool solve(void *with, const double *x, double *y)
{
	const struct large *g = with;

	return shifted_solve(&g->shifted, x, y) == 0;
}

bool large_can_be_dense(const struct large *g)
{
	return g->a->n <= (g->symmetric ? EIGEN_FULL_SYMMETRIC :
	                                  EIGEN_FULL_GENERAL);
}

/* Returns the number of products after which a search gives up: max_iterations
 * for each of k + 1 pairs, but at most 2 n if A can be made dense, because
 * more products take longer than a dense decomposition (estimated from the
 * numbers of operations). */
static int64_t limit_of(const struct large *g)
{
	const double asked = g->args->param[EIGEN_P_MAX_ITERATIONS] *
	                     ((double)g->choice.k + 1);
	const double most = large_can_be_dense(g) ?
	    fmin(asked, 2 * (double)g->a->n) : asked;

	return most < 1e15 ? (int64_t)most : (int64_t)1e15;
}

double large_rounding(const struct large *g)
{
	return (8 + sqrt((double)g->a->n)) * DBL_EPSILON;
}

static int search(struct large *g, bool inverse, int64_t limit)
{
	g->products += g->search.space.products;
	search_fini(&g->search);
	g->search = (struct search){
		.space = {
			.l = g->l, .n = g->a->n, .symmetric = g->symmetric,
			.apply = inverse ? solve : large_times, .with = g,
		},
		.s = g->s, .choice = &g->choice, .inverse = inverse,
		.norm = g->norm, .limit = limit,
		.tol = fmax(eigen_tol(g->args) / 4, large_rounding(g)),
	};
	return search_run(&g->search);
}

/* Returns |C C x| / |C x| for a fixed vector x and C = (A - sigma I)^-1, which
 * is an estimate of |C| from below. The argument x is room for n elements. */
static double inverse_norm(struct large *g, double *x)
{
	double before = 0, after = 0;

	eigen_random(x, g->a->n);
	shifted_solve(&g->shifted, x, x);
	for (size_t i = 0; i < g->a->n; i++)
		before += x[i] * x[i];
	for (size_t i = 0; i < g->a->n; i++)
		x[i] /= sqrt(before);
	shifted_solve(&g->shifted, x, x);
	for (size_t i = 0; i < g->a->n; i++)
		after += x[i] * x[i];
	return sqrt(after);
}

int large_set_threads(struct large *g, size_t rows)
{
	g->l = lapack_load(g->s, rows, seq_err(g->s));
	return g->l ? 0 : -1;
}

/* Factors A - sigma I. If that matrix is too close to a singular one, tries
 * again with another sigma, with at most TRIES factorizations. Sets *done if
 * one of them is usable. Returns -1 if there is no memory, or if the call was
 * cancelled. */
static int factor(struct large *g, double sigma, bool *done)
{
	enum { TRIES = 4 };
	double *x = malloc(g->a->n * sizeof *x);
	int rc = x ? 0 : -1;

	*done = false;
	for (int i = 0; rc == 0 && !*done && i < TRIES &&
	     seq_goes_on(g->s); i++) {
		bool singular;

		rc = shifted_factor(&g->shifted,
		                    sigma + i * NUDGE * g->norm, &singular);
		*done = rc == 0 && !singular &&
		        inverse_norm(g, x) <= MOST_INVERSE / g->norm;
	}
	free(x);
	return rc;
}

/* Searches near sigma with solutions. *done: has a search been made? None is if
 * the factorization is not within bounds or not usable. */
static int search_near(struct large *g, double sigma, bool *done)
{
	*done = false;
	if (shifted_init(&g->shifted, g->s, g->l, g->a,
	                 g->symmetric ? g->a : &g->mean, done) < 0 ||
	    (*done && (large_set_threads(g, g->a->n) < 0 ||
	               factor(g, sigma, done) < 0)))
		return err_set(seq_err(g->s), ERR_MEMORY, "eigen: no memory "
		               "to factor a matrix of %zu rows", g->a->n);
	return large_set_threads(g, 1) < 0 ? -1 :
	       *done ? search(g, true, limit_of(g)) : 0;
}

/* Returns a number above (sign 1) or below (sign -1) all eigenvalues of a
 * symmetric matrix: Gershgorin's bound (1931) and 1e-6 |A| more. */
static double end_of(const struct large *g, int sign)
{
	double most = -INFINITY;

	for (size_t i = 0; i < g->a->n; i++) {
		double sum = 0;

		for (int64_t k = g->a->start[i]; k < g->a->start[i + 1]; k++)
			sum += g->a->column[k] == (int32_t)i ?
			       sign * g->a->value[k] : fabs(g->a->value[k]);
		most = fmax(most, sum);
	}
	return sign * (most + 1e-6 * g->norm);
}

static double target_of(const struct large *g)
{
	switch (g->choice.which) {
	case EIGEN_SMALLEST_REAL:
		return end_of(g, -1);
	case EIGEN_LARGEST_REAL:
		return end_of(g, 1);
	default:
		return g->choice.sigma;
	}
}

/* Searches at an end of the spectrum, with products with A. If few of them do
 * not find all pairs and A is symmetric, solutions near that end follow. */
static int search_end(struct large *g)
{
	const bool may = g->symmetric && g->choice.which != EIGEN_LARGEST &&
	                 g->norm > 0;
	const int64_t all = limit_of(g);
	const int64_t few = PATIENCE * ((int64_t)g->choice.k + 1);
	bool done = false;

	if (search(g, false, may && few < all ? few : all) < 0)
		return -1;
	if (g->search.confirmed || !may)
		return 0;
	if (search_near(g, target_of(g), &done) < 0)
		return -1;
	return done || few >= all ? 0 : search(g, false, all);
}

int large_search(struct large *g)
{
	const enum eigen_which which = g->choice.which;
	const bool near = which == EIGEN_SMALLEST || which == EIGEN_NEAREST;
	bool done = false;

	if (!near)
		return search_end(g);
	if (g->norm > 0 && fabs(g->choice.sigma) <= 2 * g->norm &&
	    search_near(g, g->choice.sigma, &done) < 0)
		return -1;
	return done ? 0 : search(g, false, limit_of(g));
}

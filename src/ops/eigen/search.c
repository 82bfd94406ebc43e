/* search.c - see search.h. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/eigen/search.h"

/* A Ritz value of a symmetric matrix that is not yet exact to tol is taken to
 * be no better than the k-th best known one if its residual is at most SHARP
 * |A|, and at most SEPARATE times the difference between their keys. */
#define SEPARATE 0.1
#define SHARP 1e-3

/* The residual with C = (A - sigma I)^-1, relative to the Ritz value, that a
 * pair must have whatever its residual with A. */
#define INVERSE_TOL 1e-6

/* A space has up to 2 k + MORE vectors, with MORE_INVERSE for shift-and-invert
 * and MORE_GENERAL for general matrices. Measured: with larger spaces, a search
 * needs hardly fewer products if the matrix is symmetric; if it is not, the
 * additional work for each product costs more than is saved. MORE_GENERAL is
 * reduced, but not below MORE, where that many vectors exceed MOST_BYTES. */
enum {
	MORE_INVERSE = 20, MORE = 40, MORE_GENERAL = 150,
	FIRST_LOOK = 10			/* the first look is at k + FIRST_LOOK
					 * vectors with shift-and-invert, else
					 * at twice as many */
};
#define MOST_BYTES ((size_t)1 << 30)

static int room_of(const struct search *f)
{
	const size_t k = f->choice->k;
	const size_t fit = MOST_BYTES / (f->space.n * sizeof(double));
	const size_t more = f->inverse ? MORE_INVERSE :
	    f->space.symmetric ? MORE :
	    size_max(MORE, size_min(MORE_GENERAL, fit));

	return (int)(2 * k + size_min(more, f->space.n / 4));
}

/* Every run locks up to k + 1 vectors, which are better than the k-th best
 * known one. The search gives up when there is no room for another run's
 * vectors. */
static int most_locked(const struct search *f)
{
	return 3 * (int)f->choice->k + 16;
}

static int init(struct search *f)
{
	struct space *s = &f->space;
	const size_t all = (size_t)(room_of(f) + most_locked(f));

	s->room = room_of(f);
	s->most_locked = most_locked(f);
	f->keys = malloc(all * sizeof *f->keys);
	f->sorted = malloc(all * sizeof *f->sorted);
	if (f->keys && f->sorted && space_init(s) == 0 &&
	    small_init(&f->small, s->l, s->room, s->symmetric) == 0)
		return 0;
	return err_set(seq_err(f->s), ERR_MEMORY, "eigen: no memory for %zu "
	               "vectors of %zu elements", all, s->n);
}

void search_fini(struct search *f)
{
	space_fini(&f->space);
	small_fini(&f->small);
	free(f->keys);
	free(f->sorted);
}

/* --- what a projected problem shows */

static double modulus(const struct small *m, int i)
{
	return hypot(m->re[i], m->im[i]);
}

/* Returns the key of Ritz value i: its distance from sigma with an inverse,
 * else eigen_key(). The wanted values have the least keys. */
static double key_of(const struct search *f, int i)
{
	const struct small *m = &f->small;

	return f->inverse ? 1 / modulus(m, i) :
	       eigen_key(f->choice, m->re[i], m->im[i]);
}

/* Returns |A x - lambda x|, where x is Ritz vector i or, with an inverse, C
 * times that vector, scaled to |x| = 1. */
static double residual_of(const struct search *f, int i)
{
	const double r = f->small.residual[i], size = modulus(&f->small, i);

	return f->inverse ? r / size / size : r;
}

static bool is_exact(const struct search *f, int i)
{
	return residual_of(f, i) <= f->tol * f->norm &&
	       (!f->inverse || f->small.residual[i] <=
	                       INVERSE_TOL * modulus(&f->small, i));
}

/* Returns how many Ritz values are exact before the first that is not, in the
 * order of their keys. */
static int count_exact(const struct search *f)
{
	const struct small *m = &f->small;
	int count = 0;

	while (count < m->p && is_exact(f, m->order[count]))
		count += small_is_pair(m, count) ? 2 : 1;
	return count;
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Returns the k-th smallest key of the locked vectors and the first `count`
 * Ritz values together, or infinity if these are fewer than k. */
static double kth(const struct search *f, int count)
{
	const int locked = f->space.locked, all = locked + count;
	const struct small *m = &f->small;

	memcpy(f->sorted, f->keys, (size_t)locked * sizeof *f->keys);
	for (int i = 0; i < count; i++)
		f->sorted[locked + i] = m->key[m->order[i]];
	qsort(f->sorted, (size_t)all, sizeof *f->sorted, ascending);
	return (size_t)all < f->choice->k ? INFINITY :
	       f->sorted[f->choice->k - 1];
}

/* Has the run found a Ritz value that is no better than the k-th best of the
 * locked and the exact ones, so that it can find nothing better? */
static bool is_settled(const struct search *f, int exact)
{
	const struct small *m = &f->small;
	const double worst = kth(f, exact), slack = f->tol * f->norm;
	double residual;

	for (int i = 0; i < exact; i++)
		if (m->key[m->order[i]] >= worst - slack)
			return true;
	if (!f->space.symmetric || exact >= m->p || !isfinite(worst))
		return false;
	residual = residual_of(f, m->order[exact]);
	return residual <= SHARP * f->norm &&
	       residual <= SEPARATE * (m->key[m->order[exact]] - worst);
}

/* Are there Ritz values on both sides of sigma, in a search near sigma without
 * an inverse? Then sigma is not outside the spectrum, because Ritz values lie
 * between the extreme eigenvalues of a symmetric matrix, and within the field
 * of values of a general one. */
static bool is_interior(const struct search *f)
{
	const bool nearest = f->choice->which == EIGEN_NEAREST ||
	                     f->choice->which == EIGEN_SMALLEST;
	const double sigma = f->choice->which == EIGEN_NEAREST ?
	                     f->choice->sigma : 0;
	const double slack = f->tol * f->norm;
	bool below = false, above = false;

	for (int i = 0; i < f->small.p; i++) {
		below |= f->small.re[i] < sigma - slack;
		above |= f->small.re[i] > sigma + slack;
	}
	return nearest && !f->inverse && below && above;
}

/* --- runs */

/* Locks the vectors of those of the first `exact` Ritz values that are better
 * than the k-th best locked one, and not worse than the k-th best of both.
 * *more: were there any? Where C is so far from normal that one depends on
 * those locked before, the search would find it again and again: it is broken.
 * False: the call was cancelled. */
static bool lock(struct search *f, int exact, bool *more)
{
	struct small *m = &f->small;
	const double old = kth(f, 0) - f->tol * f->norm, worst = kth(f, exact);
	const int locked = f->space.locked;
	double *keys = f->keys + locked;
	int count = 0;

	while (count < exact && (size_t)count < f->choice->k &&
	       m->key[m->order[count]] < old &&
	       m->key[m->order[count]] <= worst) {
		const int members = small_is_pair(m, count) ? 2 : 1;

		for (int i = 0; i < members; i++)
			keys[count + i] = m->key[m->order[count]];
		count += members;
	}
	*more = count > 0;
	f->broken = count > 0 && !small_select(m, count);
	if (count == 0 || f->broken)
		return true;
	if (!space_lock(&f->space, m->q, count, f->inverse))
		return false;
	f->broken = f->space.locked != locked + count;
	return true;
}

static void report(const struct search *f, int exact)
{
	const double found = (double)(f->space.locked + exact) /
	                     (double)(f->choice->k + 1);
	const double spent = (double)f->space.products / (double)f->limit;

	seq_progress(f->s, fmin(0.99, fmax(found, spent)));
}

/* Returns how many Ritz values a restart keeps: the exact ones, at least k, and
 * half of the others, but always both of a conjugate pair. */
static int kept(const struct search *f, int exact)
{
	const struct small *m = &f->small;
	const int wanted = (int)size_max((size_t)exact, f->choice->k);
	int most = (wanted < m->p ? wanted : m->p) + (m->p - wanted) / 2;
	int count = 0;

	if (most > m->p - 3)
		most = m->p - 3;
	while (count < most)
		count += small_is_pair(m, count) ? 2 : 1;
	return count;
}

static void restart(struct search *f, int exact)
{
	struct small *m = &f->small;
	const int keep = kept(f, exact);

	f->broken = !small_select(m, keep);
	if (!f->broken)
		space_restart(&f->space, m->q, m->t, m->p, keep);
}

/* Extends the space to `dim` vectors, solves its projected problem, and counts
 * the exact Ritz values. False: the call was cancelled. */
static bool fill(struct search *f, int dim, int *exact)
{
	struct space *s = &f->space;
	struct small *m = &f->small;

	while (s->dim < dim)
		if (!seq_goes_on(f->s) || !space_extend(s))
			return false;
	f->broken = !small_solve(m, s->h, s->room + 1, s->dim, space_beta(s));
	if (f->broken)
		return true;
	for (int i = 0; i < m->p; i++)
		m->key[i] = key_of(f, i);
	small_sort(m);
	*exact = count_exact(f);
	f->error = *exact < m->p ?
	           residual_of(f, m->order[*exact]) / f->norm : 0;
	f->interior = is_interior(f);
	report(f, *exact);
	return true;
}

/* Returns how many vectors the space has when its projected problem is solved
 * next, which happens several times before the space is full. */
static int next_look(const struct search *f, int dim)
{
	const int k = (int)f->choice->k, room = f->space.room;
	const int next = dim > 0 ? dim + dim / 4 :
	                 f->inverse ? k + FIRST_LOOK : 2 * k + 2 * FIRST_LOOK;

	return next < room ? next : room;
}

/* Makes a run. *more: has it found pairs that are better than the known ones?
 * If the run does not settle, its inexact Ritz vectors are locked, too, for a
 * partial answer. False: the call was cancelled. */
static bool run_once(struct search *f, bool *more)
{
	bool settled = false;
	int exact = 0, look = next_look(f, 0);

	space_begin(&f->space);
	while (!settled) {
		if (!fill(f, look, &exact))
			return false;
		if (f->broken || f->interior)
			break;
		settled = is_settled(f, exact);
		if (!settled && f->space.products >= f->limit)
			break;
		if (!settled && look == f->space.room)
			restart(f, exact);
		if (f->broken)
			break;
		look = next_look(f, look);
	}
	f->confirmed = settled;
	return f->broken || lock(f, settled ? exact : f->small.p, more);
}

/* Is there room for the vectors of another run? */
static bool has_room(const struct search *f)
{
	return f->space.locked + (int)f->choice->k + 1 <=
	       f->space.most_locked;
}

int search_run(struct search *f)
{
	bool more = true;

	if (init(f) < 0)
		return -1;
	while (more && !f->broken) {
		f->confirmed = has_room(f);
		more = false;
		if (f->confirmed && !run_once(f, &more))
			return -1;
		more &= f->confirmed;
	}
	f->confirmed &= !f->broken;
	return seq_goes_on(f->s) ? 0 : -1;
}

/* choose.c - chooses the eigenvalues to answer, and sorts them; see many.h. A
 * conjugate pair is one unit, which is sorted and taken as a whole. */
#include <math.h>
#include <stdlib.h>

#include "ops/eigen/many.h"

/* One eigenvalue, or a conjugate pair. */
struct unit {
	double key, second;		/* compare() orders by these, then by
					 * `at` */
	size_t at;			/* index of the first member */
	size_t members;			/* 1 or 2 */
};

static int compare(const void *a, const void *b)
{
	const struct unit *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->second != y->second)
		return x->second < y->second ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

double eigen_key(const struct eigen_choice *c, double re, double im)
{
	switch (c->which) {
	case EIGEN_LARGEST:
		return -hypot(re, im);
	case EIGEN_SMALLEST:
		return hypot(re, im);
	case EIGEN_LARGEST_REAL:
		return -re;
	case EIGEN_SMALLEST_REAL:
		return re;
	case EIGEN_NEAREST:
		return hypot(re - c->sigma, im);
	default:
		return 0;
	}
}

struct eigen_choice eigen_choice_of(const struct args *a)
{
	return (struct eigen_choice){
		.which = eigen_which(a), .k = eigen_asked(a),
		.sigma = args_real(a, EIGEN_P_SIGMA, 0),
		.low = args_real(a, EIGEN_P_LOW, -INFINITY),
		.high = args_real(a, EIGEN_P_HIGH, INFINITY),
		.found = a->param[EIGEN_P_ORDER] == EIGEN_FOUND,
	};
}

static size_t find_units(const double *im, size_t n, struct unit *u)
{
	size_t count = 0;

	for (size_t i = 0; i < n; count++) {
		u[count].at = i;
		u[count].members = im && im[i] != 0 && i + 1 < n ? 2 : 1;
		i += u[count].members;
	}
	return count;
}

/* Keeps the units whose real parts are in (low, high], and returns their
 * number. */
static size_t keep(struct unit *u, size_t units, const struct eigen_choice *c,
                   const double *re)
{
	size_t kept = 0;

	for (size_t i = 0; i < units; i++)
		if (c->low < re[u[i].at] && re[u[i].at] <= c->high)
			u[kept++] = u[i];
	return kept;
}

static void sort(struct unit *u, size_t units)
{
	qsort(u, units, sizeof *u, compare);
}

/* Takes units until they have at least k eigenvalues. Returns the number of
 * eigenvalues, and sets *taken to that of units. */
static size_t take(const struct unit *u, size_t units, size_t k,
                   size_t *taken)
{
	size_t count = 0;

	for (*taken = 0; *taken < units && count < k; ++*taken)
		count += u[*taken].members;
	return count;
}

int eigen_choose(const struct eigen_choice *c, const double *re,
                 const double *im, size_t n, size_t *order)
{
	struct unit *u = malloc(n * sizeof *u);
	size_t units, taken, count, to = 0;

	if (!u)
		return -1;
	units = find_units(im, n, u);
	if (c->which == EIGEN_INTERVAL)
		units = keep(u, units, c, re);
	for (size_t i = 0; i < units; i++) {
		u[i].key = eigen_key_or_last(eigen_key(c, re[u[i].at],
		    im ? im[u[i].at] : 0));
		u[i].second = eigen_key_or_last(-re[u[i].at]);
	}
	sort(u, units);
	count = take(u, units, c->k, &taken);
	for (size_t i = 0; i < taken; i++) {
		const double x = re[u[i].at], y = im ? im[u[i].at] : 0;

		u[i].key = eigen_key_or_last(im ? -hypot(x, y) : x);
		if (im && c->found)
			u[i].key = (double)u[i].at;
	}
	sort(u, taken);
	for (size_t i = 0; i < taken; i++)
		for (size_t m = 0; m < u[i].members; m++)
			order[to++] = u[i].at + m;
	free(u);
	return (int)count;
}

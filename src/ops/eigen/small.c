/* small.c - see small.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/eigen/small.h"

enum { BLOCK = 64 };			/* of LAPACK's workspaces */

static size_t work_length(const struct small *m)
{
	const size_t n = (size_t)m->most;

	return 1 + (BLOCK + 6) * n + 2 * n * n;
}

int small_init(struct small *m, const struct lapack *l, int most,
               bool symmetric)
{
	const size_t n = (size_t)most;

	*m = (struct small){
		.l = l, .most = most, .symmetric = symmetric,
		.t = malloc(n * n * sizeof *m->t),
		.q = malloc(n * n * sizeof *m->q),
		.vectors = malloc(n * n * sizeof *m->vectors),
		.re = calloc(4 * n, sizeof *m->re),
		.order = calloc(n, sizeof *m->order),
		.integers = malloc((3 + 5 * n) * sizeof *m->integers),
	};
	m->work = malloc(work_length(m) * sizeof *m->work);
	if (!m->t || !m->q || !m->vectors || !m->re || !m->order ||
	    !m->integers || !m->work)
		return -1;
	m->im = m->re + n;
	m->residual = m->im + n;
	m->key = m->residual + n;
	return 0;
}

void small_fini(struct small *m)
{
	free(m->t);
	free(m->q);
	free(m->vectors);
	free(m->re);
	free(m->order);
	free(m->integers);
	free(m->work);
}

static void copy(const double *from, int ld, double *to, int p)
{
	for (int j = 0; j < p; j++)
		memcpy(to + j * p, from + (size_t)j * (size_t)ld,
		       (size_t)p * sizeof *to);
}

/* --- symmetric */

static bool solve_symmetric(struct small *m, double beta)
{
	const int p = m->p;

	for (int j = 0; j < p; j++)
		for (int i = 0; i < j; i++)
			m->t[j * p + i] = m->t[i * p + j] =
			    (m->t[j * p + i] + m->t[i * p + j]) / 2;
	memcpy(m->q, m->t, (size_t)(p * p) * sizeof *m->q);
	if (m->l->d.syevd(LAPACK_COLUMNS, 'V', 'L', p, m->q, p, m->re,
	                  m->work, (int)work_length(m), m->integers,
	                  3 + 5 * m->most) != 0)
		return false;
	for (int i = 0; i < p; i++) {
		m->im[i] = 0;
		m->residual[i] = fabs(beta * m->q[i * p + p - 1]);
	}
	return true;
}

static void select_symmetric(struct small *m, int count)
{
	const int p = m->p;

	memcpy(m->vectors, m->q, (size_t)(p * p) * sizeof *m->q);
	memset(m->t, 0, (size_t)(p * p) * sizeof *m->t);
	for (int i = 0; i < count; i++) {
		memcpy(m->q + i * p, m->vectors + m->order[i] * p,
		       (size_t)p * sizeof *m->q);
		m->t[i * p + i] = m->re[m->order[i]];
	}
}

/* --- general */

static double norm_of(const double *x, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += x[i] * x[i];
	return sqrt(sum);
}

/* Computes the residuals |A V y - value V y| = |b^T y| of the eigenvectors y of
 * H, scaled to |y| = 1. The vectors of a conjugate pair are stored as their
 * real and imaginary parts. */
static void find_residuals(struct small *m, double beta)
{
	const int p = m->p;

	for (int i = 0; i < p; i++) {
		const double *x = m->vectors + i * p;
		const bool pair = m->im[i] != 0 && i + 1 < p;
		const double *y = x + (pair ? p : 0);
		const double size = pair ? hypot(norm_of(x, p), norm_of(y, p)) :
		                           norm_of(x, p);
		const double last = pair ? hypot(x[p - 1], y[p - 1]) :
		                           fabs(x[p - 1]);

		m->residual[i] = fabs(beta) * last / size;
		if (pair) {
			m->residual[i + 1] = m->residual[i];
			i++;
		}
	}
}

static bool solve_general(struct small *m, double beta)
{
	const int p = m->p;
	int columns;

	if (m->l->d.gees(LAPACK_COLUMNS, 'V', 'N', NULL, p, m->t, p, &columns,
	                 m->re, m->im, m->q, p, m->work, (int)work_length(m),
	                 NULL) != 0)
		return false;
	memcpy(m->vectors, m->q, (size_t)(p * p) * sizeof *m->q);
	if (m->l->d.trevc(LAPACK_COLUMNS, 'R', 'B', NULL, p, m->t, p, NULL, 1,
	                  m->vectors, p, p, &columns, m->work) != 0)
		return false;
	find_residuals(m, beta);
	return true;
}

static bool select_general(struct small *m, int count)
{
	const int p = m->p;
	int *select = m->integers, moved;
	double s, sep;

	for (int i = 0; i < p; i++)
		select[i] = 0;
	for (int i = 0; i < count; i++)
		select[m->order[i]] = 1;
	return m->l->d.trsen(LAPACK_COLUMNS, 'N', 'V', select, p, m->t, p,
	    m->q, p, m->re, m->im, &moved, &s, &sep, m->work,
	    (int)work_length(m), m->integers + p, 1) == 0;
}

/* --- both */

bool small_solve(struct small *m, const double *h, int ld, int p, double beta)
{
	m->p = p;
	copy(h, ld, m->t, p);
	return m->symmetric ? solve_symmetric(m, beta) :
	                      solve_general(m, beta);
}

/* Insertion sort is stable, so the first of a conjugate pair stays before the
 * second. */
void small_sort(struct small *m)
{
	for (int i = 0; i < m->p; i++) {
		int to = i;

		for (; to > 0 && m->key[m->order[to - 1]] > m->key[i]; to--)
			m->order[to] = m->order[to - 1];
		m->order[to] = i;
	}
}

bool small_is_pair(const struct small *m, int i)
{
	return m->im[m->order[i]] > 0 && i + 1 < m->p;
}

bool small_select(struct small *m, int count)
{
	if (m->symmetric) {
		select_symmetric(m, count);
		return true;
	}
	return select_general(m, count);
}

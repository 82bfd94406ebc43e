/* multishift.c - see multishift.h. Rows and columns are counted from 1 here, as
 * LAPACK does. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "device/seq.h"
#include "ops/eigen/multishift.h"
#include "ops/schur/shifts.h"

enum {
	LEAST = 150,			/* smaller matrices go to xHSEQR */
	SMALL = 75,			/* a block of at most this many rows is
					 * not swept after a deflation that
					 * found an eigenvalue */
	NIBBLE = 14,			/* no sweep follows if a deflation finds
					 * more than this percentage of its
					 * window's eigenvalues */
	WIDER_AFTER = 5,		/* run.failures from which on the window
					 * doubles */
	EXCEPTIONAL = 6,		/* a sweep has exceptional shifts if
					 * run.failures is a multiple */
	STEPS = 30,			/* deflations for each row, at most */
	BLOCK = 64			/* numbers of workspace for each row */
};

/* The number of shifts of a sweep for matrices of at least `rows` rows. The
 * deflation window has 3/2 times as many rows as there are shifts. For 512
 * rows, 24 shifts took 66 ms on one thread, and 32 took 71 ms; on 8 threads of
 * another host they took 125 and 105 ms. */
static const struct { size_t rows; int shifts; } table[] = {
	{ 3000, 128 }, { 1800, 64 }, { 900, 48 }, { 350, 32 }, { 0, 16 },
};

/* The state of the iteration. Rows `top` to `bottom` are the last unreduced
 * block, at whose bottom eigenvalues deflate. */
struct run {
	const struct multishift *m;
	int n, ld, top, bottom;
	int wantt, wantz;
	int shifts, window, most;	/* shifts of a sweep; rows of the
					 * deflation window at first, and at
					 * most */
	int last;			/* rows of the last deflation window */
	int failures;			/* 1 + the number of deflations since
					 * the last one that found an
					 * eigenvalue */
	int side;			/* see the scratch arrays */
	double *square, *wide, *tall;	/* scratch: side x side, side x n,
					 * n x side */
	double *work;			/* BLOCK side numbers */
};

/* Returns element (i, j) of H. */
static double at(const struct run *r, int i, int j)
{
	return r->m->h[(size_t)(i - 1) + (size_t)(j - 1) * r->m->ld];
}

static bool run_init(struct run *r, const struct multishift *m)
{
	size_t k = 0, all;

	while (m->n < table[k].rows)
		k++;
	*r = (struct run){
		.m = m, .n = (int)m->n, .ld = (int)m->ld,
		.bottom = (int)m->high, .wantt = m->form, .wantz = m->z != NULL,
		.shifts = table[k].shifts, .window = table[k].shifts * 3 / 2,
		.most = (int)(m->n - 1) / 3, .failures = 1,
	};
	/* xLAQR5 of LAPACK before 3.10 needs room for 3 numbers a shift. */
	r->side = r->most > 3 * r->shifts ? r->most : 3 * r->shifts;
	all = (size_t)r->side * m->n;
	r->square = malloc((size_t)r->side * (size_t)r->side * sizeof(double));
	r->wide = malloc(all * sizeof(double));
	r->tall = malloc(all * sizeof(double));
	r->work = malloc((size_t)r->side * BLOCK * sizeof(double));
	return r->square && r->wide && r->tall && r->work;
}

static void run_fini(struct run *r)
{
	free(r->square);
	free(r->wide);
	free(r->tall);
	free(r->work);
}

/* --- deflation */

/* Returns the first row of the block that ends with row r->bottom and has no
 * zero on its subdiagonal. */
static int find_top(const struct run *r)
{
	int k = r->bottom;

	while (k > (int)r->m->low + 1 && at(r, k, k - 1) != 0)
		k--;
	return k;
}

static int min(int a, int b)
{
	return a < b ? a : b;
}

static int max(int a, int b)
{
	return a > b ? a : b;
}

/* Returns the number of rows of the deflation window. Of two sizes that differ
 * by one, takes that with the smaller subdiagonal element at the window's
 * border, because such a window finds more eigenvalues. */
static int window_of(const struct run *r)
{
	const int rows = r->bottom - r->top + 1, most = min(rows, r->most);
	int window = min(most, r->failures < WIDER_AFTER ? r->window :
	                                                   2 * r->last);
	int k;

	if (window >= r->most)
		return window;
	if (window >= rows - 1)
		return rows;
	k = r->bottom - window + 1;
	return window + (fabs(at(r, k, k - 1)) > fabs(at(r, k - 1, k - 2)));
}

/* Deflates at the bottom. Returns the number of eigenvalues found. *shifts
 * becomes the number of eigenvalues of the window that have not converged: they
 * are in re and im, above those found, and can be shifts. */
static int deflate(struct run *r, int *shifts)
{
	const struct multishift *m = r->m;
	const int one = 1, lwork = r->side * BLOCK;
	int found = 0;			/* also where the call is left */

	*shifts = 0;
	r->last = window_of(r);
	m->l->d.laqr3(&r->wantt, &r->wantz, &r->n, &r->top, &r->bottom,
	              &r->last, m->h, &r->ld, &one, &r->n, m->z, &r->ld,
	              shifts, &found, m->re, m->im, r->square, &r->side, &r->n,
	              r->wide, &r->side, &r->n, r->tall, &r->n, r->work,
	              &lwork);
	r->bottom -= found;
	return found;
}

/* --- shifts
 *
 * The shifts of a sweep are elements `first` to `bottom` of re and im.
 * Functions that choose shifts return `first`. */

/* Takes the eigenvalues of the last `count` rows and columns of the block as
 * shifts, for a deflation that has left too few. */
static int of_corner(const struct run *r, int count)
{
	const int none = 0, one = 1, first = r->bottom - count + 1;
	int failed = count;

	for (int j = 0; j < count; j++)
		for (int i = 0; i < count; i++)
			r->square[i + j * count] = i > j + 1 ? 0 :
			    at(r, first + i, first + j);
	r->m->l->d.lahqr(&none, &none, &count, &one, &count, r->square, &count,
	                 r->m->re + first - 1, r->m->im + first - 1, &one,
	                 &one, r->m->z, &r->ld, &failed);
	return first + failed;
}

/* Sets exceptional shifts (ops/schur/shifts.h). */
static int exceptional(const struct run *r, int count)
{
	const int first = r->bottom - count + 1;
	double *const diagonal = r->square, *const below = diagonal + count;

	for (int i = 0; i < count; i++) {
		diagonal[i] = at(r, first + i, first + i);
		below[i] = first + i > 1 ? at(r, first + i, first + i - 1) : 0;
	}
	shifts_exceptional(r->m->re + first - 1, r->m->im + first - 1,
	                   (size_t)count, (size_t)(r->bottom - r->top + 1),
	                   diagonal, below);
	return first;
}

/* Chooses at most `count` shifts, an even number, where the deflation has left
 * `given` of them. Returns the row of the first shift. */
static int find_shifts(const struct run *r, int count, int given)
{
	double *re = r->m->re - 1, *im = r->m->im - 1;
	int first = r->bottom - given + 1;
	size_t all;

	if (r->failures % EXCEPTIONAL == 0)
		return exceptional(r, count);
	if (given <= count / 2)
		first = of_corner(r, count);
	all = (size_t)(r->bottom - first + 1);
	if (all > (size_t)count)
		shifts_sort(re + first, im + first, all, r->square);
	shifts_pair(re + first, im + first, all);
	shifts_take_nearer(re + first, im + first, all,
	                   at(r, r->bottom, r->bottom));
	count = min(count, r->bottom - first + 1);
	return r->bottom - (count - count % 2) + 1;
}

/* --- sweeps */

static void sweep(const struct run *r, int given)
{
	const struct multishift *m = r->m;
	const int rows = r->bottom - r->top;
	const int most = min(r->shifts, max(2, rows));
	const int first = find_shifts(r, most - most % 2, given);
	const int count = r->bottom - first + 1;
	const int one = 1, three = 3, products = 1;

	if (count < 2)
		return;
	m->l->d.laqr5(&r->wantt, &r->wantz, &products, &r->n, &r->top,
	              &r->bottom, &count, m->re + first - 1,
	              m->im + first - 1, m->h, &r->ld, &one, &r->n, m->z,
	              &r->ld, r->work, &three, r->square, &r->side, &r->n,
	              r->tall, &r->n, &r->n, r->wide, &r->side);
}

/* Deflates, and sweeps unless the deflation has found many eigenvalues. */
static void step(struct run *r)
{
	int shifts, found, rows;

	r->top = find_top(r);
	found = deflate(r, &shifts);
	rows = r->bottom - r->top + 1;
	if (found == 0 || (100 * found <= r->last * NIBBLE &&
	                   rows > min(SMALL, r->most)))
		sweep(r, shifts);
	r->failures = found > 0 ? 1 : r->failures + 1;
}

static bool iterate(struct run *r)
{
	const int first = (int)r->m->low + 1;
	long left = STEPS * (long)(r->bottom - first + 1);

	while (r->bottom >= first && left-- > 0 &&
	       lapack_goes_on() && (!r->m->s || seq_goes_on(r->m->s)))
		step(r);
	return r->bottom < first;
}

/* Sets the eigenvalues outside of rows m->low to m->high - 1, where H is
 * triangular and has them on its diagonal. */
static void take_diagonal(const struct multishift *m)
{
	for (size_t i = 0; i < m->n; i++)
		if (i < m->low || i >= m->high) {
			m->re[i] = m->h[i + i * m->ld];
			m->im[i] = 0;
		}
}

static int by_lapack(const struct multishift *m, bool *solved)
{
	const int n = (int)m->n, ld = (int)m->ld;
	const int low = (int)size_min(m->low + 1, m->n);
	const int high = max((int)m->high, low);
	double *work = malloc(BLOCK * m->n * sizeof *work);

	if (!work)
		return -1;
	*solved = m->l->d.hseqr(LAPACK_COLUMNS, m->form ? 'S' : 'E',
	    m->z ? 'V' : 'N', n, low, high, m->h, ld, m->re, m->im, m->z, ld,
	    work, BLOCK * n) == 0;
	free(work);
	return 0;
}

int multishift_run(const struct multishift *m, bool *solved)
{
	struct run r;
	int rc = -1;

	if (m->high < m->low + LEAST)
		return by_lapack(m, solved);
	if (run_init(&r, m)) {
		take_diagonal(m);
		*solved = iterate(&r);
		rc = 0;
	}
	run_fini(&r);
	return rc;
}

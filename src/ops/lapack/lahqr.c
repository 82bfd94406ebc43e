/* lahqr.c - DLAHQR, the QR algorithm for small Hessenberg matrices. It is
 * exported in place of the library's (exported.h), because aggressive early
 * deflation (DLAQR3) spends most of its time in it. DLAQR3 decomposes windows
 * of more than 75 rows by DLAQR4, whose small bulges are slower here than
 * DLAHQR. So DLAQR4 is exported, too, and calls DLAHQR for up to WINDOW rows.
 *
 * It is LAPACK's algorithm: double shifts (Francis 1961), the deflation
 * criterion of Ahues and Tisseur (1997), and exceptional shifts after every 10
 * iterations without an eigenvalue. It works on copies of H and of Z^T by rows,
 * so that two of a reflection's three products are those of vector instructions
 * with contiguous rows. A processor computes the same bits with AVX2 and
 * without, because neither way fuses multiplications and additions. For 32, 64
 * and 96 rows it took 0.07, 0.37 and 1.0 ms where the library's took 0.17, 0.90
 * and 2.5 (reference LAPACK 3.11, an EPYC 9R14). */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/lapack/escape.h"
#include "ops/lapack/exported.h"
#include "ops/lapack/reflection.h"
#include "ops/lapack/stack.h"

enum {
	MOST = 256,		/* rows; the library decomposes larger
				 * matrices */
	WINDOW = 192,		/* the same for DLAQR4 */
	EXCEPTIONAL = 10,
	ITERATIONS = 30		/* for each row, at most */
};

/* Rows and columns count from 0. */
struct form {
	size_t n, low, high;	/* H is triangular but for the rows from `low`
				 * to `high` */
	bool whole;		/* all of T is wanted */
	double *h;		/* n x n, by rows */
	double *z;		/* Z^T, n x `rows`, by rows */
	size_t rows;		/* of Z that are transformed; may be 0 */
	double *re, *im;
	size_t top, bottom;	/* the active block */
	size_t left, right;	/* the rows and columns that a reflection
				 * changes */
	size_t failures;	/* iterations since the last eigenvalue */
	double least;		/* smaller elements of H count as 0 */
	reflection_rows *reflect;	/* this processor's */
};

static double *at(const struct form *f, size_t i, size_t j)
{
	return f->h + i * f->n + j;
}

static double size(const struct form *f, size_t i, size_t j)
{
	return fabs(*at(f, i, j));
}

/* --- deflation */

/* Is the subdiagonal element of row k small beside its neighbours? */
static bool is_negligible(const struct form *f, size_t k)
{
	const double below = size(f, k, k - 1), above = size(f, k - 1, k);
	const double gap = fabs(*at(f, k - 1, k - 1) - *at(f, k, k));
	double sum = size(f, k - 1, k - 1) + size(f, k, k), ab, aa;

	if (below <= f->least)
		return true;
	if (sum == 0)
		sum = (k >= f->low + 2 ? size(f, k - 1, k - 2) : 0) +
		      (k + 1 <= f->high ? size(f, k + 1, k) : 0);
	if (!(below <= DBL_EPSILON * sum))
		return false;
	ab = fmax(below, above);
	aa = fmax(size(f, k, k), gap);
	return fmin(below, above) * (ab / (aa + ab)) <=
	       fmax(f->least, DBL_EPSILON * (fmin(size(f, k, k), gap) *
	                                     (aa / (aa + ab))));
}

/* Sets f->top to the first row of the block that ends at f->bottom. */
static void find_block(struct form *f)
{
	size_t k = f->bottom;

	while (k > f->low && !is_negligible(f, k))
		k--;
	if (k > f->low)
		*at(f, k, k - 1) = 0;
	f->top = k;
	f->left = f->whole ? 0 : k;
	f->right = f->whole ? f->n - 1 : f->bottom;
}

/* --- shifts */

/* Two shifts, the eigenvalues of a real 2 x 2 matrix. */
struct shifts { double re[2], im; };

static struct shifts eigenvalues(double a, double b, double c, double d)
{
	const double s = fabs(a) + fabs(b) + fabs(c) + fabs(d);
	const double mean = s == 0 ? 0 : (a / s + d / s) / 2;
	const double det = s == 0 ? 0 : (a / s - mean) * (d / s - mean) -
	                                b / s * (c / s);
	const double root = sqrt(fabs(det));
	double nearer;

	if (det >= 0)
		return (struct shifts){ { mean * s, mean * s }, root * s };
	nearer = fabs(mean + root - d / s) <= fabs(mean - root - d / s) ?
	         mean + root : mean - root;
	return (struct shifts){ { nearer * s, nearer * s }, 0 };
}

static struct shifts exceptional(double diagonal, double s)
{
	return eigenvalues(0.75 * s + diagonal, -0.4375 * s, s,
	                   0.75 * s + diagonal);
}

static struct shifts find_shifts(const struct form *f)
{
	const size_t l = f->top, i = f->bottom;

	if (f->failures % (2 * EXCEPTIONAL) == 0)
		return exceptional(*at(f, i, i), size(f, i, i - 1) +
		                                 size(f, i - 1, i - 2));
	if (f->failures % EXCEPTIONAL == 0)
		return exceptional(*at(f, l, l), size(f, l + 1, l) +
		                                 size(f, l + 2, l + 1));
	return eigenvalues(*at(f, i - 1, i - 1), *at(f, i - 1, i),
	                   *at(f, i, i - 1), *at(f, i, i));
}

/* --- an iteration */

/* Sets v to a multiple of the first column of (H - s1 I) (H - s2 I), H from row
 * m on. */
static void first_column(const struct form *f, size_t m,
                         const struct shifts *s, double v[3])
{
	const double a = *at(f, m, m), d = *at(f, m + 1, m + 1);
	const double below = *at(f, m + 1, m);
	const double scale = fabs(a - s->re[1]) + fabs(s->im) + fabs(below);
	const double p = below / scale;
	double sum;

	v[0] = p * *at(f, m, m + 1) +
	       (a - s->re[0]) * ((a - s->re[1]) / scale) +
	       s->im * (s->im / scale);
	v[1] = p * (a + d - s->re[0] - s->re[1]);
	v[2] = p * *at(f, m + 2, m + 1);
	sum = fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
	for (int i = 0; i < 3; i++)
		v[i] /= sum;
}

/* Returns the row from which on the iteration may begin: two consecutive small
 * subdiagonal elements let it skip the rows above. Sets v as first_column()
 * does. */
static size_t find_start(const struct form *f, const struct shifts *s,
                         double v[3])
{
	size_t m = f->bottom - 2;

	for (first_column(f, m, s, v); m > f->top; m--, first_column(f, m, s,
	                                                             v))
		if (size(f, m, m - 1) * (fabs(v[1]) + fabs(v[2])) <=
		    DBL_EPSILON * fabs(v[0]) * (size(f, m - 1, m - 1) +
		                                size(f, m, m) +
		                                size(f, m + 1, m + 1)))
			break;
	return m;
}

/* Applies a reflection of rows and columns k, k + 1 and k + 2. */
static void reflect_three(const struct form *f, size_t k,
                          const struct reflection *r)
{
	const size_t end = size_min(k + 3, f->bottom) + 1;

	f->reflect(at(f, k, k), f->n, f->right + 1 - k, r);
	reflection_columns(at(f, f->left, k), f->n, end - f->left, r);
	f->reflect(f->z + k * f->rows, f->rows, f->rows, r);
}

/* x = a x + b y and y = c x + d y. */
struct plane { double a, b, c, d; };

/* Applies the transform to `count` pairs, x from p on and y from q on, `step`
 * elements apart. */
static void turn(double *p, double *q, size_t step, size_t count,
                 const struct plane *t)
{
	for (size_t i = 0; i < count; i++) {
		double *const x = p + i * step, *const y = q + i * step;
		const double old = *x;

		*x = t->a * old + t->b * *y;
		*y = t->c * old + t->d * *y;
	}
}

/* Applies the transform to rows k and k + 1 of H, from column `from` on, to
 * columns k and k + 1 of H, up to row end - 1, and to Z. */
static void turn_two(const struct form *f, size_t k, size_t from, size_t end,
                     const struct plane *t)
{
	turn(at(f, k, from), at(f, k + 1, from), 1, f->right + 1 - from, t);
	turn(at(f, f->left, k), at(f, f->left, k + 1), f->n, end - f->left, t);
	turn(f->z + k * f->rows, f->z + (k + 1) * f->rows, 1, f->rows, t);
}

static void reflect_two(const struct form *f, size_t k,
                        const struct reflection *r)
{
	const double off = -r->tau * r->v2;
	const struct plane t = { 1 - r->tau, off, off, 1 + off * r->v2 };

	turn_two(f, k, k, f->bottom + 1, &t);
}

/* Chases a bulge from row m to the end of the block; v is the first column. */
static void sweep(const struct form *f, size_t m, double v[3])
{
	for (size_t k = m; k < f->bottom; k++) {
		const bool three = k + 2 <= f->bottom;
		struct reflection r;
		double beta;

		for (size_t i = 0; i < 3 && k > m; i++)
			v[i] = i == 2 && !three ? 0 : *at(f, k + i, k - 1);
		beta = reflection_make(v[0], v[1], three ? v[2] : 0, &r);
		if (k > m) {
			*at(f, k, k - 1) = beta;
			*at(f, k + 1, k - 1) = 0;
			if (three)
				*at(f, k + 2, k - 1) = 0;
		} else if (m > f->top) {
			*at(f, k, k - 1) *= 1 - r.tau;
		}
		(three ? reflect_three : reflect_two)(f, k, &r);
	}
}

static void iterate(struct form *f)
{
	const struct shifts s = find_shifts(f);
	double v[3];
	const size_t m = find_start(f, &s, v);

	sweep(f, m, v);
}

/* --- eigenvalues */

/* Takes the eigenvalues of the last two rows, whose block DLANV2 brings to its
 * standard form. */
static void take_pair(const struct form *f)
{
	const size_t k = f->bottom - 1;
	double c, s;

	inner.d.lanv2(at(f, k, k), at(f, k, k + 1), at(f, k + 1, k),
	              at(f, k + 1, k + 1), f->re + k, f->im + k, f->re + k + 1,
	              f->im + k + 1, &c, &s);
	turn_two(f, k, k + 2, k, &(struct plane){ c, s, -s, c });
}

/* Iterates until an eigenvalue or a pair has been found at the bottom. Returns
 * false if there is none. */
static bool find_one(struct form *f)
{
	const size_t rows = f->high - f->low + 1;
	size_t left = ITERATIONS * size_max(rows, 10);

	f->failures = 0;
	for (find_block(f); f->top + 1 < f->bottom; find_block(f)) {
		if (left-- == 0)
			return false;
		f->failures++;
		iterate(f);
	}
	if (f->top == f->bottom) {
		f->re[f->bottom] = *at(f, f->bottom, f->bottom);
		f->im[f->bottom] = 0;
	} else {
		take_pair(f);
	}
	return true;
}

/* Returns INFO. */
static int run(struct form *f)
{
	for (size_t j = f->low; j + 2 <= f->high; j++)
		for (size_t i = j + 2; i <= size_min(j + 3, f->high); i++)
			*at(f, i, j) = 0;
	for (size_t end = f->high + 1; end > f->low; end = f->top) {
		f->bottom = end - 1;
		if (!find_one(f))
			return (int)end;
	}
	return 0;
}

void dlahqr_(const int *wantt, const int *wantz, const int *n, const int *low,
             const int *high, double *h, const int *ldh, double *re,
             double *im, const int *first, const int *last, double *z,
             const int *ldz, int *info)
{
	const size_t order = *n > 0 ? (size_t)*n : 0, ld = (size_t)*ldh;
	const size_t rows = *wantz && *last >= *first ?
	                    (size_t)(*last - *first + 1) : 0;
	double *const z0 = rows > 0 ? z + *first - 1 : NULL;
	double *room = NULL;
	struct form f;

	escape_poll();
	if (order > 0 && order <= MOST && rows <= MOST && *low <= *high)
		room = malloc((order + rows) * order * sizeof *room);
	if (!room) {
		inner.d.lahqr(wantt, wantz, n, low, high, h, ldh, re, im,
		              first, last, z, ldz, info);
		return;
	}
	f = (struct form){
		.n = order, .low = (size_t)*low - 1, .high = (size_t)*high - 1,
		.whole = *wantt, .h = room, .z = room + order * order,
		.rows = rows, .re = re, .im = im,
		.least = DBL_MIN * ((double)(*high - *low + 1) / DBL_EPSILON),
		.reflect = reflection_rows_here(),
	};
	lapack_transpose(h, ld, order, order, sizeof *h, f.h, order);
	if (rows > 0)
		lapack_copy(z0, (size_t)*ldz, rows, order, sizeof *z, f.z,
		            rows);
	*info = run(&f);
	lapack_transpose(f.h, order, order, order, sizeof *h, h, ld);
	if (rows > 0)
		lapack_copy(f.z, rows, rows, order, sizeof *z, z0,
		            (size_t)*ldz);
	free(room);
}

void dlaqr4_(const int *wantt, const int *wantz, const int *n, const int *low,
             const int *high, double *h, const int *ldh, double *re,
             double *im, const int *first, const int *last, double *z,
             const int *ldz, double *work, const int *lwork, int *info)
{
	if (*lwork == -1 || *n > WINDOW)
		inner.d.laqr4(wantt, wantz, n, low, high, h, ldh, re, im,
		              first, last, z, ldz, work, lwork, info);
	else
		dlahqr_(wantt, wantz, n, low, high, h, ldh, re, im, first,
		        last, z, ldz, info);
}

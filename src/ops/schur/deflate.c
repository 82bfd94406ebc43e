/* deflate.c - aggressive early deflation (xLAQR3) of a matrix on the device;
 * see schur.h.
 *
 * The host reads the last rows and columns of the matrix, the window, with the
 * row above them, and gives them to xLAQR3 as a matrix of their own. That
 * returns the window's new elements and its orthogonal transform V, by which
 * the device multiplies the rest of the matrix. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "ops/schur/schur.h"

enum {
	ITEMS = 64,
	BLOCK = 64,			/* workspace of xLAQR3, in numbers for
					 * each row */
	WIDER_AFTER = 5			/* the window is doubled from this value
					 * of c->failures on */
};

/* The arrays in c->host: told has the numbers read from the device; a, v and
 * scratch are column-major matrices of rows_of() rows and columns; re and im
 * have the eigenvalues of the window. */
struct room { double *told, *a, *v, *scratch[3], *work, *re, *im; };

static size_t rows_of(size_t n)
{
	return size_min(n, SCHUR_DEFLATION) + 2;
}

size_t schur_host_numbers(size_t n)
{
	const size_t rows = rows_of(n);

	return 2 * n + 6 * rows * rows + (BLOCK + 2) * rows;
}

static struct room room_of(const struct schur *c)
{
	const size_t rows = rows_of(c->n), all = rows * rows;
	double *const x = c->host, *const a = x + 2 * c->n + all;

	return (struct room){
		.told = x, .a = a, .v = a + all,
		.scratch = { a + 2 * all, a + 3 * all, a + 4 * all },
		.work = a + 5 * all, .re = a + 5 * all + BLOCK * rows,
		.im = a + 5 * all + (BLOCK + 1) * rows,
	};
}

/* --- the window */

/* Returns the number of rows of the next window, unless the block has fewer. */
static size_t wanted(const struct schur *c)
{
	return size_min(c->most, c->failures < WIDER_AFTER ? c->window :
	                                                     2 * c->last);
}

/* Reads the diagonal, the subdiagonal and the last `rows` rows and columns. */
static void read(struct schur *c, size_t rows)
{
	const struct room r = room_of(c);
	const size_t n = c->n, count = 2 * n + rows * rows;
	const double least = DBL_MIN * ((double)n / DBL_EPSILON);

	seq_launch(c->s, "schur_look", GRID1(n + rows * rows, ITEMS),
	           ARG_BUF(c->t), ARG_INT(n), ARG_INT(c->low),
	           ARG_INT(c->bottom - 1), ARG_INT(c->bottom - rows),
	           ARG_INT(rows), ARG_DOUBLE(least), ARG_BUF(c->told));
	seq_read(c->s, c->told, 0, r.told, count * sizeof(double));
	if (seq_failed(c->s))
		return;
	memcpy(c->diagonal, r.told, n * sizeof(double));
	memcpy(c->below, r.told + n, n * sizeof(double));
}

/* Of two sizes that differ by one, takes that with the smaller subdiagonal
 * element at the window's border, because such a window finds more
 * eigenvalues. */
static size_t window_of(const struct schur *c, size_t window)
{
	const size_t rows = c->bottom - c->top, k = c->bottom - window;

	if (window + 1 >= rows)
		return rows;
	return window + (window < c->most && fabs(c->below[k]) >
	                                     fabs(c->below[k - 1]));
}

/* Copies the last m rows and columns of the matrix to r->a, from those that
 * were read. */
static void copy(const struct schur *c, const struct room *r, size_t m)
{
	const size_t rows = c->read, skip = rows - m;
	const double *const from = r->told + 2 * c->n;

	for (size_t j = 0; j < m; j++)
		for (size_t i = 0; i < m; i++)
			r->a[i + j * m] = i > j + 1 ? 0 : i == j + 1 ?
			    c->below[c->bottom - m + i] :
			    from[skip + i + (skip + j) * rows];
}

/* Returns the rows of the window and of the row above it. */
static size_t rows_read(const struct schur *c)
{
	return c->last + (c->last < c->bottom - c->top);
}

/* Decomposes the window, the last rows of the matrix a, by the copier's
 * thread. */
static void decompose(void *arg, size_t unused)
{
	struct schur *const c = arg;
	const struct room r = room_of(c);
	const size_t rows = rows_read(c);
	const int m = (int)rows, one = 1, w = (int)c->last, lwork = BLOCK * m;
	int remain = 0, found = 0;	/* also where the call is left */

	(void)unused;
	copy(c, &r, rows);
	for (size_t i = 0; i < rows * rows; i++)
		r.v[i] = i % rows == i / rows;
	c->l->d.laqr3(&one, &one, &m, &one, &m, &w, r.a, &m, &one, &m, r.v, &m,
	              &remain, &found, r.re, r.im, r.scratch[0], &m, &m,
	              r.scratch[1], &m, &m, r.scratch[2], &m, r.work, &lwork);
	c->remain = (size_t)remain;
	c->found = (size_t)found;
}

/* --- the rest of the matrix */

/* x = x V or V^T x for the part of `b` that begins at element `at`. */
static void multiply(const struct schur *c, bool left, struct buf b, size_t at,
                     size_t rows, size_t cols, size_t m, size_t window)
{
	const struct blas_part x = { .b = b, .at = at, .ld = c->n };
	const struct blas_part copied = { .b = c->strip, .ld = cols };
	const struct blas_part v = { .b = c->block, .at = m * m, .ld = window,
	                             .transposed = !left };
	const struct blas_gemm g = { .stack = 1, .m = rows, .n = cols,
	                             .k = window, .alpha = 1 };

	if (rows == 0 || cols == 0)
		return;
	seq_launch(c->s, "schur_take", GRID1(rows * cols, ITEMS), ARG_BUF(b),
	           ARG_LONG(at), ARG_INT(c->n), ARG_INT(rows), ARG_INT(cols),
	           ARG_BUF(c->strip));
	blas_gemm(c->s, &g, left ? &v : &copied, left ? &copied : &v, &x);
}

/* Writes the m x m matrix r->a, which is the window and, if there is one, the
 * row above it, to the device, and multiplies the rest of T, and Z, by V. */
static void apply(const struct schur *c, const struct room *r, size_t m,
                  size_t window)
{
	const size_t n = c->n, skip = m - window, from = c->bottom - window;
	const size_t above = c->form ? 0 : c->top;
	const size_t right = c->form ? n : c->bottom;
	double *const v = r->a + m * m;

	/* In c->block, V follows the m x m matrix. */
	for (size_t j = 0; j < window; j++)
		memmove(v + j * window, r->v + skip + (skip + j) * m,
		        window * sizeof *v);
	seq_write(c->s, c->block, 0, r->a,
	          (m * m + window * window) * sizeof *v);
	seq_launch(c->s, "schur_put", GRID1(m * m, ITEMS), ARG_BUF(c->block),
	           ARG_INT(m), ARG_BUF(c->t), ARG_INT(n),
	           ARG_INT(c->bottom - m));
	multiply(c, false, c->t, above * n + from, from - skip - above, window,
	         m, window);
	multiply(c, true, c->t, from * n + c->bottom, window,
	         right - c->bottom, m, window);
	if (c->form)
		multiply(c, true, c->z, from * n, window, n, m, window);
}

/* --- a deflation */

static size_t find_top(const struct schur *c)
{
	size_t k = c->bottom - 1;

	while (k > c->low && c->below[k] != 0)
		k--;
	return k;
}

/* Stores the converged eigenvalues of the window in c->re and c->im, and the
 * others, as shifts, in c->shift_re and c->shift_im. xLAQR3 stores the `found`
 * converged ones last, and the others before them. */
static void keep(struct schur *c, const struct room *r, size_t m)
{
	const size_t each = sizeof *c->re, found = c->found;
	const size_t first = m - found - c->remain;

	c->ready = c->remain;
	memcpy(c->re + c->bottom - found, r->re + m - found, found * each);
	memcpy(c->im + c->bottom - found, r->im + m - found, found * each);
	memcpy(c->shift_re, r->re + first, c->ready * each);
	memcpy(c->shift_im, r->im + first, c->ready * each);
}

int schur_look(struct schur *c)
{
	const size_t want = wanted(c);

	c->read = size_min(c->bottom - c->low, want + 2);
	read(c, c->read);
	if (seq_failed(c->s))
		return -1;
	c->top = find_top(c);
	c->last = window_of(c, size_min(want, c->bottom - c->top));
	return 0;
}

void schur_deflate_begin(struct schur *c)
{
	copier_begin(c->copier, decompose, c);
	copier_allow(c->copier, 1);
}

long schur_deflate_end(struct schur *c)
{
	const struct room r = room_of(c);
	const size_t m = rows_read(c);

	seq_host_begin(c->s);
	copier_wait(c->copier, 1);
	seq_host_end(c->s);
	keep(c, &r, m);
	if (c->found > 0 || m == c->last)
		apply(c, &r, m, c->last);
	c->bottom -= c->found;
	return seq_failed(c->s) ? -1 : (long)c->found;
}

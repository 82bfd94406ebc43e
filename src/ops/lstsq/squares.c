/* squares.c - one least squares problem by the squares of the singular values,
 * which are the eigenvalues of the normal matrix G = A^T A in float64:
 *
 *     G = V D V^T,  s = D^1/2,  x = V D^+ V^T A^T b.
 *
 * D^+ is 0 where a singular value counts as 0, which makes x the shortest
 * solution. A computed eigenvalue has an error of about u |A|^2, where u is the
 * unit roundoff of float64. Therefore the error of a singular value s_i is
 * about u |A|^2 / s_i, and never above sqrt(u) |A|, which is less than the
 * roundoff of float32. An x from singular values above rcond |A| has a relative
 * error of about u / rcond^2. */
#include <math.h>
#include <stdlib.h>

#include "ops/blas/gemm.h"
#include "ops/lstsq/normal.h"
#include "ops/room.h"
#include "ops/solve/solve.h"
#include "ops/tridiagonal/symmetric.h"

enum { ITEMS = 64 };

static size_t square_bytes(size_t n)
{
	return n * n * sizeof(double);
}

void lstsq_squares_need(struct need *n, const struct sheet *d,
                        const struct args *a)
{
	const size_t columns = systems_of(NULL, a).n;

	need_buffer(n, square_bytes(columns));
	/* Twice: at first perhaps without the eigenvectors. */
	symmetric_decompose_need(n, d, FLOAT64, columns);
	symmetric_decompose_need(n, d, FLOAT64, columns);
}

/* Computes the eigenvalues w of G in ascending order and, if `vectors`, the
 * eigenvectors, the columns of v. Returns false if the sequence has failed. */
static bool decompose(const struct lstsq_squares *t, struct buf v,
                      bool vectors, double *w)
{
	const struct qr_normal *g = t->normal;
	const size_t count = g->n * g->n;
	int rc;

	qr_normal_matrix(g);
	seq_launch(g->s, "lstsq_mirror", GRID1(count, ITEMS), ARG_BUF(g->x),
	           ARG_INT(g->n), ARG_INT(g->ld), ARG_LONG(count), ARG_BUF(v));
	seq_set_dtype(g->s, FLOAT64);
	rc = symmetric_decompose(g->s, g->n, v, w,
	                         vectors ? v : (struct buf){ 0 });
	seq_set_dtype(g->s, g->dtype);
	return rc == 0;
}

/* Sets the singular values and the rank from the eigenvalues, of which rounding
 * may have left some below 0. */
static bool decide(const struct lstsq_squares *t, const double *w,
                   struct lstsq_rank *r)
{
	const size_t n = t->normal->n;

	for (size_t i = 0; i < n; i++)
		r->s[i] = sqrt(fmax(w[n - 1 - i], 0));
	return lstsq_decide(t->a, n, r);
}

/* X^T = B^T A V D^+ V^T, where t->before holds A^T B. Both X and A^T B are
 * stored column-major. The elements of D^+ overwrite w. */
static void solve(const struct lstsq_squares *t, struct buf v, double *w,
                  size_t rank)
{
	const struct qr_normal *g = t->normal;
	const size_t n = g->n;
	const struct blas_gemm size = { .stack = 1, .m = t->sides, .n = n,
	                                .k = n, .alpha = 1 };
	const struct blas_part b = { .b = t->before, .ld = n + 1 };
	const struct blas_part vectors = { .b = v, .ld = n };
	const struct blas_part y = { .b = t->z, .ld = n };
	const struct blas_part weighed = { .b = g->x, .ld = n,
	                                   .transposed = true };
	const struct blas_part x = { .b = t->x, .ld = n };

	for (size_t i = 0; i < n; i++)
		w[i] = n - i <= rank ? 1 / w[i] : 0;
	seq_write(g->s, g->diagonal, 0, w, n * sizeof *w);
	seq_set_dtype(g->s, FLOAT64);
	blas_gemm(g->s, &size, &b, &vectors, &y);
	seq_launch(g->s, "pinv_weigh", GRID1(n * n, ITEMS), ARG_BUF(v),
	           ARG_INT(n), ARG_BUF(g->diagonal), ARG_LONG(n * n),
	           ARG_BUF(g->x));
	blas_gemm(g->s, &size, &y, &weighed, &x);
	seq_set_dtype(g->s, g->dtype);
}

static bool run(const struct lstsq_squares *t, double *w, bool *solved,
                struct lstsq_rank *r)
{
	const struct qr_normal *g = t->normal;
	const struct buf v = seq_scratch(g->s, square_bytes(g->n));
	const bool again = !t->vectors;

	*solved = false;
	if (!decompose(t, v, t->vectors, w) || (!decide(t, w, r) && !t->full))
		return false;
	if (t->full) {
		r->rank = g->n;
		r->next = 0;
	}
	if (t->accurate && r->rank == g->n)
		return true;
	if (again && !decompose(t, v, true, w))
		return false;
	solve(t, v, w, r->rank);
	*solved = true;
	return !seq_failed(g->s);
}

bool lstsq_squares(const struct lstsq_squares *t, bool *solved,
                   struct lstsq_rank *r)
{
	const size_t n = t->normal->n;
	double *const w = malloc(n * sizeof *w);
	bool done = false;

	r->s = malloc(n * sizeof *r->s);
	if (w && r->s)
		done = run(t, w, solved, r);
	else
		err_set(seq_err(t->normal->s), ERR_MEMORY, "lstsq: no memory "
		        "for %zu singular values", n);
	free(w);
	return done;
}

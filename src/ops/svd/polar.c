/* polar.c - svd by the polar decomposition (ops/polar) A = P H, or of A^T if A
 * has more columns than rows, and the eigenvectors of H (ops/tridiagonal):
 *
 *     H = V D V^T,  A = (P V) D V^T.
 *
 * Rounding may leave eigenvalues of H that are a little less than 0. Their
 * magnitudes are the singular values, and for each negative eigenvalue one of
 * the two singular vectors changes its sign. One matrix of a stack is
 * decomposed after another. */
#include <math.h>
#include <stdlib.h>

#include "ops/lapack/stack.h"
#include "ops/polar/polar.h"
#include "ops/room.h"
#include "ops/svd/svd.h"

enum {
	ITEMS = 64,
	FEW = 8				/* matrices; more of them are decomposed
					 * faster side by side, if they are so
					 * small that bidiagonal.c takes them */
};

/* A call's matrices, seen so that they have at least as many rows as columns:
 * A = L D R^T or, if turned, A^T = L D R^T. */
struct task {
	struct seq *s;			/* NULL while memory is counted */
	struct need *need;		/* NULL while a call runs */
	const struct args *a;
	struct svd_sizes z;
	size_t m, n;			/* the larger and the smaller size */
	bool turned;			/* are the matrices A^T decomposed? */
	struct polar p;
	struct blas_tensor tensor;	/* for P V */
	struct buf h;			/* n x n: H, then its eigenvectors V */
	struct buf p32;			/* m x n: P in float32 */
	struct buf right;		/* k x n: R^T, if the answer lacks it */
	struct buf order, signs;	/* int32_t[n]: the columns of V by
					 * descending singular values, and the
					 * signs of the eigenvalues */
};

bool svd_polar_fits(const struct args *a, const struct sheet *d)
{
	const struct svd_sizes z = svd_sizes_of(a);
	const bool square = a->param[SVD_VECTORS] != SVD_FULL || z.m == z.n;

	return square && polar_pays(d, z.stack, z.all) &&
	       (z.stack <= FEW || !svd_bidiagonal_fits(a, d));
}

/* --- buffers */

/* The outputs that hold L and R. */
static int left_of(const struct task *t)
{
	return t->turned ? SVD_VH : SVD_U;
}

static int right_of(const struct task *t)
{
	return t->turned ? SVD_U : SVD_VH;
}

static struct task task_of(const struct args *a)
{
	const struct svd_sizes z = svd_sizes_of(a);

	return (struct task){
		.a = a, .z = z, .turned = z.m < z.n,
		.m = size_max(z.m, z.n), .n = z.all,
	};
}

/* L = P V, or L^T = V^T P^T */
static struct blas_gemm left_product(const struct task *t)
{
	return (struct blas_gemm){
		.stack = 1, .m = t->turned ? t->z.k : t->m,
		.n = t->turned ? t->m : t->z.k, .k = t->n, .alpha = 1,
		.tensor = &t->tensor,
	};
}

static struct buf room(const struct task *t, size_t numbers, size_t bytes)
{
	return room_make(t->s, t->need, numbers * bytes);
}

static void plan(struct task *t)
{
	const size_t each = dtype_bytes(t->a->dtype), n = t->n;

	t->h = room(t, n * n, each);
	if (!t->z.vectors)
		return;
	if (t->a->dtype == FLOAT32)
		t->p32 = room(t, t->m * n, each);
	if (!dense_has(t->a, right_of(t)))
		t->right = room(t, t->z.k * n, each);
	t->order = room(t, n, sizeof(int32_t));
	t->signs = room(t, n, sizeof(int32_t));
}

void svd_polar_need(struct need *n, const struct sheet *d,
                    const struct args *a)
{
	struct task t = task_of(a);
	const struct blas_gemm most = left_product(&t);

	t.need = n;
	plan(&t);
	polar_spectrum_need(n, d, a->dtype, t.z.stack, t.m, t.n);
	if (t.z.vectors)
		blas_gemm_need(n, d, a->dtype, &most);
}

/* --- the factors of matrix i of the stack */

/* The rows of R^T: element j of row i is at + i down + j along. */
struct rows {
	struct buf b;
	size_t at, down, along;
};

static struct rows right_rows(const struct task *t, size_t i)
{
	const size_t k = t->z.k, n = t->n;

	if (t->right.id)
		return (struct rows){ t->right, 0, n, 1 };
	return (struct rows){
		.b = seq_output(t->s, &t->a->out[right_of(t)]),
		.at = i * k * n, .down = t->turned ? 1 : n,
		.along = t->turned ? k : 1,
	};
}

/* L = P V, where the rows of R^T are V's columns. */
static void give_left(const struct task *t, size_t i, const struct rows *r)
{
	const struct blas_gemm g = left_product(t);
	const size_t k = t->z.k;
	struct blas_part p = { .b = polar_factor(&t->p, t->p32), .ld = t->n };
	struct blas_part v = { .b = r->b, .at = r->at, .ld = r->down };
	const struct blas_part l = {
		.b = seq_output(t->s, &t->a->out[left_of(t)]),
		.at = i * k * t->m, .ld = t->turned ? t->m : k,
	};

	if (r->along != 1) {
		v.ld = r->along;
		v.transposed = true;
	}
	if (t->turned) {
		p.transposed = true;
		blas_gemm(t->s, &g, &v, &p, &l);
	} else {
		v.transposed = !v.transposed;
		blas_gemm(t->s, &g, &p, &v, &l);
	}
}

/* The host's memory for a matrix: eigenvalues, singular values in A's type, the
 * order of the eigenvalues, and their signs in that order. */
struct numbers {
	double *w, *values;
	int32_t *order, *signs;
};

static void give_values(const struct task *t, size_t i,
                        const struct numbers *x)
{
	const size_t size = t->z.k * dtype_bytes(t->a->dtype);

	for (size_t k = 0; k < t->z.k; k++) {
		const double value = fabs(x->w[x->order[k]]);

		if (t->a->dtype == FLOAT32)
			((float *)x->values)[k] = (float)value;
		else
			x->values[k] = value;
	}
	seq_write(t->s, seq_output(t->s, &t->a->out[SVD_S]), i * size,
	          x->values, size);
}

/* Changes the signs of the rows of R^T that belong to negative eigenvalues. */
static void turn(const struct task *t, const struct rows *r,
                 const struct numbers *x)
{
	const size_t n = t->n, count = t->z.k * n;
	bool any = false;

	for (size_t k = 0; k < t->z.k; k++) {
		x->signs[k] = x->w[x->order[k]] < 0 ? -1 : 1;
		any |= x->signs[k] < 0;
	}
	if (!any)
		return;
	seq_write(t->s, t->signs, 0, x->signs, t->z.k * sizeof *x->signs);
	seq_launch(t->s, "svd_turn", GRID1(count, ITEMS), ARG_BUF(r->b),
	           ARG_INT(n), ARG_BUF(t->signs), ARG_LONG(count),
	           ARG_LONG(r->at), ARG_LONG(r->down), ARG_LONG(r->along));
}

static void give_vectors(const struct task *t, size_t i,
                         const struct numbers *x)
{
	const size_t n = t->n, count = t->z.k * n;
	const struct rows r = right_rows(t, i);

	seq_write(t->s, t->order, 0, x->order, n * sizeof *x->order);
	seq_launch(t->s, "svd_take", GRID1(count, ITEMS), ARG_BUF(t->h),
	           ARG_INT(n), ARG_BUF(t->order), ARG_LONG(count),
	           ARG_LONG(r.at), ARG_LONG(r.down), ARG_LONG(r.along),
	           ARG_BUF(r.b));
	if (dense_has(t->a, left_of(t)))
		give_left(t, i, &r);
	turn(t, &r, x);
}

/* Decomposes matrix i. Sets *done to false if polar_spectrum() cannot decompose
 * it, and LAPACK must. */
static int one(struct task *t, size_t i, const struct numbers *x, bool *done)
{
	const struct polar_source a = {
		.b = seq_input(t->s, &t->a->in[0]), .at = i * t->m * t->n,
		.transposed = t->turned,
	};

	if (polar_spectrum(&t->p, &a, t->h, t->z.vectors, x->w, done) < 0)
		return -1;
	if (!*done)
		return 0;
	polar_order(x->w, t->n, x->order);
	if (dense_has(t->a, SVD_S))
		give_values(t, i, x);
	if (t->z.vectors)
		give_vectors(t, i, x);
	seq_progress(t->s, (double)(i + 1) / (double)t->z.stack);
	return seq_failed(t->s) ? -1 : 0;
}

static int all(struct task *t, const struct numbers *x, int32_t *status)
{
	const struct blas_gemm most = left_product(t);

	plan(t);
	t->p = polar_of(t->s, t->m, t->n);
	if (t->z.vectors)
		t->tensor = blas_tensor_of(t->s, &most);
	for (size_t i = 0; i < t->z.stack; i++) {
		bool done;

		if (one(t, i, x, &done) < 0)
			return -1;
		status[i] = !done;
	}
	return 0;
}

int svd_polar(struct seq *s, struct args *a)
{
	struct task t = task_of(a);
	const size_t n = t.n;
	struct numbers x;
	int32_t *status;
	double *host;
	int rc;

	if (!svd_polar_fits(a, seq_sheet(s)))
		return svd_bidiagonal(s, a);
	host = malloc((3 * n + t.z.stack) * sizeof *host);
	if (!host)
		return err_set(seq_err(s), ERR_MEMORY, "svd: no memory for %zu "
		               "singular values", n);
	t.s = s;
	x = (struct numbers){ host, host + n, (int32_t *)(host + 2 * n),
	                      (int32_t *)(host + 2 * n) + n };
	status = (int32_t *)(host + 3 * n);
	rc = all(&t, &x, status);
	if (rc == 0)
		rc = svd_repair(s, a, status);
	free(host);
	return rc < 0 ? -1 : seq_finish(s);
}

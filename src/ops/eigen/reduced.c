/* reduced.c - computes all eigenvalues of a general matrix, and all
 * eigenvectors, with the device's help; see many.h. The device reduces the
 * matrix to the Hessenberg form H = Q^T A Q, in float64. The QR algorithm on
 * the host reduces H to T = Z^T H Z, which is quasi-triangular, and LAPACK
 * computes the eigenvectors Y of T. The device computes X = Q Z Y. */
#include <stdlib.h>

#include "base/size.h"
#include "ops/blas/gemm.h"
#include "ops/eigen/many.h"
#include "ops/eigen/multishift.h"
#include "ops/hessenberg/hessenberg.h"

enum {
	LWORK = 130,			/* float64 of workspace for each row */
	/* With fewer rows the reduction by LAPACK takes less time than the
	 * launches, two for each column. All eigenvectors of 256, 512 and 1024
	 * rows take 50, 165 and 655 ms with an H200, and 51, 240 and 705 ms by
	 * LAPACK alone. */
	LEAST = 256,
	/* Most threads that the host uses. The products of the QR algorithm are
	 * too small for more: for 512 rows, 1, 4, 8 and 16 threads took 192,
	 * 160, 167 and 166 ms. */
	THREADS = 8
};

static bool is_demanded(const struct args *a)
{
	return a->param[EIGEN_P_METHOD] == EIGEN_HESSENBERG;
}

/* Returns whether method=auto should reduce the matrix on the device: the
 * device is no CPU (whose kernels have work-groups of one work-item), it is
 * faster than LAPACK, and it has memory for the buffers, which are about five
 * matrices. */
static bool is_worth_it(const struct args *a, const struct sheet *d,
                        const struct eigen_kernels *k)
{
	const size_t n = matrix_rows(&a->in[EIGEN_A]);
	const double bytes = (double)n * (double)lapack_ld(n) * sizeof(double);

	return a->param[EIGEN_P_METHOD] == EIGEN_AUTO && k->local > 1 &&
	       n >= LEAST && 10 * bytes <= (double)d->global_memory_bytes &&
	       bytes <= (double)d->max_allocation_bytes;
}

bool eigen_is_reduced(const struct args *a, const struct sheet *d,
                      const struct eigen_kernels *k)
{
	return d->float64 && !eigen_is_large(a) && !eigen_has_b(a) &&
	       matrix_stack(&a->in[EIGEN_A]) == 1 &&
	       a->param[EIGEN_P_STRUCTURE] != EIGEN_SYMMETRIC_STRUCTURE &&
	       (is_demanded(a) || is_worth_it(a, d, k));
}

/* A matrix while it is decomposed. The arrays of the host have columns of ld
 * elements; see lapack_ld(). */
struct task {
	struct eigen_set *set;
	const struct lapack *l;
	struct seq *s;
	size_t n, ld;
	struct hessenberg h;
	struct blas_tensor tensor;
	struct buf staging[2];		/* n * ld elements each */
	double *t, *z, *y, *work;	/* H, later T; Z and Y, NULL without
					 * vectors; workspace */
};

static struct blas_gemm square_product(size_t n)
{
	return (struct blas_gemm){ .stack = 1, .m = n, .n = n, .k = n,
	                           .alpha = 1 };
}

void eigen_reduced_need(struct need *need, const struct sheet *d, size_t n)
{
	const struct blas_gemm most = square_product(n);
	const size_t bytes = n * lapack_ld(n) * sizeof(double);

	hessenberg_need(need, d, FLOAT64, n);
	need_buffer(need, bytes);
	need_buffer(need, bytes);
	blas_gemm_need(need, d, FLOAT64, &most);
}

static bool has_vectors(const struct task *t)
{
	return t->set->right || t->set->left;
}

/* Returns false if there is no memory. */
static bool task_init(struct task *t, struct eigen_set *set,
                      const struct lapack *l)
{
	const size_t n = set->n, ld = lapack_ld(n), all = n * ld;

	*t = (struct task){
		.set = set, .l = l, .s = set->device, .n = n, .ld = ld,
	};
	t->t = malloc(all * sizeof *t->t);
	t->z = has_vectors(t) ? malloc(all * sizeof *t->z) : NULL;
	t->y = has_vectors(t) ? malloc(all * sizeof *t->y) : NULL;
	t->work = malloc(LWORK * n * sizeof *t->work);
	return t->t && t->work && (!has_vectors(t) || (t->z && t->y));
}

static void task_fini(struct task *t)
{
	free(t->t);
	free(t->z);
	free(t->y);
	free(t->work);
}

/* Creates the device's buffers, reduces A, and reads H into t->t. */
static void reduce(struct task *t, const double *a)
{
	const struct blas_gemm most = square_product(t->n);
	const size_t bytes = t->n * t->ld * sizeof *a;

	for (int i = 0; i < 2; i++)
		t->staging[i] = seq_scratch(t->s, bytes);
	t->tensor = blas_tensor_of(t->s, &most);
	hessenberg_init(&t->h, t->s, t->n, t->set->low, t->set->high);
	seq_write(t->s, t->staging[0], 0, a, t->n * t->n * sizeof *a);
	hessenberg_load(&t->h, t->staging[0]);
	hessenberg_reduce(&t->h);
	hessenberg_give(&t->h, t->ld, t->staging[0]);
	seq_read(t->s, t->staging[0], 0, t->t, bytes);
}

/* Runs the QR algorithm on H. Returns -1 if there is no memory. */
static int iterate(struct task *t, bool *solved)
{
	const struct eigen_set *s = t->set;
	const struct multishift m = {
		.l = t->l, .s = t->s, .n = t->n, .ld = t->ld, .low = s->low,
		.high = s->high, .form = has_vectors(t), .h = t->t, .z = t->z,
		.re = s->re, .im = s->im,
	};

	for (size_t i = 0; t->z && i < t->n * t->ld; i++)
		t->z[i] = i % t->ld == i / t->ld;
	return multishift_run(&m, solved);
}

/* Sets x to the right (side "R") or left ("L") eigenvectors X = Q Z Y. The
 * device takes the column-major arrays for row-major ones, hence for their
 * transposes, and computes X^T = (Y^T Z^T) Q^T. */
static void find_vectors(struct task *t, const char *side, double *x)
{
	const int n = (int)t->n, ld = (int)t->ld, lwork = LWORK * n;
	const size_t bytes = t->n * t->ld * sizeof *x;
	const struct blas_part y = { .b = t->staging[0], .ld = t->ld };
	const struct blas_part z = { .b = t->staging[1], .ld = t->ld };
	const struct blas_part c = { .b = t->h.a, .ld = t->n };
	struct blas_gemm g = square_product(t->n);
	int count, info;

	seq_host_begin(t->s);
	t->l->d.trevc3(side, "A", NULL, &n, t->t, &ld, t->y, &ld, t->y, &ld,
	               &n, &count, t->work, &lwork, &info);
	seq_host_end(t->s);
	seq_write(t->s, t->staging[0], 0, t->y, bytes);
	g.tensor = &t->tensor;
	blas_gemm(t->s, &g, &y, &z, &c);
	hessenberg_back(&t->h, t->h.a, t->n);
	seq_read(t->s, t->h.a, 0, x, t->n * t->n * sizeof *x);
}

static int decompose(struct task *t, const double *a, bool *solved)
{
	const size_t bytes = t->n * t->ld * sizeof *a;
	int rc;

	reduce(t, a);
	if (seq_failed(t->s))
		return -1;
	seq_host_begin(t->s);
	rc = iterate(t, solved);
	seq_host_end(t->s);
	if (rc < 0 || !*solved || !has_vectors(t))
		return rc;
	seq_write(t->s, t->staging[1], 0, t->z, bytes);
	if (t->set->right)
		find_vectors(t, "R", t->set->right);
	if (t->set->left)
		find_vectors(t, "L", t->set->left);
	return seq_failed(t->s) ? -1 : 0;
}

static void set_threads(const struct lapack *l, int most)
{
	if (l->set_threads)
		l->set_threads(most < l->threads ? most : l->threads);
}

int eigen_reduced(struct eigen_set *s, const struct lapack *l, const double *a,
                  bool *solved)
{
	const enum dtype before = seq_dtype(s->device);
	struct task t;
	int rc = task_init(&t, s, l) ? 0 : -1;

	/* The caller has called seq_host_begin(), and calls seq_host_end()
	 * later. Between the two calls the device must not be used. */
	seq_host_end(s->device);
	seq_set_dtype(s->device, FLOAT64);
	set_threads(l, THREADS);
	if (rc == 0)
		rc = decompose(&t, a, solved);
	set_threads(l, s->n <= LAPACK_ROWS_OF_ONE_THREAD ? 1 : l->threads);
	seq_set_dtype(s->device, before);
	seq_host_begin(s->device);
	task_fini(&t);
	return rc;
}

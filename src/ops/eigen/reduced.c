/* reduced.c - computes all eigenvalues of a general matrix, and all
 * eigenvectors, on the device; see many.h. The device reduces the matrix to the
 * Hessenberg form H = Q^T A Q, in float64, H by the QR algorithm to the
 * quasi-triangular T = Z^T H Z (ops/schur/schur.h), and computes the
 * eigenvectors Y of T and X = Q Z Y. The host runs the QR algorithm and
 * computes Y by LAPACK where the matrix is small, where the device has too
 * small work-groups, or where its iteration has not converged. */
#include <stdlib.h>

#include "base/size.h"
#include "matrix/pages.h"
#include "ops/blas/gemm.h"
#include "ops/eigen/many.h"
#include "ops/eigen/multishift.h"
#include "ops/hessenberg/hessenberg.h"
#include "ops/schur/schur.h"
#include "shared/schur_tile.h"

enum {
	LWORK = 130,			/* float64 of workspace for each row */
	/* With fewer rows LAPACK takes less time than the launches, two for
	 * each column. All eigenvectors of 512 rows take 111 ms with an H200,
	 * and 240 ms by LAPACK on its host; those of 1024 rows 306 and 705
	 * ms. */
	LEAST = 256,
	/* Most threads that the host uses if it runs the QR algorithm, whose
	 * products are too small for more: for 512 rows, 1, 4, 8 and 16 threads
	 * took 192, 160, 167 and 166 ms. For the windows of the device's
	 * algorithm it uses one. */
	THREADS = 8,
	/* With fewer rows the host alone runs the QR algorithm. */
	LEAST_SCHUR = 64
};

static bool is_demanded(const struct args *a)
{
	return a->param[EIGEN_P_METHOD] == EIGEN_HESSENBERG;
}

/* Returns whether method=auto should reduce the matrix on the device: the
 * device is no CPU (whose kernels have work-groups of one work-item), it is
 * faster than LAPACK, and it has memory for the buffers, which are about six
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
	struct schur schur;		/* used if runs_on_device() */
	struct blas_tensor tensor;
	struct buf staging[2];		/* n * ld elements each */
	bool on_device;			/* the QR algorithm runs on the device
					 * first */
	bool formed;			/* schur.t holds the final T */
	size_t z_ld;			/* leading dimension of Z^T, which is
					 * in staging[1] */
	double *t, *z, *y, *work;	/* H, later T; Z and Y, NULL without
					 * vectors; workspace */
	double *whole;			/* room for the n x n matrices that are
					 * read from the device */
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
	for (int i = 0; i < 3; i++)
		need_buffer(need, bytes);
	schur_need(need, n);
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
	t->t = pages_new(all * sizeof *t->t);
	t->z = has_vectors(t) ? pages_new(all * sizeof *t->z) : NULL;
	t->y = has_vectors(t) ? pages_new(all * sizeof *t->y) : NULL;
	t->work = malloc(LWORK * n * sizeof *t->work);
	t->whole = pages_new(n * n * sizeof *t->whole);
	return t->t && t->work && t->whole &&
	       (!has_vectors(t) || (t->z && t->y));
}

static void task_fini(struct task *t)
{
	free(t->t);
	free(t->z);
	free(t->y);
	free(t->work);
	free(t->whole);
	schur_fini(&t->schur);
}

/* Returns whether the device runs the QR algorithm: the matrix is large enough,
 * and the device supports the size of its kernels' work-groups. */
static bool runs_on_device(const struct task *t)
{
	return t->set->high >= t->set->low + LEAST_SCHUR &&
	       seq_sheet(t->s)->max_work_group_size >= SCHUR_GROUP;
}

/* Creates the device's buffers and reduces A. */
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
}

static void set_threads(const struct lapack *l, int most)
{
	if (l->set_threads)
		l->set_threads(most < l->threads ? most : l->threads);
}

/* --- the QR algorithm */

/* Reads H into t->t, and sets Z = I. */
static void begin_on_host(struct task *t)
{
	hessenberg_give(&t->h, t->ld, t->staging[0]);
	seq_read(t->s, t->staging[0], 0, t->t, t->n * t->ld * sizeof *t->t);
	for (size_t i = 0; t->z && i < t->n * t->ld; i++)
		t->z[i] = i % t->ld == i / t->ld;
}

/* Reads T and, with vectors, Z from the device after schur_run(). */
static void take(struct task *t)
{
	const size_t n = t->n, bytes = n * n * sizeof *t->t;
	double *const x = t->whole;

	seq_read(t->s, t->schur.t, 0, x, bytes);
	lapack_transpose(x, n, n, n, sizeof *x, t->t, t->ld);
	if (!t->z)
		return;
	seq_read(t->s, t->schur.z, 0, x, bytes);
	lapack_copy(x, n, n, n, sizeof *x, t->z, t->ld);
}

/* Runs the QR algorithm on the host, on t->t. Returns -1 if there is no
 * memory. */
static int iterate(struct task *t, bool *solved)
{
	const struct eigen_set *s = t->set;
	const struct multishift m = {
		.l = t->l, .s = t->s, .n = t->n, .ld = t->ld, .low = s->low,
		.high = s->high, .form = has_vectors(t), .h = t->t, .z = t->z,
		.re = s->re, .im = s->im,
	};
	int rc;

	if (seq_failed(t->s))
		return -1;
	set_threads(t->l, THREADS);
	seq_host_begin(t->s);
	rc = multishift_run(&m, solved);
	seq_host_end(t->s);
	if (t->z)
		seq_write(t->s, t->staging[1], 0, t->z,
		          t->n * t->ld * sizeof *t->z);
	t->z_ld = t->ld;
	return rc;
}

/* Runs the QR algorithm on the device. Returns and sets *solved as schur_run()
 * does. */
static int iterate_on_device(struct task *t, bool *solved)
{
	struct schur *const c = &t->schur;

	*c = (struct schur){
		.s = t->s, .l = t->l, .n = t->n, .low = t->set->low,
		.high = t->set->high, .form = has_vectors(t),
		.t = seq_scratch(t->s, t->n * t->n * sizeof(double)),
		.z = t->staging[1], .re = t->set->re, .im = t->set->im,
	};
	t->z_ld = t->n;
	set_threads(t->l, 1);
	return schur_init(c) < 0 ? -1 : schur_run(c, t->h.a, solved);
}

/* Computes T and Z, on the device or, where it cannot or its iteration has not
 * converged, on the host. T is in schur.t if t->formed is set, else in t->t. */
static int find_form(struct task *t, bool *solved)
{
	*solved = false;
	if (!t->on_device)
		begin_on_host(t);
	else if (iterate_on_device(t, solved) < 0)
		return -1;
	t->formed = *solved;
	if (t->on_device && !*solved)
		take(t);
	return *solved ? 0 : iterate(t, solved);
}

/* --- eigenvectors */

/* Stores the eigenvectors of T in the rows of staging[0], as the host computes
 * them, and returns their leading dimension. */
static size_t find_on_host(struct task *t, const char *side)
{
	const int n = (int)t->n, ld = (int)t->ld, lwork = LWORK * n;
	int count, info;

	seq_host_begin(t->s);
	t->l->d.trevc3(side, "A", NULL, &n, t->t, &ld, t->y, &ld, t->y, &ld,
	               &n, &count, t->work, &lwork, &info);
	seq_host_end(t->s);
	seq_write(t->s, t->staging[0], 0, t->y, t->n * t->ld * sizeof *t->y);
	return t->ld;
}

/* Sets x to the right (side "R") or left ("L") eigenvectors X = Q Z Y. The
 * device takes the column-major arrays for row-major ones, hence for their
 * transposes, and computes X^T = (Y^T Z^T) Q^T. */
static void find_vectors(struct task *t, const char *side, double *x)
{
	struct blas_part y = { .b = t->staging[0], .ld = t->n };
	const struct blas_part z = { .b = t->staging[1], .ld = t->z_ld };
	const struct blas_part c = { .b = t->h.a, .ld = t->n };
	struct blas_gemm g = square_product(t->n);

	if (!t->formed)
		y.ld = find_on_host(t, side);
	else if (side[0] == 'R')
		schur_right_vectors(&t->schur, y.b);
	else
		schur_left_vectors(&t->schur, t->h.a, y.b);
	g.tensor = &t->tensor;
	blas_gemm(t->s, &g, &y, &z, &c);
	hessenberg_back(&t->h, t->h.a, t->n);
	seq_read(t->s, t->h.a, 0, x, t->n * t->n * sizeof *x);
}

static int decompose(struct task *t, const double *a, bool *solved)
{
	const size_t bytes = t->n * t->n * sizeof *a;

	t->on_device = runs_on_device(t);
	reduce(t, a);
	/* Meanwhile the device reduces. */
	if (t->set->right)
		pages_bring(t->set->right, bytes, true);
	if (t->set->left)
		pages_bring(t->set->left, bytes, true);
	if (seq_failed(t->s) || find_form(t, solved) < 0)
		return -1;
	if (*solved && t->set->right)
		find_vectors(t, "R", t->set->right);
	if (*solved && t->set->left)
		find_vectors(t, "L", t->set->left);
	return seq_failed(t->s) ? -1 : 0;
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
	if (rc == 0)
		rc = decompose(&t, a, solved);
	set_threads(l, s->n <= LAPACK_ROWS_OF_ONE_THREAD ? 1 : l->threads);
	seq_set_dtype(s->device, before);
	seq_host_begin(s->device);
	task_fini(&t);
	return rc;
}

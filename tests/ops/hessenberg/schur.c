/* schur.c - T = Z^T H Z on the device: the same checks as in multishift.c, and
 * the residuals of T's eigenvectors. */
#include <string.h>

#include "ops/schur/schur.h"
#include "tests/ops/hessenberg/hessenberg.h"

/* A problem and its results; the matrices are n x n and column-major. */
struct answer {
	size_t n, low, high, limit;
	bool form, solved;
	double *h, *t, *z, *y[2], *re, *im;	/* y: right, left
						 * eigenvectors */
};

static void answer_init(struct answer *a, hessenberg_element_fn *f, size_t n,
                        size_t low, size_t high, bool form)
{
	double *const x = calloc(5 * n * n + 2 * n, sizeof *x);

	*a = (struct answer){
		.n = n, .low = low, .high = high, .form = form, .h = x,
		.t = x + n * n, .z = x + 2 * n * n,
		.y = { x + 3 * n * n, x + 4 * n * n },
		.re = x + 5 * n * n, .im = x + 5 * n * n + n,
	};
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < n; i++)
			a->h[i + j * n] = i > j && (j < low || i >= high) ? 0 :
			                  f(i, j, n);
}

static void transpose(double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			const double t = x[i * n + j];

			x[i * n + j] = x[j * n + i];
			x[j * n + i] = t;
		}
}

/* Runs the algorithm on H, which it takes in row-major order. */
static void run(struct answer *a)
{
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, FLOAT64, TIMING_NONE, &e);
	const size_t n = a->n, bytes = n * n * sizeof *a->h;
	struct schur c = {
		.s = s, .l = lapack_load(NULL, n, &e), .n = n, .low = a->low,
		.high = a->high, .limit = a->limit, .form = a->form,
		.t = seq_scratch(s, bytes),
		.z = seq_scratch(s, bytes), .re = a->re, .im = a->im,
	};
	const struct buf h = seq_scratch(s, bytes), y = seq_scratch(s, bytes);

	memcpy(a->t, a->h, bytes);
	transpose(a->t, n);
	seq_write(s, h, 0, a->t, bytes);
	ck_assert_int_eq(schur_init(&c), 0);
	ck_assert_int_eq(schur_run(&c, h, &a->solved), 0);
	seq_read(s, c.t, 0, a->t, bytes);
	seq_read(s, c.z, 0, a->z, bytes);
	if (a->form && a->solved) {
		schur_right_vectors(&c, y);
		seq_read(s, y, 0, a->y[0], bytes);
		schur_left_vectors(&c, y, y);
		seq_read(s, y, 0, a->y[1], bytes);
	}
	ck_assert(!seq_failed(s));
	transpose(a->t, n);
	schur_fini(&c);
	seq_free(s);
}

/* Asserts that |T x - lambda x| or, if `left`, |y^H T - lambda y^H| is small
 * for the vector of eigenvalue j. The latter is |T^T y - conj(lambda) y|. */
static void assert_vector(const struct answer *a, bool left, size_t j)
{
	const size_t n = a->n, row = left ? n : 1, column = left ? 1 : n;
	const double *re = a->y[left] + j * n;
	const double *im = a->im[j] > 0 ? re + n : NULL;
	const double l = left ? -a->im[j] : a->im[j];
	double largest = 0, residual = 0;

	for (size_t i = 0; i < n; i++) {
		double p = -a->re[j] * re[i], q = -l * re[i];

		if (im) {
			p += l * im[i];
			q -= a->re[j] * im[i];
		}
		for (size_t k = 0; k < n; k++) {
			const double t = a->t[i * row + k * column];

			p += t * re[k];
			q += im ? t * im[k] : 0;
		}
		residual = fmax(residual, hypot(p, q));
		largest = fmax(largest, hypot(re[i], im ? im[i] : 0));
	}
	ck_assert_double_gt(largest, 0);
	ck_assert_double_le(residual, 10 * (double)n * largest *
	                    hessenberg_norm(a->t, n) * 0x1p-52);
}

static void one(hessenberg_element_fn *f, size_t n, size_t low, size_t high,
                bool form)
{
	struct answer a;
	struct hessenberg_form g;

	answer_init(&a, f, n, low, high, form);
	run(&a);
	ck_assert(a.solved);
	g = (struct hessenberg_form){ n, n, a.t, a.re, a.im };
	hessenberg_assert_trace(&g, a.h);
	if (form) {
		hessenberg_assert_form(&g, a.h, low, high);
		hessenberg_judge(a.h, a.t, a.z, n, 0x1p-52);
		for (size_t j = 0; j < n; j++)
			if (a.im[j] >= 0) {
				assert_vector(&a, false, j);
				assert_vector(&a, true, j);
			}
	}
	free(a.h);
}

START_TEST(every_kind_becomes_quasi_triangular_on_the_device)
{
	for (size_t k = 0; k < HESSENBERG_FORMS; k++) {
		hessenberg_element_fn *const f = hessenberg_forms[k];

		one(f, 1, 0, 1, true);
		one(f, 40, 0, 40, true);
		one(f, 150, 0, 150, true);
		one(f, 211, 0, 211, true);
		one(f, 211, 0, 211, false);
	}
}
END_TEST

START_TEST(larger_ones_have_several_chains)
{
	one(hessenberg_dense, 350, 0, 350, true);
	one(hessenberg_dense, 350, 0, 350, false);
}
END_TEST

START_TEST(triangles_beside_the_block_stay_on_the_device)
{
	one(hessenberg_dense, 220, 10, 220, true);
	one(hessenberg_dense, 220, 0, 190, true);
	one(hessenberg_dense, 220, 30, 200, true);
	one(hessenberg_dense, 220, 30, 200, false);
}
END_TEST

/* After too few deflations, T is a Hessenberg matrix that is orthogonally
 * similar to H. */
START_TEST(an_iteration_may_end_early)
{
	const size_t n = 150;
	struct answer a;

	answer_init(&a, hessenberg_dense, n, 0, n, true);
	a.limit = 4;
	run(&a);
	ck_assert(!a.solved);
	for (size_t j = 0; j < n; j++)
		for (size_t i = j + 2; i < n; i++)
			ck_assert_double_eq(a.t[i + j * n], 0);
	hessenberg_judge(a.h, a.t, a.z, n, 0x1p-52);
	free(a.h);
}
END_TEST

void hessenberg_schur_tests(TCase *c)
{
	tcase_add_test(c, every_kind_becomes_quasi_triangular_on_the_device);
	tcase_add_test(c, larger_ones_have_several_chains);
	tcase_add_test(c, triangles_beside_the_block_stay_on_the_device);
	tcase_add_test(c, an_iteration_may_end_early);
}

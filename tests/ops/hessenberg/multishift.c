/* multishift.c - T = Z^T H Z: |H - Z T Z^T| / (n |H| eps) and |I - Z Z^T| /
 * (n eps) in the 1-norm, the form of T, and the eigenvalues without Z. */
#include "ops/eigen/multishift.h"
#include "tests/ops/hessenberg/hessenberg.h"

/* Its eigenvalues are the roots of unity, which shifts from the deflation
 * window, 0, do not approach. */
static double cycle(size_t i, size_t j, size_t n)
{
	return i == j + 1 || (i == 0 && j + 1 == n);
}

static double clement(size_t i, size_t j, size_t n)
{
	return j == i + 1 ? (double)j : i == j + 1 ? (double)(n - i) : 0;
}

static double jordan(size_t i, size_t j, size_t n)
{
	return n && (i == j || j == i + 1);
}

/* Falls apart into blocks of 1 to 7 rows. */
static double blocks(size_t i, size_t j, size_t n)
{
	return i == j + 1 && i * i % 7 == 1 ? 0 :
	       hessenberg_random(i, j, n) * (i <= j + 1);
}

static double graded(size_t i, size_t j, size_t n)
{
	return i > j + 1 ? 0 : hessenberg_random(i, j, n) *
	                       ldexp(1, -(int)(100 * i / n));
}

double hessenberg_dense(size_t i, size_t j, size_t n)
{
	return i > j + 1 ? 0 : hessenberg_random(i, j, n);
}

static double symmetric(size_t i, size_t j, size_t n)
{
	return i == j ? 2 : (i == j + 1 || j == i + 1) * (n ? -1 : 0);
}

hessenberg_element_fn *const hessenberg_forms[HESSENBERG_FORMS] = {
	hessenberg_dense, cycle, clement, jordan, blocks, graded, symmetric,
	hessenberg_grcar, hessenberg_frank, hessenberg_zero,
};

void hessenberg_assert_form(const struct hessenberg_form *f, const double *h,
                            size_t low, size_t high)
{
	const double *t = f->t;
	const size_t n = f->n, ld = f->ld;

	for (size_t j = 0; j < n; j++)
		for (size_t i = j + 2; i < n; i++)
			ck_assert_double_eq(t[i + j * ld], 0);
	for (size_t j = 0; j + 1 < n; j++) {
		const double below = t[j + 1 + j * ld];

		ck_assert_double_eq(f->re[j], t[j + j * ld]);
		if (below == 0)
			continue;
		ck_assert(j >= low && j + 1 < high && f->im[j] > 0);
		ck_assert_double_eq(f->im[j + 1], -f->im[j]);
		ck_assert_double_eq(f->re[j + 1], f->re[j]);
		ck_assert(j + 2 == n || t[j + 2 + (j + 1) * ld] == 0);
		ck_assert_double_lt(below * t[j + (j + 1) * ld], 0);
	}
	for (size_t i = 0; i < n; i++)
		ck_assert((i >= low && i < high) || h[i + i * n] == f->re[i]);
}

void hessenberg_assert_trace(const struct hessenberg_form *f, const double *h)
{
	const double norm = hessenberg_norm(h, f->n);
	double sum = 0, mean = 0;

	for (size_t i = 0; i < f->n; i++) {
		sum += f->re[i] - h[i + i * f->n];
		mean += f->im[i];
	}
	ck_assert_double_le(fabs(sum), 30 * (double)f->n * norm * 0x1p-52);
	ck_assert_double_eq(mean, 0);
}

static void solve(const double *h, size_t n, size_t low, size_t high,
                  bool form)
{
	struct err e = { 0 };
	const size_t ld = lapack_ld(n);
	double *numbers = calloc(2 * n + 2 * n * ld, sizeof *numbers);
	double *dense_t = calloc(n * n, sizeof *dense_t);
	double *dense_z = calloc(n * n, sizeof *dense_z);
	const struct multishift m = {
		.l = lapack_load(NULL, n, &e), .n = n, .ld = ld, .low = low,
		.high = high, .form = form, .h = numbers + 2 * n,
		.z = form ? numbers + 2 * n + n * ld : NULL, .re = numbers,
		.im = numbers + n,
	};
	const struct hessenberg_form f = { n, ld, m.h, m.re, m.im };
	bool solved = false;

	ck_assert_ptr_nonnull(m.l);
	for (size_t j = 0; j < n; j++) {
		numbers[2 * n + n * ld + j * ld + j] = 1;
		for (size_t i = 0; i < n; i++)
			m.h[i + j * ld] = h[i + j * n];
	}
	ck_assert_int_eq(multishift_run(&m, &solved), 0);
	ck_assert(solved);
	hessenberg_assert_trace(&f, h);
	for (size_t i = 0; i < n * n && form; i++) {
		dense_t[i] = m.h[i % n + i / n * ld];
		dense_z[i] = m.z[i % n + i / n * ld];
	}
	if (form) {
		hessenberg_assert_form(&f, h, low, high);
		hessenberg_judge(h, dense_t, dense_z, n, 0x1p-52);
	}
	free(numbers);
	free(dense_t);
	free(dense_z);
}

static void one(hessenberg_element_fn *f, size_t n, size_t low, size_t high)
{
	double *h = calloc(n * n, sizeof *h);

	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < n; i++)
			h[i + j * n] = i > j && (j < low || i >= high) ? 0 :
			               f(i, j, n);
	solve(h, n, low, high, true);
	solve(h, n, low, high, false);
	free(h);
}

START_TEST(every_kind_becomes_quasi_triangular)
{
	for (size_t k = 0; k < HESSENBERG_FORMS; k++) {
		hessenberg_element_fn *const f = hessenberg_forms[k];

		one(f, 1, 0, 1);
		one(f, 40, 0, 40);
		one(f, 150, 0, 150);
		one(f, 211, 0, 211);
	}
}
END_TEST

START_TEST(larger_ones_take_more_shifts)
{
	one(hessenberg_dense, 350, 0, 350);
	one(cycle, 350, 0, 350);
	one(hessenberg_dense, 610, 0, 610);
}
END_TEST

START_TEST(triangles_beside_the_block_stay)
{
	one(hessenberg_dense, 220, 10, 220);
	one(hessenberg_dense, 220, 0, 190);
	one(hessenberg_dense, 220, 30, 200);
	one(hessenberg_dense, 220, 100, 100);
}
END_TEST

void hessenberg_multishift_tests(TCase *c)
{
	tcase_add_test(c, every_kind_becomes_quasi_triangular);
	tcase_add_test(c, larger_ones_take_more_shifts);
	tcase_add_test(c, triangles_beside_the_block_stay);
}

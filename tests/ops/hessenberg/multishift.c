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

static double dense(size_t i, size_t j, size_t n)
{
	return i > j + 1 ? 0 : hessenberg_random(i, j, n);
}

static double symmetric(size_t i, size_t j, size_t n)
{
	return i == j ? 2 : (i == j + 1 || j == i + 1) * (n ? -1 : 0);
}

static hessenberg_element_fn *const kinds[] = {
	dense, cycle, clement, jordan, blocks, graded, symmetric,
	hessenberg_grcar, hessenberg_frank, hessenberg_zero,
};

/* Every column has at most one element below the diagonal. Where there is one,
 * the 2 x 2 block has the complex eigenvalues that re and im say. */
static void assert_form(const struct multishift *m, const double *h,
                        size_t low, size_t high)
{
	const double *t = m->h;
	const size_t n = m->n, ld = m->ld;

	for (size_t j = 0; j < n; j++)
		for (size_t i = j + 2; i < n; i++)
			ck_assert_double_eq(t[i + j * ld], 0);
	for (size_t j = 0; j + 1 < n; j++) {
		const double below = t[j + 1 + j * ld];

		ck_assert_double_eq(m->re[j], t[j + j * ld]);
		if (below == 0)
			continue;
		ck_assert(j >= low && j + 1 < high && m->im[j] > 0);
		ck_assert_double_eq(m->im[j + 1], -m->im[j]);
		ck_assert_double_eq(m->re[j + 1], m->re[j]);
		ck_assert(j + 2 == n || t[j + 2 + (j + 1) * ld] == 0);
		ck_assert_double_lt(below * t[j + (j + 1) * ld], 0);
	}
	for (size_t i = 0; i < n; i++)
		ck_assert((i >= low && i < high) || h[i + i * n] == m->re[i]);
}

/* The trace and, unless `form`, nothing else of the answer is known. */
static void assert_trace(const struct multishift *m, const double *h,
                         double norm)
{
	double sum = 0, mean = 0;

	for (size_t i = 0; i < m->n; i++) {
		sum += m->re[i] - h[i + i * m->n];
		mean += m->im[i];
	}
	ck_assert_double_le(fabs(sum), 30 * (double)m->n * norm * 0x1p-52);
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
		.l = lapack_load(n, &e), .n = n, .ld = ld, .low = low,
		.high = high, .form = form, .h = numbers + 2 * n,
		.z = form ? numbers + 2 * n + n * ld : NULL, .re = numbers,
		.im = numbers + n,
	};
	bool solved = false;

	ck_assert_ptr_nonnull(m.l);
	for (size_t j = 0; j < n; j++) {
		numbers[2 * n + n * ld + j * ld + j] = 1;
		for (size_t i = 0; i < n; i++)
			m.h[i + j * ld] = h[i + j * n];
	}
	ck_assert_int_eq(multishift_run(&m, &solved), 0);
	ck_assert(solved);
	assert_trace(&m, h, hessenberg_norm(h, n));
	for (size_t i = 0; i < n * n && form; i++) {
		dense_t[i] = m.h[i % n + i / n * ld];
		dense_z[i] = m.z[i % n + i / n * ld];
	}
	if (form) {
		assert_form(&m, h, low, high);
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
	for (size_t k = 0; k < COUNT(kinds); k++) {
		one(kinds[k], 1, 0, 1);
		one(kinds[k], 40, 0, 40);
		one(kinds[k], 150, 0, 150);
		one(kinds[k], 211, 0, 211);
	}
}
END_TEST

START_TEST(larger_ones_take_more_shifts)
{
	one(dense, 350, 0, 350);
	one(cycle, 350, 0, 350);
	one(dense, 610, 0, 610);
}
END_TEST

START_TEST(triangles_beside_the_block_stay)
{
	one(dense, 220, 10, 220);
	one(dense, 220, 0, 190);
	one(dense, 220, 30, 200);
	one(dense, 220, 100, 100);
}
END_TEST

void hessenberg_multishift_tests(TCase *c)
{
	tcase_add_test(c, every_kind_becomes_quasi_triangular);
	tcase_add_test(c, larger_ones_take_more_shifts);
	tcase_add_test(c, triangles_beside_the_block_stay);
}

/* hessenberg.c - H = Q^T A Q: |A - Q H Q^T| / (n |A| eps) and
 * |I - Q Q^T| / (n eps) in the 1-norm (LAPACK's DCHKHS), for every kind of
 * matrix, size and active block. */
#include "ops/hessenberg/hessenberg.h"
#include "tests/ops/hessenberg/hessenberg.h"

static double upper(size_t i, size_t j, size_t n)
{
	return n && i <= j ? hessenberg_random(i, j, n) : 0;
}

static double already(size_t i, size_t j, size_t n)
{
	return n && i <= j + 1 ? hessenberg_random(i, j, n) : 0;
}

static double companion(size_t i, size_t j, size_t n)
{
	return j + 1 == n ? hessenberg_random(i, j, n) : i == j + 1;
}

/* Its transpose is not Hessenberg. */
static double companion_below(size_t i, size_t j, size_t n)
{
	return companion(j, i, n);
}

static double badly_scaled(size_t i, size_t j, size_t n)
{
	const int power = (int)(40 * ((i + 2 * j) % n) / n);

	return hessenberg_random(i, j, n) * ldexp(1, -power);
}

static double graded(size_t i, size_t j, size_t n)
{
	return hessenberg_random(i, j, n) * ldexp(1, -(int)(120 * i / n));
}

static hessenberg_element_fn *const kinds[] = {
	hessenberg_random, upper, already, hessenberg_zero, companion,
	companion_below, hessenberg_grcar, hessenberg_frank, badly_scaled,
	graded,
};

/* A matrix that is triangular outside the rows and columns low to high - 1,
 * column-major. */
static struct matrix sample(enum dtype t, hessenberg_element_fn *f, size_t n,
                            size_t low, size_t high)
{
	struct matrix m = random_matrix(t, 1, 2, n, n);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(&m, j * n + i, i > j &&
			           (j < low || i >= high) ? 0 : f(i, j, n));
	return m;
}

static double *doubles(const struct matrix *m, size_t n, size_t ld)
{
	double *x = calloc(n * n + 1, sizeof *x);

	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < n; i++)
			x[j * n + i] = matrix_get(m, j * ld + i);
	return x;
}

static void judge(const struct matrix *a, const struct matrix *h,
                  const struct matrix *q, size_t n)
{
	double *x = doubles(a, n, n), *y = doubles(h, n, matrix_cols(h));
	double *z = doubles(q, n, n);

	for (size_t j = 0; j < n; j++)
		for (size_t i = j + 2; i < n; i++)
			ck_assert_double_eq(y[j * n + i], 0);
	hessenberg_judge(x, y, z, n, dtype_epsilon(a->dtype));
	free(x);
	free(y);
	free(z);
}

static void one(enum dtype t, hessenberg_element_fn *f, size_t n, size_t low,
                size_t high)
{
	struct matrix a = sample(t, f, n, low, high);
	struct matrix h = random_matrix(t, 2, 2, n, n + 3);
	struct matrix c = random_matrix(t, 3, 2, n, n);
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, t, TIMING_NONE, &e);
	struct hessenberg x;
	struct buf q;

	for (size_t i = 0; i < n * n; i++)
		matrix_set(&c, i, i % (n + 1) == 0);
	hessenberg_init(&x, s, n, low, high);
	hessenberg_load(&x, seq_input(s, &a));
	hessenberg_reduce(&x);
	hessenberg_give(&x, n + 3, seq_output(s, &h));
	q = seq_constant(s, matrix_data(&c), matrix_size(&c));
	hessenberg_back(&x, q, n);
	seq_read(s, q, 0, matrix_data(&c), matrix_size(&c));
	ck_ok(seq_finish(s), &e);
	seq_free(s);
	judge(&a, &h, &c, n);
	matrix_fini(&a);
	matrix_fini(&h);
	matrix_fini(&c);
}

START_TEST(every_kind_is_reduced)
{
	static const size_t sizes[] = { 1, 2, 3, 33, 34, 35, 65, 130 };

	for (size_t k = 0; k < COUNT(kinds); k++)
		for (size_t i = 0; i < COUNT(sizes); i++) {
			one(FLOAT32, kinds[k], sizes[i], 0, sizes[i]);
			one(FLOAT64, kinds[k], sizes[i], 0, sizes[i]);
		}
}
END_TEST

START_TEST(a_larger_matrix_is_reduced)
{
	one(FLOAT32, hessenberg_random, 300, 0, 300);
	one(FLOAT64, hessenberg_random, 300, 0, 300);
}
END_TEST

START_TEST(only_the_active_block_is_reduced)
{
	one(FLOAT64, hessenberg_random, 90, 5, 90);
	one(FLOAT64, hessenberg_random, 90, 0, 70);
	one(FLOAT64, hessenberg_random, 90, 7, 80);
	one(FLOAT32, hessenberg_random, 90, 7, 80);
	one(FLOAT64, hessenberg_random, 90, 40, 41);
	one(FLOAT64, hessenberg_random, 90, 40, 40);
}
END_TEST

TCase *tcase_hessenberg(void)
{
	TCase *c = tcase_create("hessenberg");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, every_kind_is_reduced);
	tcase_add_test(c, a_larger_matrix_is_reduced);
	tcase_add_test(c, only_the_active_block_is_reduced);
	hessenberg_multishift_tests(c);
	hessenberg_schur_tests(c);
	hessenberg_eigen_tests(c);
	return c;
}

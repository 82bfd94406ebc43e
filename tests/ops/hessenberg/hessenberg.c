/* hessenberg.c - H = Q^T A Q: |A - Q H Q^T| / (n |A| eps) and
 * |I - Q Q^T| / (n eps) in the 1-norm (LAPACK's DCHKHS), for every kind of
 * matrix, size and active block. */
#include "ops/hessenberg/hessenberg.h"
#include "tests/ops/hessenberg/hessenberg.h"

#define MOST_RATIO 20.0

static double random_one(size_t i, size_t j)
{
	uint64_t z = (i * 100003 + j + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	return (double)(z >> 11) * 0x1p-52 - 1;
}

static double upper(size_t i, size_t j, size_t n)
{
	return n && i <= j ? random_one(i, j) : 0;
}

static double dense(size_t i, size_t j, size_t n)
{
	return n ? random_one(i, j) : 0;
}

static double already(size_t i, size_t j, size_t n)
{
	return n && i <= j + 1 ? random_one(i, j) : 0;
}

static double zero(size_t i, size_t j, size_t n)
{
	return 0 * (double)(i + j + n);
}

static double companion(size_t i, size_t j, size_t n)
{
	return j + 1 == n ? random_one(i, j) : i == j + 1;
}

/* Its transpose is not Hessenberg. */
static double companion_below(size_t i, size_t j, size_t n)
{
	return companion(j, i, n);
}

static double grcar(size_t i, size_t j, size_t n)
{
	return n && j + 1 == i ? -1 : j >= i && j <= i + 3;
}

static double frank(size_t i, size_t j, size_t n)
{
	return i > j + 1 ? 0 : (double)(n - (i > j ? i : j)) / (double)n;
}

static double badly_scaled(size_t i, size_t j, size_t n)
{
	return random_one(i, j) * ldexp(1, -(int)(40 * ((i + 2 * j) % n) / n));
}

static double graded(size_t i, size_t j, size_t n)
{
	return random_one(i, j) * ldexp(1, -(int)(120 * i / n));
}

typedef double element_fn(size_t i, size_t j, size_t n);

static element_fn *const kinds[] = {
	dense, upper, already, zero, companion, companion_below, grcar, frank,
	badly_scaled, graded,
};

/* A matrix that is triangular outside the rows and columns low to high - 1,
 * column-major. */
static struct matrix sample(enum dtype t, element_fn *f, size_t n, size_t low,
                            size_t high)
{
	struct matrix m = random_matrix(t, 1, 2, n, n);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(&m, j * n + i, i > j &&
			           (j < low || i >= high) ? 0 : f(i, j, n));
	return m;
}

/* The largest sum of the magnitudes of a column of the column-major X - Y. */
static double distance(const double *x, const double *y, size_t n)
{
	double most = 0;

	for (size_t j = 0; j < n; j++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += fabs(x[j * n + i] - (y ? y[j * n + i] : 0));
		most = fmax(most, sum);
	}
	return most;
}

/* C = A B^T or A B, all column-major. */
static void product(const double *a, const double *b, bool transposed,
                    size_t n, double *c)
{
	for (size_t j = 0; j < n; j++) {
		for (size_t i = 0; i < n; i++)
			c[j * n + i] = 0;
		for (size_t k = 0; k < n; k++) {
			const double x = b[transposed ? k * n + j : j * n + k];

			for (size_t i = 0; i < n; i++)
				c[j * n + i] += a[k * n + i] * x;
		}
	}
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
	const double unit = (double)n * dtype_epsilon(a->dtype);
	double *x = doubles(a, n, n), *y = doubles(h, n, matrix_cols(h));
	double *z = doubles(q, n, n), *w = calloc(n * n, sizeof *w);
	double *one = calloc(n * n, sizeof *one), ratio, norm;

	for (size_t j = 0; j < n; j++) {
		one[j * n + j] = 1;
		for (size_t i = j + 2; i < n; i++)
			ck_assert_double_eq(y[j * n + i], 0);
	}
	product(z, y, false, n, w);
	product(w, z, true, n, y);
	norm = distance(x, NULL, n);
	ratio = distance(x, y, n) / (norm > 0 ? norm * unit : 1);
	ck_assert_msg(ratio <= MOST_RATIO, "n = %zu: %g", n, ratio);
	product(z, z, true, n, w);
	ratio = distance(w, one, n) / unit;
	ck_assert_msg(ratio <= MOST_RATIO, "n = %zu: Q %g", n, ratio);
	free(x);
	free(y);
	free(z);
	free(w);
	free(one);
}

static void one(enum dtype t, element_fn *f, size_t n, size_t low, size_t high)
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
	one(FLOAT32, dense, 300, 0, 300);
	one(FLOAT64, dense, 300, 0, 300);
}
END_TEST

START_TEST(only_the_active_block_is_reduced)
{
	one(FLOAT64, dense, 90, 5, 90);
	one(FLOAT64, dense, 90, 0, 70);
	one(FLOAT64, dense, 90, 7, 80);
	one(FLOAT32, dense, 90, 7, 80);
	one(FLOAT64, dense, 90, 40, 41);
	one(FLOAT64, dense, 90, 40, 40);
}
END_TEST

TCase *tcase_hessenberg(void)
{
	TCase *c = tcase_create("hessenberg");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, every_kind_is_reduced);
	tcase_add_test(c, a_larger_matrix_is_reduced);
	tcase_add_test(c, only_the_active_block_is_reduced);
	hessenberg_eigen_tests(c);
	return c;
}

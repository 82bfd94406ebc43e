/* divide.c - divide and conquer for symmetric tridiagonal matrices
 * (ops/tridiagonal/divide.h), by the kinds of matrices and the ratios of
 * LAPACK's test program dchkst. */
#include <float.h>

#include "ops/tridiagonal/divide.h"
#include "tests/ops/op.h"

enum { MOST = 1100 };

struct tridiagonal {
	size_t n;
	double d[MOST], e[MOST];
};

static double uniform(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed / 2147483648.0 - 1;
}

static void make_random(struct tridiagonal *t)
{
	unsigned seed = 7;

	for (size_t i = 0; i < t->n; i++) {
		t->d[i] = uniform(&seed);
		t->e[i] = uniform(&seed);
	}
}

static void make_121(struct tridiagonal *t)
{
	for (size_t i = 0; i < t->n; i++) {
		t->d[i] = 2;
		t->e[i] = -1;
	}
}

/* Copies of Wilkinson's W21+, glued by small elements: clusters of pairs. */
static void make_glued(struct tridiagonal *t)
{
	for (size_t i = 0; i < t->n; i++) {
		t->d[i] = fabs(10.0 - (double)(i % 21));
		t->e[i] = i % 21 == 20 ? 1e-8 : 1;
	}
}

/* Two clusters and weak couplings. */
static void make_clusters(struct tridiagonal *t)
{
	unsigned seed = 3;

	for (size_t i = 0; i < t->n; i++) {
		t->d[i] = (double)(i % 2) + 1e-10 * uniform(&seed);
		t->e[i] = 1e-10 * uniform(&seed);
	}
}

static void make_identity(struct tridiagonal *t)
{
	for (size_t i = 0; i < t->n; i++) {
		t->d[i] = 1;
		t->e[i] = 0;
	}
}

static void make_zero(struct tridiagonal *t)
{
	memset(t->d, 0, sizeof t->d);
	memset(t->e, 0, sizeof t->e);
}

static double grade(const struct tridiagonal *t, double i)
{
	return pow(10, -16 * i / (double)t->n);
}

static void make_graded(struct tridiagonal *t)
{
	for (size_t i = 0; i < t->n; i++) {
		t->d[i] = grade(t, (double)i);
		t->e[i] = grade(t, (double)i + 0.5) / 2;
	}
}

static void make_graded_back(struct tridiagonal *t)
{
	for (size_t i = 0; i < t->n; i++) {
		t->d[i] = grade(t, (double)(t->n - 1 - i));
		t->e[i] = grade(t, (double)(t->n - 1 - i) - 0.5) / 2;
	}
}

static void make_no_diagonal(struct tridiagonal *t)
{
	make_random(t);
	memset(t->d, 0, sizeof t->d);
}

/* Clement: eigenvalues -(n - 1), -(n - 3), ..., n - 1. */
static void make_clement(struct tridiagonal *t)
{
	for (size_t i = 0; i < t->n; i++) {
		t->d[i] = 0;
		t->e[i] = sqrt((double)(i + 1) * ((double)t->n - 1 -
		                                  (double)i));
	}
}

static void scale(struct tridiagonal *t, double by)
{
	make_random(t);
	for (size_t i = 0; i < t->n; i++) {
		t->d[i] *= by;
		t->e[i] *= by;
	}
}

static void make_large(struct tridiagonal *t)
{
	scale(t, 1e307);
}

static void make_small(struct tridiagonal *t)
{
	scale(t, 1e-300);
}

static void make_split(struct tridiagonal *t)
{
	make_random(t);
	for (size_t i = 0; i < t->n; i += 5)
		t->e[i] = i % 2 ? 0 : 1e-17;
}

/* A decoupled half with equal elements: half of the eigenvalues are equal. */
static void make_half_equal(struct tridiagonal *t)
{
	make_random(t);
	for (size_t i = t->n / 2; i < t->n; i++) {
		t->d[i] = 0.5;
		t->e[i] = 1e-3 * (i % 3 == 0);
	}
}

/* The spectrum of a few points each, coupled by large elements. */
static void make_pairs(struct tridiagonal *t)
{
	for (size_t i = 0; i < t->n; i++) {
		t->d[i] = (double)(i % 3);
		t->e[i] = i % 2 ? 1 : 1e-4;
	}
}

static const struct kind {
	const char *name;
	void (*make)(struct tridiagonal *t);
} kinds[] = {
	{ "random", make_random }, { "1-2-1", make_121 },
	{ "glued Wilkinson", make_glued }, { "clusters", make_clusters },
	{ "identity", make_identity }, { "zero", make_zero },
	{ "graded", make_graded }, { "graded back", make_graded_back },
	{ "no diagonal", make_no_diagonal }, { "Clement", make_clement },
	{ "large", make_large }, { "small", make_small },
	{ "splits", make_split }, { "half equal", make_half_equal },
	{ "pairs", make_pairs },
};

static double norm_of(const struct tridiagonal *t)
{
	double norm = 0;

	for (size_t i = 0; i < t->n; i++)
		norm = fmax(norm, fabs(t->d[i]) +
		            (i > 0 ? fabs(t->e[i - 1]) : 0) +
		            (i + 1 < t->n ? fabs(t->e[i]) : 0));
	return norm;
}

/* Row i of T / |T| times column j of Z. */
static double row_times(const struct tridiagonal *t, double unit, size_t i,
                        const double *z, size_t j)
{
	const size_t n = t->n;
	double x = t->d[i] / unit * z[i * n + j];

	if (i > 0)
		x += t->e[i - 1] / unit * z[(i - 1) * n + j];
	if (i + 1 < n)
		x += t->e[i] / unit * z[(i + 1) * n + j];
	return x;
}

/* The larger of the two, where NaN counts as infinite. */
static double worse(double a, double b)
{
	return isnan(b) ? INFINITY : fmax(a, b);
}

/* max |T Z - Z W| / (|T| n eps) */
static double residual(const struct tridiagonal *t, const double *w,
                       const double *z, double eps)
{
	const size_t n = t->n;
	const double norm = norm_of(t), unit = norm > 0 ? norm : 1;
	double worst = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			worst = worse(worst, fabs(row_times(t, unit, i, z, j) -
			                          w[j] / unit * z[i * n + j]));
	return worst / ((double)n * eps);
}

/* max |I - Z^T Z| / (n eps) */
static double orthogonality(size_t n, const double *z, double eps)
{
	static double sum[MOST * MOST];
	double worst = 0;

	for (size_t x = 0; x < n * n; x++)
		sum[x] = -(double)(x / n == x % n);
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j <= i; j++)
				sum[i * n + j] += z[k * n + i] * z[k * n + j];
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++)
			worst = worse(worst, fabs(sum[i * n + j]));
	return worst / ((double)n * eps);
}

static void assert_ascending(size_t n, const double *w)
{
	for (size_t i = 1; i < n; i++)
		ck_assert(w[i - 1] <= w[i]);
}

/* The difference of two spectra in units of |T| eps of that type. */
static double difference(const struct tridiagonal *t, const double *w,
                         const double *x, enum dtype type)
{
	const double norm = norm_of(t);
	double worst = 0;

	for (size_t i = 0; i < t->n && norm > 0; i++)
		worst = fmax(worst, fabs(w[i] / norm - x[i] / norm));
	return worst / dtype_epsilon(type);
}

static void assert_memory(const struct seq *s, const struct need *n)
{
	size_t all, largest;

	seq_memory(s, &all, &largest);
	ck_assert_uint_eq(n->bytes, all);
	ck_assert_uint_ge(n->largest, largest);
}

/* Computes the eigenvalues and, unless z is NULL, the eigenvectors. */
static void decompose(const struct tridiagonal *t, enum dtype type, double *w,
                      const struct matrix *z)
{
	struct err err = { 0 };
	struct seq *s = seq_new(test_device, type, TIMING_NONE, &err);
	const struct buf out = z ? seq_output(s, z) : (struct buf){ 0 };
	struct need need = { 0 };

	memcpy(w, t->d, t->n * sizeof *w);
	if (z) {
		need_matrix(&need, seq_sheet(s), z);
		tridiagonal_decompose_need(&need, seq_sheet(s), type, t->n);
		ck_ok(tridiagonal_decompose(s, t->n, w, t->e, out), &err);
	} else {
		tridiagonal_values_need(&need, seq_sheet(s), type, t->n);
		ck_ok(tridiagonal_values(s, t->n, w, t->e), &err);
	}
	assert_memory(s, &need);
	ck_ok(seq_finish(s), &err);
	seq_free(s);
	assert_ascending(t->n, w);
}

static void check(const struct kind *k, size_t n, enum dtype type)
{
	static struct tridiagonal t;
	static double w[MOST], x[MOST], y[MOST * MOST];
	const double eps = dtype_epsilon(type);
	struct matrix z = random_matrix(type, 1, 2, n, n);
	double far, turned, apart;

	t.n = n;
	k->make(&t);
	decompose(&t, type, w, &z);
	decompose(&t, type, x, NULL);
	for (size_t i = 0; i < n * n; i++)
		y[i] = matrix_get(&z, i);
	far = residual(&t, w, y, eps);
	turned = orthogonality(n, y, eps);
	apart = difference(&t, w, x, type);
	ck_assert_msg(far < 30 && turned < 30 && apart < 30 + (double)n / 4,
	              "%s, n = %zu, %s: residual %g, orthogonality %g, values "
	              "%g", k->name, n, dtype_name(type), far, turned, apart);
	matrix_fini(&z);
}

START_TEST(every_kind_is_decomposed)
{
	static const size_t sizes[] = {
		1, 2, 3, 16, 17, 31, 32, 33, 64, 65, 100, 257, 520
	};

	for (size_t i = 0; i < COUNT(sizes); i++) {
		check(&kinds[_i], sizes[i], FLOAT64);
		check(&kinds[_i], sizes[i], FLOAT32);
	}
}
END_TEST

/* The last product is large enough for tensor cores. */
START_TEST(a_large_one_is_decomposed)
{
	check(&kinds[0], MOST, FLOAT64);
	check(&kinds[0], MOST, FLOAT32);
}
END_TEST

/* The eigenvalues of tridiag(-1, 2, -1) are 2 - 2 cos(k pi / (n + 1)). */
START_TEST(values_are_those_of_the_formula)
{
	static struct tridiagonal t;
	static double w[MOST];

	t.n = MOST;
	make_121(&t);
	decompose(&t, FLOAT32, w, NULL);
	for (size_t i = 0; i < t.n; i++)
		ck_assert_double_le(fabs(w[i] - 2 + 2 * cos((double)(i + 1) *
		    acos(-1.0) / (double)(t.n + 1))), 100 * DBL_EPSILON);
}
END_TEST

START_TEST(an_infinity_is_refused)
{
	double d[3] = { 1, 2, 3 }, e[2] = { 1, INFINITY };
	struct err err = { 0 };
	struct seq *s = seq_new(test_device, FLOAT64, TIMING_NONE, &err);

	ck_assert_int_eq(tridiagonal_values(s, 3, d, e), -1);
	ck_assert_int_eq(err.code, ERR_NONFINITE);
	seq_free(s);
}
END_TEST

/* Every OpenCL call of a decomposition fails in turn. */
START_TEST(failing_calls_end_it_with_an_error)
{
	static struct tridiagonal t;
	struct matrix z = random_matrix(FLOAT64, 1, 2, (size_t)300,
	                                (size_t)300);
	int rc = -1, calls = 0;

	t.n = 300;
	for (; rc != 0; calls++) {
		struct err e = { 0 };
		struct seq *s = seq_new(test_device, FLOAT64, TIMING_NONE, &e);
		const struct buf out = seq_output(s, &z);

		make_random(&t);
		device_calls_left = calls;
		rc = tridiagonal_decompose(s, t.n, t.d, t.e, out);
		device_calls_left = -1;
		ck_assert(rc == 0 || e.code == ERR_DEVICE ||
		          e.code == ERR_MEMORY);
		seq_free(s);
	}
	ck_assert_int_gt(calls, 3);
	matrix_fini(&z);
}
END_TEST

TCase *tcase_tridiagonal(void)
{
	TCase *c = tcase_create("tridiagonal");

	tcase_set_timeout(c, 600);
	tcase_add_loop_test(c, every_kind_is_decomposed, 0, COUNT(kinds));
	tcase_add_test(c, a_large_one_is_decomposed);
	tcase_add_test(c, values_are_those_of_the_formula);
	tcase_add_test(c, an_infinity_is_refused);
	tcase_add_test(c, failing_calls_end_it_with_an_error);
	return c;
}

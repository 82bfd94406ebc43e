/* polar.c - A = U H by polar_decompose(): the backward error, the orthogonality
 * of U, and the definiteness of H, for matrices of every condition and rank. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/polar/polar.h"
#include "tests/ops/op.h"

#define THRESHOLD 50

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* --- matrices */

/* Multiplies A, m x n, by a random reflection from the left or the right. */
static void reflect(struct matrix *a, unsigned seed, bool left)
{
	const size_t m = matrix_rows(a), n = matrix_cols(a);
	const size_t length = left ? m : n, lines = left ? n : m;
	struct matrix v = random_matrix(FLOAT64, seed, 1, length);
	double norm = 0;

	for (size_t i = 0; i < length; i++)
		norm += pow(matrix_get(&v, i), 2);
	for (size_t c = 0; c < lines; c++) {
		double sum = 0;

		for (size_t i = 0; i < length; i++)
			sum += matrix_get(&v, i) *
			       matrix_get(a, left ? i * n + c : c * n + i);
		for (size_t i = 0; i < length; i++) {
			const size_t at = left ? i * n + c : c * n + i;

			matrix_set(a, at, matrix_get(a, at) - 2 * sum / norm *
			           matrix_get(&v, i));
		}
	}
	matrix_fini(&v);
}

/* A matrix with the given singular values on its diagonal, which two
 * reflections on either side hide. */
static void hide(struct matrix *a)
{
	for (unsigned k = 0; k < 4; k++)
		reflect(a, k + 1, k % 2);
}

/* Singular value i of n. */
typedef double value_fn(size_t i, size_t n);

static double place(size_t i, size_t n)
{
	return n > 1 ? (double)i / (double)(n - 1) : 0;
}

static double cond_2(size_t i, size_t n) { return pow(1e-2, place(i, n)); }
static double cond_8(size_t i, size_t n) { return pow(1e-8, place(i, n)); }
static double cond_15(size_t i, size_t n) { return pow(1e-15, place(i, n)); }
static double one_tiny(size_t i, size_t n) { return i + 1 < n ? 1 : 1e-15; }
static double one_large(size_t i, size_t n) { return i % n ? 1e-15 : 1; }
static double ones(size_t i, size_t n) { return i < n; }
static double half(size_t i, size_t n) { return 2 * i < n; }
static double single(size_t i, size_t n) { return i == 0 && n > 0; }
static double none(size_t i, size_t n) { return i > n; }

static const struct kind {
	const char *name;
	value_fn *value;		/* NULL: random elements */
	bool plain;			/* the diagonal matrix itself */
	int extreme;			/* 1: near overflow, -1: underflow */
} kinds[] = {
	{ "random", NULL, false, 0 }, { "condition 1e2", cond_2, false, 0 },
	{ "condition 1e8", cond_8, false, 0 },
	{ "condition 1e15", cond_15, false, 0 },
	{ "one tiny value", one_tiny, false, 0 },
	{ "one large value", one_large, false, 0 },
	{ "orthogonal", ones, false, 0 }, { "identity", ones, true, 0 },
	{ "half the rank", half, false, 0 },
	{ "diagonal zeros", half, true, 0 },
	{ "rank 1", single, false, 0 }, { "zero", none, true, 0 },
	{ "graded diagonal", cond_15, true, 0 },
	{ "huge", cond_2, false, 1 }, { "tiny", cond_2, false, -1 },
};

static struct matrix make(const struct kind *k, enum dtype t, size_t m,
                          size_t n)
{
	struct matrix a = random_matrix(k->value ? FLOAT64 : t, (unsigned)n, 2,
	                                m, n);
	struct matrix b;

	if (!k->value)
		return a;
	memset(matrix_data(&a), 0, matrix_size(&a));
	for (size_t i = 0; i < n; i++)
		matrix_set(&a, i * (n + 1), k->value(i, n));
	if (!k->plain)
		hide(&a);
	b = random_matrix(t, 1, 2, m, n);
	for (size_t i = 0; i < m * n; i++)
		matrix_set(&b, i, ldexp(matrix_get(&a, i), k->extreme *
		                        (t == FLOAT32 ? 120 : 1020)));
	matrix_fini(&a);
	return b;
}

/* --- the decomposition */

struct answer {
	double *u, *h;			/* m x n, n x n; H is scaled */
	double *w;			/* eigenvalues of H */
	int exponent;
	bool done;
};

static void decompose(const struct matrix *a, bool transposed,
                      struct answer *x)
{
	const size_t m = size_max(matrix_rows(a), matrix_cols(a));
	const size_t n = size_min(matrix_rows(a), matrix_cols(a));
	const size_t each = dtype_bytes(a->dtype);
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, a->dtype, TIMING_NONE, &e);
	const struct polar_source from = {
		seq_constant(s, matrix_data(a), matrix_size(a)), 0, transposed,
	};
	const struct buf h = seq_scratch(s, n * n * each);
	struct polar p = polar_of(s, m, n);
	struct matrix copy = random_matrix(a->dtype, 1, 2, n, n);
	struct need need = { 0 };
	size_t all, most;

	*x = (struct answer){ malloc(m * n * sizeof(double)),
	                      malloc(n * n * sizeof(double)),
	                      malloc(n * sizeof(double)), 0, false };
	ck_ok(polar_decompose(&p, &from, h, &x->done), &e);
	seq_read(s, p.u, 0, x->u, m * n * sizeof(double));
	seq_read(s, h, 0, matrix_data(&copy), n * n * each);
	for (size_t i = 0; i < n * n; i++)
		x->h[i] = matrix_get(&copy, i);
	x->exponent = p.exponent;
	if (x->done)
		ck_ok(polar_spectrum(&p, &from, h, false, x->w, &x->done), &e);
	polar_spectrum_need(&need, seq_sheet(s), a->dtype, 1, m, n);
	need_scratch(&need, matrix_size(a) + n * n * each, 0);
	seq_memory(s, &all, &most);
	ck_assert_uint_le(all, need.bytes);
	matrix_fini(&copy);
	seq_free(s);
}

static void release(struct answer *x)
{
	free(x->u);
	free(x->h);
	free(x->w);
}

/* |A - U H| in the Frobenius norm, for the m x n matrix op(A) scaled as H is;
 * *norm becomes |A|. */
static double product_error(const struct matrix *a, bool transposed,
                            size_t m, size_t n, const struct answer *x,
                            double *norm)
{
	double error = 0, square = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++) {
			const size_t at = transposed ? j * m + i : i * n + j;
			const double v = ldexp(matrix_get(a, at), x->exponent);
			double sum = v;

			for (size_t k = 0; k < n; k++)
				sum -= x->u[i * n + k] * x->h[k * n + j];
			error += sum * sum;
			square += v * v;
		}
	*norm = sqrt(square);
	return sqrt(error);
}

/* |I - U^T U| in the Frobenius norm. */
static double off_orthogonal(const double *u, size_t m, size_t n)
{
	double error = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			double sum = i == j;

			for (size_t k = 0; k < m; k++)
				sum -= u[k * n + i] * u[k * n + j];
			error += (1 + (i != j)) * sum * sum;
		}
	return sqrt(error);
}

static void check(const struct kind *k, enum dtype t, size_t m, size_t n,
                  bool transposed)
{
	struct matrix a = make(k, t, transposed ? n : m, transposed ? m : n);
	const double eps = dtype_epsilon(t) / 2 * THRESHOLD * (double)m;
	struct answer x;
	double norm, error;

	decompose(&a, transposed, &x);
	ck_assert_msg(x.done, "%s, %zu x %zu: not found", k->name, m, n);
	error = product_error(&a, transposed, m, n, &x, &norm);
	ck_assert_msg(error <= eps * norm, "%s, %zu x %zu: |A - U H| = %g",
	              k->name, m, n, error / norm);
	error = off_orthogonal(x.u, m, n);
	ck_assert_msg(error <= eps, "%s, %zu x %zu: |I - U^T U| = %g", k->name,
	              m, n, error);
	for (size_t i = 0; i < n; i++)
		ck_assert_double_ge(ldexp(x.w[i], x.exponent), -eps * norm);
	for (size_t i = 0; i < n * n; i++)
		ck_assert_double_eq(x.h[i], x.h[i % n * n + i / n]);
	release(&x);
	matrix_fini(&a);
}

START_TEST(every_matrix_has_its_factors)
{
	static const size_t sizes[][2] = {
		{ 1, 1 }, { 2, 2 }, { 5, 2 }, { 33, 33 }, { 65, 65 },
		{ 130, 60 },
	};

	/* Each kind and each size is tested in both types, but not each kind
	 * with each size. */
	for (size_t k = 0; k < COUNT(kinds); k++)
		for (size_t i = 0; i < COUNT(sizes); i++)
			check(&kinds[k], reals[(i + k) % 2], sizes[i][0],
			      sizes[i][1], false);
}
END_TEST

START_TEST(wide_matrices_are_decomposed_as_their_transposes)
{
	for (size_t k = 0; k < COUNT(kinds); k++)
		if (!kinds[k].value)
			check(&kinds[k], reals[k % 2], 70, 31, true);
}
END_TEST

START_TEST(large_matrices_have_their_factors)
{
	for (size_t i = 0; i < 2; i++) {
		check(&kinds[0], reals[i], 130, 130, false);
		check(&kinds[3], reals[i], 130, 130, false);
	}
}
END_TEST

/* X^T X is summed over blocks of rows, of which some are left over. */
START_TEST(tall_matrices_have_their_factors)
{
	check(&kinds[0], FLOAT32, 2049, 20, false);
	check(&kinds[8], FLOAT64, 3073, 33, false);
}
END_TEST

START_TEST(matrices_that_are_not_finite_are_refused)
{
	static const double bad[] = { NAN, INFINITY };

	for (size_t i = 0; i < 4; i++) {
		struct matrix a = random_matrix(reals[i / 2], 1, 2, (size_t)40,
		                                (size_t)35);
		struct answer x;

		matrix_set(&a, 777, bad[i % 2]);
		decompose(&a, false, &x);
		ck_assert(!x.done);
		release(&x);
		matrix_fini(&a);
	}
}
END_TEST

START_TEST(magnitudes_are_ordered)
{
	static const double w[] = { -3, -1, -0.5, 0, 2, 3.5 };
	int32_t order[6];

	polar_order(w, 6, order);
	for (size_t i = 0; i < 5; i++)
		ck_assert_double_ge(fabs(w[order[i]]), fabs(w[order[i + 1]]));
	ck_assert_int_eq(order[0], 5);
	ck_assert_int_eq(order[1], 0);
	polar_order(w, 1, order);
	ck_assert_int_eq(order[0], 0);
}
END_TEST

TCase *tcase_polar(void)
{
	TCase *c = tcase_create("polar");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, every_matrix_has_its_factors);
	tcase_add_test(c, wide_matrices_are_decomposed_as_their_transposes);
	tcase_add_test(c, large_matrices_have_their_factors);
	tcase_add_test(c, tall_matrices_have_their_factors);
	tcase_add_test(c, matrices_that_are_not_finite_are_refused);
	tcase_add_test(c, magnitudes_are_ordered);
	return c;
}

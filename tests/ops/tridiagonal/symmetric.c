/* symmetric.c - A = Z diag(w) Z^T by symmetric_decompose(): LAPACK's test
 * ratios for every kind of matrix that is a trap, and for sizes around the
 * edges of panels, work-groups and blocks of reflections. */
#include <math.h>
#include <stdlib.h>

#include "ops/tridiagonal/steps.h"
#include "ops/tridiagonal/symmetric.h"
#include "tests/ops/op.h"

#define THRESHOLD 30

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* --- matrices */

/* Element (i, j), i >= j, of an n x n matrix; x is random in (-1, 1). */
typedef double element_fn(enum dtype t, size_t i, size_t j, double x);

static double random_element(enum dtype t, size_t i, size_t j, double x)
{
	(void)t;
	(void)i;
	(void)j;
	return x;
}

static double diagonal(enum dtype t, size_t i, size_t j, double x)
{
	(void)t;
	return i == j ? x : 0;
}

static double tridiagonal(enum dtype t, size_t i, size_t j, double x)
{
	(void)t;
	return i <= j + 1 ? x : 0;
}

static double zero(enum dtype t, size_t i, size_t j, double x)
{
	(void)t;
	(void)i;
	(void)j;
	(void)x;
	return 0;
}

static double identity(enum dtype t, size_t i, size_t j, double x)
{
	(void)t;
	(void)x;
	return i == j;
}

/* Two eigenvalues, one of which is n - 1 fold but for rounding errors. */
static double clusters(enum dtype t, size_t i, size_t j, double x)
{
	return 1 + (i == j) + dtype_epsilon(t) * x;
}

static double graded(enum dtype t, size_t i, size_t j, double x)
{
	const double step = log(1e-8) / 64;

	(void)t;
	return x * exp(step * (double)((i + j) % 65));
}

static double graded_down(enum dtype t, size_t i, size_t j, double x)
{
	return i == j ? pow(t == FLOAT32 ? 1e-1 : 1e-4, (double)(i % 60)) :
	       x * pow(t == FLOAT32 ? 1e-1 : 1e-4, (double)(i % 60));
}

static double huge(enum dtype t, size_t i, size_t j, double x)
{
	(void)i;
	(void)j;
	return x * (t == FLOAT32 ? 1e35 : 1e300);
}

static double tiny(enum dtype t, size_t i, size_t j, double x)
{
	(void)i;
	(void)j;
	return x * (t == FLOAT32 ? 1e-30 : 1e-300);
}

/* Blocks on the diagonal that nothing connects. */
static double blocks(enum dtype t, size_t i, size_t j, double x)
{
	(void)t;
	return i / 7 == j / 7 ? x : 0;
}

static const struct {
	const char *name;
	element_fn *element;
} kinds[] = {
	{ "random", random_element }, { "diagonal", diagonal },
	{ "tridiagonal", tridiagonal }, { "zero", zero },
	{ "identity", identity }, { "clusters", clusters },
	{ "graded", graded }, { "graded down", graded_down },
	{ "huge", huge }, { "tiny", tiny }, { "blocks", blocks },
};

static struct matrix make(enum dtype t, size_t n, element_fn *element)
{
	struct matrix a = random_matrix(t, (unsigned)n, 2, n, n);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			const double x = element(t, i, j,
			                         matrix_get(&a, i * n + j));

			matrix_set(&a, i * n + j, x);
			matrix_set(&a, j * n + i, x);
		}
	return a;
}

/* --- ratios */

static double largest(const struct matrix *a)
{
	double most = 0;

	for (size_t i = 0; i < matrix_elements(a); i++)
		most = fmax(most, fabs(matrix_get(a, i)));
	return most;
}

/* |A - Z diag(w) Z^T| / (|A| n eps) in the Frobenius norm. */
static double residual(const struct matrix *a, const double *w,
                       const struct matrix *z)
{
	const size_t n = matrix_rows(a);
	const double unit = fmax(largest(a), 0x1p-1074);
	double error = 0, norm = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			const double x = matrix_get(a, i * n + j) / unit;
			double sum = x;

			for (size_t k = 0; k < n; k++)
				sum -= matrix_get(z, i * n + k) *
				       (w[k] / unit) *
				       matrix_get(z, j * n + k);
			error += (1 + (i != j)) * sum * sum;
			norm += (1 + (i != j)) * x * x;
		}
	return error == 0 ? 0 : sqrt(error / norm) /
	       ((double)n * dtype_epsilon(a->dtype));
}

/* |I - Z^T Z| / (n eps) in the Frobenius norm. */
static double orthogonality(const struct matrix *z)
{
	const size_t n = matrix_rows(z);
	double error = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			double sum = i == j;

			for (size_t k = 0; k < n; k++)
				sum -= matrix_get(z, k * n + i) *
				       matrix_get(z, k * n + j);
			error += (1 + (i != j)) * sum * sum;
		}
	return sqrt(error) / ((double)n * dtype_epsilon(z->dtype));
}

/* --- tests */

/* Decomposes a, and asserts that the memory that was counted is enough. Without
 * z, only the eigenvalues are computed. */
static void decompose(const struct matrix *a, double *w, struct matrix *z)
{
	const size_t n = matrix_rows(a), bytes = matrix_size(a);
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, a->dtype, TIMING_NONE, &e);
	struct need need = { 0 };
	size_t all, most;
	const struct buf x = seq_constant(s, matrix_data(a), bytes);
	const struct buf to = z ? seq_output(s, z) : (struct buf){ 0 };

	symmetric_decompose_need(&need, seq_sheet(s), a->dtype, n);
	need_scratch(&need, 2 * bytes, bytes);
	ck_ok(symmetric_decompose(s, n, x, w, to), &e);
	seq_memory(s, &all, &most);
	ck_assert_msg(all <= need.bytes && most <= need.largest, "n = %zu: "
	              "%zu bytes, %zu in one piece, are more than %zu and %zu",
	              n, all, most, need.bytes, need.largest);
	seq_free(s);
}

static void check(const char *name, const struct matrix *a)
{
	const size_t n = matrix_rows(a);
	struct matrix z = random_matrix(a->dtype, 1, 2, n, n);
	double *w = malloc(2 * n * sizeof *w), *alone = w + n, off = 0;

	decompose(a, w, &z);
	decompose(a, alone, NULL);
	for (size_t i = 0; i < n; i++) {
		ck_assert(i == 0 || w[i - 1] <= w[i]);
		off = fmax(off, fabs(alone[i] - w[i]));
	}
	ck_assert_msg(residual(a, w, &z) < THRESHOLD, "%s, n = %zu: residual "
	              "%g", name, n, residual(a, w, &z));
	ck_assert_msg(orthogonality(&z) < THRESHOLD, "%s, n = %zu: "
	              "orthogonality %g", name, n, orthogonality(&z));
	ck_assert_double_le(off, THRESHOLD * dtype_epsilon(a->dtype) *
	                         (double)n * largest(a));
	free(w);
	matrix_fini(&z);
}

START_TEST(every_kind_of_matrix_is_decomposed)
{
	static const size_t sizes[] = { 1, 2, 3, 33, 64, 65, 130 };

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (size_t k = 0; k < 2 * COUNT(kinds); k++) {
			struct matrix a = make(reals[k % 2], sizes[i],
			                       kinds[k / 2].element);

			check(kinds[k / 2].name, &a);
			matrix_fini(&a);
		}
}
END_TEST

START_TEST(several_blocks_of_reflections_are_applied)
{
	static const size_t sizes[] = { 256, 257, 258, 515 };

	for (size_t i = 0; i < 2 * COUNT(sizes); i++) {
		struct matrix a = make(reals[i % 2], sizes[i / 2],
		                       random_element);

		check("random", &a);
		matrix_fini(&a);
	}
}
END_TEST

/* With one work-group, sytrd_panel runs on every device. */
START_TEST(a_panel_in_one_launch_gives_the_same_eigenvalues)
{
	enum { N = 150 };

	for (size_t i = 0; i < COUNT(reals); i++) {
		struct matrix a = make(reals[i], N, random_element);
		struct err e = { 0 };
		struct seq *s = seq_new(test_device, a.dtype, TIMING_NONE, &e);
		const struct buf x = seq_constant(s, matrix_data(&a),
		                                  matrix_size(&a));
		double w[2][N], beside[N];

		for (size_t groups = 0; groups < 2; groups++) {
			const struct tridiagonal_form f =
			    tridiagonal_reduce_by(s, N, x, 0, groups);

			ck_ok(tridiagonal_read(&f, w[groups], beside), &e);
			ck_ok(tridiagonal_values(s, N, w[groups], beside), &e);
		}
		for (size_t k = 0; k < N; k++)
			ck_assert_double_eq_tol(w[0][k], w[1][k], 300 *
			                        dtype_epsilon(reals[i]));
		seq_free(s);
		matrix_fini(&a);
	}
}
END_TEST

START_TEST(a_nan_or_an_infinity_is_refused)
{
	for (size_t i = 0; i < 4; i++) {
		struct matrix a = make(reals[i % 2], 70, random_element);
		struct err e = { 0 };
		struct seq *s = seq_new(test_device, a.dtype, TIMING_NONE, &e);
		double w[70];

		matrix_set(&a, 69 * 70 + 68, i / 2 ? NAN : -INFINITY);
		ck_assert_int_eq(symmetric_decompose(s, 70, seq_constant(s,
		    matrix_data(&a), matrix_size(&a)), w, (struct buf){ 0 }),
		    -1);
		ck_assert_int_eq(e.code, ERR_NONFINITE);
		seq_free(s);
		matrix_fini(&a);
	}
}
END_TEST

TCase *tcase_symmetric(void)
{
	TCase *c = tcase_create("symmetric");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, every_kind_of_matrix_is_decomposed);
	tcase_add_test(c, several_blocks_of_reflections_are_applied);
	tcase_add_test(c, a_panel_in_one_launch_gives_the_same_eigenvalues);
	tcase_add_test(c, a_nan_or_an_infinity_is_refused);
	return c;
}

/* large.c - tests several eigenvalues of sparse matrices that are not made
 * dense, against LAPACK's of the dense matrix and against formulas. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "matrix/sparse.h"
#include "tests/ops/eigen/eigen.h"

enum { MOST = 20000 };			/* entries */
static struct sparse_entry entries[MOST];
static size_t count;

static void add(size_t i, size_t j, double value)
{
	const struct sparse_entry x = { (uint32_t)i, (uint32_t)j, value };

	ck_assert_uint_lt(count, MOST);
	entries[count++] = x;
}

/* Takes the entries that were added. */
static struct matrix take(size_t n, enum dtype t)
{
	struct matrix a = { .ndim = 2, .dim = { n, n } };
	struct err e = { 0 };

	ck_ok(sparse_build(&a, entries, count, test_pool, &e), &e);
	ck_ok(matrix_convert(&a, t, test_pool, &e), &e);
	count = 0;
	return a;
}

static struct matrix dense_of(const struct matrix *a)
{
	struct matrix b = matrix_ref(a);
	struct err e = { 0 };

	ck_ok(sparse_convert(&b, DENSE, test_pool, &e), &e);
	return b;
}

/* Returns a number in (0, 1); xorshift (Marsaglia 2003). */
static double number(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (double)(*seed >> 11) * 0x1p-53;
}

/* Makes a matrix of `copies` equal blocks on the diagonal, each with `each`
 * rows of about five entries. One that is not symmetric has a whole diagonal:
 * empty rows would make 0 a defective eigenvalue, which rounding moves. */
static struct matrix random_sparse(size_t each, size_t copies, bool symmetric)
{
	uint64_t seed = 88172645463325252u;

	for (size_t i = 0; i < copies * each && !symmetric; i++)
		add(i, i, cos(1.0 + (double)(i % each)));

	for (size_t k = 0; k < (symmetric ? 3 : 4) * each; k++) {
		const size_t i = (size_t)(number(&seed) * (double)each);
		const size_t j = (size_t)(number(&seed) * (double)each);
		const double x = 2 * number(&seed) - 1;

		for (size_t c = 0; c < copies; c++) {
			add(c * each + i, c * each + j, x);
			if (symmetric)
				add(c * each + j, c * each + i, x);
		}
	}
	return take(copies * each, FLOAT64);
}

static const char *const whiches[] = { "largest", "smallest", "largest-real",
                                       "smallest-real", "nearest" };

static double key_of(size_t which, double sigma, double re, double im)
{
	return which == 0 ? -hypot(re, im) : which == 1 ? hypot(re, im) :
	       which == 2 ? -re : which == 3 ? re : hypot(re - sigma, im);
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Returns |A x - lambda x| of pair j, divided by A's largest row sum of
 * magnitudes. */
static double residual_of(const struct matrix *a, const struct args *r,
                          size_t j)
{
	const struct matrix *v = &r->out[VECTORS];
	const size_t m = matrix_cols(v);
	const double re = eigen_re(r, j), im = eigen_im(r, j);
	double error = 0, norm = 0;

	for (size_t i = 0; i < a->dim[0]; i++) {
		const double x = matrix_get(v, i * m + j);
		const double y = matrix_get_imaginary(v, i * m + j);
		double p = im * y - re * x, q = -re * y - im * x, sum = 0;

		for (int64_t k = sparse_start(a, i);
		     k < sparse_start(a, i + 1); k++) {
			const size_t at = m *
			    (size_t)sparse_column(a, (size_t)k) + j;

			sum += fabs(matrix_get(a, (size_t)k));
			p += matrix_get(a, (size_t)k) * matrix_get(v, at);
			q += matrix_get(a, (size_t)k) *
			     matrix_get_imaginary(v, at);
		}
		error += p * p + q * q;
		norm = fmax(norm, sum);
	}
	return norm > 0 ? sqrt(error) / norm : sqrt(error);
}

/* Asks for k eigenpairs, and asserts that their keys are the least of the keys
 * of all n eigenvalues re + im i (im may be NULL), and that their residuals are
 * as small as promised. */
static void assert_k(const struct matrix *a, const double *re,
                     const double *im, size_t which, size_t k, double sigma)
{
	const size_t n = a->dim[0];
	double *keys = calloc(2 * n, sizeof *keys), *found = keys + n;
	char asked[32], near[32];
	struct args r;
	size_t m;

	snprintf(asked, sizeof asked, "%zu", k);
	snprintf(near, sizeof near, "%g", sigma);
	op_run("eigen", a, 1, &r, "which", whiches[which], "k", asked,
	       which == 4 ? "sigma" : "k", which == 4 ? near : asked, NULL);
	ck_assert_int_eq((int)eigen_get(&r, CONVERGED), 1);
	m = matrix_elements(&r.out[VALUES]);
	ck_assert(m == k || (im && m == k + 1));
	for (size_t i = 0; i < n; i++)
		keys[i] = key_of(which, sigma, re[i], im ? im[i] : 0);
	qsort(keys, n, sizeof *keys, ascending);
	for (size_t i = 0; i < m; i++) {
		found[i] = key_of(which, sigma, eigen_re(&r, i),
		                  eigen_im(&r, i));
		ck_assert_double_le(residual_of(a, &r, i), 1e-8);
	}
	qsort(found, m, sizeof *found, ascending);
	for (size_t i = 0; i < m; i++)
		ck_assert_msg(fabs(found[i] - keys[i]) <= 1e-7,
		              "%s, k = %zu: number %zu is %.12g, not %.12g",
		              whiches[which], k, i, found[i], keys[i]);
	args_fini(&r);
	free(keys);
}

/* Compares the answers for every `which` and k with LAPACK's eigenvalues of one
 * block. */
static void assert_blocks(size_t each, size_t copies, bool symmetric)
{
	static const size_t ks[] = { 1, 5, 64 };
	const size_t n = each * copies;
	struct matrix a = random_sparse(each, copies, symmetric);
	struct matrix one = random_sparse(each, 1, symmetric);
	struct matrix dense = dense_of(&one);
	double *re = calloc(2 * n, sizeof *re), *im = re + n;
	struct args all;

	op_run("eigen", &dense, 1, &all, "which", "all", NULL);
	for (size_t i = 0; i < n; i++) {
		re[i] = eigen_re(&all, i / copies);
		im[i] = eigen_im(&all, i / copies);
	}
	for (size_t i = 0; i < COUNT(whiches) * COUNT(ks); i++)
		assert_k(&a, re, symmetric ? NULL : im, i / COUNT(ks),
		         ks[i % COUNT(ks)], 0.3);
	args_fini(&all);
	matrix_fini(&dense);
	matrix_fini(&one);
	matrix_fini(&a);
	free(re);
}

START_TEST(sparse_answers_are_those_of_the_dense_matrix)
{
	assert_blocks(513, 1, true);
	assert_blocks(514, 1, false);
}
END_TEST

/* Every eigenvalue of five equal blocks has at least five independent
 * eigenvectors, of which one Krylov space holds one. */
START_TEST(copies_of_multiple_eigenvalues_are_not_missed)
{
	assert_blocks(103, 5, true);
	assert_blocks(103, 5, false);
}
END_TEST

static double sine(size_t i, size_t n)
{
	return 4 * pow(sin(M_PI * (double)i / (2 * (double)(n + 1))), 2);
}

/* Tests the Laplacian of a g x g grid, whose eigenvalues are mostly double. */
static void laplacian(size_t g)
{
	double *re = calloc(g * g, sizeof *re);
	struct matrix a;

	for (size_t i = 0; i < g * g; i++) {
		const size_t x = i / g, y = i % g;

		re[i] = sine(x + 1, g) + sine(y + 1, g);
		add(i, i, 4);
		if (x + 1 < g)
			add(i, i + g, -1), add(i + g, i, -1);
		if (y + 1 < g)
			add(i, i + 1, -1), add(i + 1, i, -1);
	}
	a = take(g * g, FLOAT64);
	for (size_t which = 0; which < COUNT(whiches); which++)
		for (size_t k = 1; k <= 10; k += 9)
			assert_k(&a, re, NULL, which, k, 3.9);
	matrix_fini(&a);
	free(re);
}

/* Tests the periodic Laplacian of a line, whose eigenvalues are double, except
 * for one or two. */
static void ring(size_t n)
{
	double *re = calloc(n, sizeof *re);
	struct matrix a;

	for (size_t i = 0; i < n; i++) {
		re[i] = 2 - 2 * cos(2 * M_PI * (double)i / (double)n);
		add(i, i, 2);
		add(i, (i + 1) % n, -1);
		add((i + 1) % n, i, -1);
	}
	a = take(n, FLOAT64);
	for (size_t which = 0; which < COUNT(whiches); which++)
		for (size_t k = 1; k <= 5; k += 4)
			assert_k(&a, re, NULL, which, k, 1);
	matrix_fini(&a);
	free(re);
}

START_TEST(double_eigenvalues_of_laplacians_are_found_twice)
{
	laplacian(25);
	ring(600);
	ring(601);
}
END_TEST

static double identity(size_t i) { (void)i; return 1; }
static double zero(size_t i) { (void)i; return 0; }
static double sevens(size_t i) { return (double)(i / 7); }
static double top(size_t i) { return i < 40 ? 4 : 1; }
static double signs(size_t i) { return (double)(i / 5) * (i % 2 ? -1 : 1); }

START_TEST(ties_on_a_diagonal_are_complete)
{
	static double (*const kinds[])(size_t) = { identity, zero, sevens, top,
	                                           signs };
	enum { N = 600 };

	for (size_t kind = 0; kind < COUNT(kinds); kind++) {
		double re[N];
		struct matrix a;

		for (size_t i = 0; i < N; i++) {
			re[i] = kinds[kind](i);
			if (re[i] != 0)
				add(i, i, re[i]);
		}
		a = take(N, FLOAT64);
		for (size_t which = 0; which < COUNT(whiches); which++)
			for (size_t k = 1; k <= 10; k += 9)
				assert_k(&a, re, NULL, which, k, 17);
		matrix_fini(&a);
	}
}
END_TEST

static bool is_iterated(size_t n, const char *name, const char *value,
                        const char *k)
{
	struct matrix a;
	struct args r;
	bool iterated;

	for (size_t i = 0; i < n; i++)
		add(i, i, (double)i + 1);
	a = take(n, FLOAT64);
	op_run("eigen", &a, 1, &r, "which", "largest", "k", k, name, value,
	       NULL);
	ck_assert_double_eq_tol(eigen_re(&r, matrix_elements(&r.out[VALUES]) -
	                                     1), (double)n, 1e-9 * (double)n);
	iterated = r.out[ITERATIONS].ndim != MATRIX_ABSENT;
	args_fini(&r);
	matrix_fini(&a);
	return iterated;
}

START_TEST(small_matrices_and_many_eigenvalues_are_decomposed)
{
	ck_assert(!is_iterated(512, "quality", "full", "1"));
	ck_assert(is_iterated(513, "quality", "full", "1"));
	ck_assert(is_iterated(520, "structure", "symmetric", "65"));
	ck_assert(!is_iterated(520, "structure", "symmetric", "66"));
	ck_assert(!is_iterated(520, "method", "lapack", "3"));
	ck_assert(!is_iterated(600, "structure", "symmetric", "595"));
}
END_TEST

START_TEST(float32_is_answered_in_float32)
{
	struct matrix a;
	struct args r;

	for (size_t i = 0; i < 600; i++) {
		add(i, i, 1 + (double)i / 8);
		add(i, (i + 1) % 600, 0.25);
	}
	a = take(600, FLOAT32);
	op_run("eigen", &a, 1, &r, "which", "largest", "k", "3", "dtype",
	       "float32", NULL);
	ck_assert_int_eq(dtype_part(r.out[VALUES].dtype), FLOAT32);
	for (size_t j = 0; j < matrix_elements(&r.out[VALUES]); j++)
		ck_assert_double_le(residual_of(&a, &r, j), 1e-5);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

/* So many rows are not made dense. */
static struct matrix slow(void)
{
	for (size_t i = 0; i < 9000; i++) {
		add(i, (i * 7919 + 1) % 9000, 1);
		add(i, (i * 31 + 5) % 9000, 0.5 + (double)i / 9000);
	}
	return take(9000, FLOAT64);
}

START_TEST(without_convergence_it_is_partial_or_refused)
{
	struct matrix a = slow();
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("eigen", &a, 1, &r, &e, "which", "largest", "k", "3",
	                  "max_iterations", "2", NULL), &e, ERR_CONVERGENCE);
	op_run("eigen", &a, 1, &r, "which", "largest", "k", "3",
	       "max_iterations", "2", "allow_partial", "true", NULL);
	ck_assert_int_eq((int)eigen_get(&r, CONVERGED), 0);
	ck_assert_double_gt(eigen_get(&r, ITERATIONS), 0);
	ck_assert_uint_ge(matrix_elements(&r.out[VALUES]), 3);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

static void assert_refused(struct matrix a, const char *structure,
                           enum err_code code)
{
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("eigen", &a, 1, &r, &e, "which", "largest",
	                  "structure", structure, NULL), &e, code);
	matrix_fini(&a);
}

START_TEST(sparse_matrices_that_are_wrong_are_refused)
{
	add(3, 5, NAN);
	assert_refused(take(600, FLOAT64), "auto", ERR_NONFINITE);
	add(3, 5, 1);
	add(5, 3, 2);
	assert_refused(take(600, FLOAT64), "symmetric", ERR_MATHEMATICS);
}
END_TEST

void eigen_large_tests(TCase *c)
{
	tcase_add_test(c, sparse_answers_are_those_of_the_dense_matrix);
	tcase_add_test(c, copies_of_multiple_eigenvalues_are_not_missed);
	tcase_add_test(c, double_eigenvalues_of_laplacians_are_found_twice);
	tcase_add_test(c, ties_on_a_diagonal_are_complete);
	tcase_add_test(c, small_matrices_and_many_eigenvalues_are_decomposed);
	tcase_add_test(c, float32_is_answered_in_float32);
	tcase_add_test(c, without_convergence_it_is_partial_or_refused);
	tcase_add_test(c, sparse_matrices_that_are_wrong_are_refused);
}

/* pencil.c - tests the eigenproblems of a pair of matrices in all types: the
 * three of LAPACK's xSYGV and xHEGV, which have a positive definite B, and the
 * one of xGGEV, with any B. The ratios are those of LAPACK's tests DSGT01 and
 * DGET52, with their threshold. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "matrix/complex.h"
#include "tests/ops/complex.h"
#include "tests/ops/eigen/eigen.h"

static const double threshold = 20;	/* LAPACK's, in dsg.in and dgg.in */
static const enum dtype types[] = { FLOAT32, FLOAT64, COMPLEX64, COMPLEX128 };
static const size_t sizes[] = { 1, 2, 3, 10, 50, 97 };
static const char *const forms[] = { "definite", "definite-abx",
	"definite-bax", "general" };
enum { DEFINITE, ABX, BAX, GENERAL };

#define VECTORS_OF_BOTH "eigenvalues,eigenvectors,left_eigenvectors"

static struct matrix any(enum dtype t, unsigned seed, size_t n)
{
	return dtype_is_complex(t) ? random_complex(t, seed, n, n) :
	                             random_matrix(t, seed, 2, n, n);
}

static double norm(const struct matrix *m)
{
	double most = 0;

	for (size_t j = 0; j < matrix_cols(m); j++) {
		double sum = 0;

		for (size_t i = 0; i < matrix_rows(m); i++)
			sum += cabs(complex_element(m, i, j));
		most = fmax(most, sum);
	}
	return most;
}

/* y = M x or, if `left`, y = M^H x */
static void times(const struct matrix *m, bool left, const number *x,
                  number *y)
{
	const size_t n = matrix_rows(m);

	for (size_t i = 0; i < n; i++) {
		y[i] = 0;
		for (size_t j = 0; j < n; j++)
			y[i] += x[j] * complex_taken(m, i, j, left ?
			        TURNED | CONJUGATED : AS_IT_IS);
	}
}

/* Returns the ratio of eigenvector k of an output, whose eigenvalue is
 * alpha / beta. */
static double ratio_of(const struct matrix m[2], int form,
                       const struct matrix *v, size_t k, number alpha,
                       number beta, bool left)
{
	const size_t n = matrix_rows(&m[0]);
	const double a = norm(&m[0]), b = norm(&m[1]);
	const bool product = form == ABX || form == BAX;
	/* The index of the matrix that multiplies the vector first: B in
	 * A B x, but A^H in (A B)^H y = B^H A^H y. */
	const int first = (form == ABX) != left;
	number x[100], y[100], z[100];
	double sum = 0, scale;

	for (size_t i = 0; i < n; i++)
		x[i] = complex_element(v, i, k);
	if (left) {
		alpha = conj(alpha);
		beta = conj(beta);
	}
	times(&m[product ? first : 0], left, x, y);
	if (product)
		times(&m[!first], left, memcpy(z, y, sizeof y), y);
	else
		times(&m[1], left, x, z);
	for (size_t i = 0; i < n; i++)
		sum += cabs(beta * y[i] - alpha * (product ? x[i] : z[i]));
	scale = form == GENERAL ? fmax(cabs(beta) * a, cabs(alpha) * b) :
	        product ? a * b : a + cabs(alpha) * b;
	return sum == 0 ? 0 :
	       sum / (scale * (double)n * dtype_epsilon(m[0].dtype));
}

static void ck_vectors(const struct matrix m[2], int form,
                       const struct args *r)
{
	const struct matrix *w = &r->out[VALUES], *pair = &r->out[ALPHA_BETA];
	const size_t n = matrix_elements(w);

	for (size_t k = 0; k < n; k++)
		for (int left = 0; left < 2; left++) {
			const bool qz = form == GENERAL;
			const double q = ratio_of(m, form,
			    &r->out[left ? LEFT : VECTORS], k,
			    qz ? complex_at(pair, k) : complex_at(w, k),
			    qz ? complex_at(pair, n + k) : 1, left);

			ck_assert_msg(q < threshold, "%s, n = %zu, %s: %g",
			              forms[form], n, left ? "left" : "right",
			              q);
		}
	ck_assert_double_lt(r->verdict.residual, threshold);
}

/* With a hermitian A, the eigenvalues are real and ascend. */
START_TEST(definite_pairs_are_answered_in_all_forms)
{
	for (size_t t = 0; t < COUNT(types) * COUNT(sizes); t++)
		for (int form = DEFINITE; form <= BAX; form++) {
			const size_t n = sizes[t / COUNT(types)];
			const enum dtype type = types[t % COUNT(types)];
			struct matrix m[] = { eigen_hermitian(type, 1, n, 0),
			                      eigen_hermitian(type, 2, n, 2) };
			struct args r;

			op_run("eigen", m, 2, &r, "which", "all", "problem",
			       forms[form], "return", VECTORS_OF_BOTH,
			       "quality", "full", NULL);
			ck_assert_int_eq(r.out[VALUES].dtype,
			                 dtype_part(type));
			for (size_t k = 1; k < n; k++)
				ck_assert(eigen_re(&r, k) >=
				          eigen_re(&r, k - 1));
			ck_vectors(m, form, &r);
			args_fini(&r);
			matrix_fini(&m[0]);
			matrix_fini(&m[1]);
		}
}
END_TEST

/* Makes B = D H D of rows of different sizes with a diagonal D of powers of
 * two, or a Hilbert matrix, with a condition number of 10^10. */
static struct matrix ill_conditioned(enum dtype t, size_t n, bool graded)
{
	struct matrix b = eigen_hermitian(t, 2, n, 2);

	for (size_t i = 0; i < n * n; i++) {
		const int power = (int)(5 * (i / n) % n + 5 * (i % n) % n);

		complex_set(&b, i, graded ?
		    complex_at(&b, i) * ldexp(1, 4 * (power - (int)n)) :
		    1 / (double)(1 + i / n + i % n));
	}
	return b;
}

START_TEST(an_ill_conditioned_b_does_not_spoil_the_residuals)
{
	for (size_t t = 0; t < 3 * COUNT(types); t++)
		for (int form = DEFINITE; form <= BAX; form++) {
			const enum dtype type = types[t / 3];
			const bool small = dtype_part(type) == FLOAT32;
			const bool graded = t % 3 == 0, general = t % 3 == 1;
			const size_t n = graded ? 11 : small ? 4 : 8;
			struct matrix m[] = {
				general ? any(type, 1, n) :
				          eigen_hermitian(type, 1, n, 0),
				ill_conditioned(type, n, graded),
			};
			struct args r;

			op_run("eigen", m, 2, &r, "which", "all", "problem",
			       forms[form], "return", VECTORS_OF_BOTH,
			       "quality", "full", NULL);
			ck_vectors(m, form, &r);
			args_fini(&r);
			matrix_fini(&m[0]);
			matrix_fini(&m[1]);
		}
}
END_TEST

/* An eigenvalue near 10^312 is refused, not infinite: B is definite. */
START_TEST(eigenvalues_of_definite_pairs_beyond_the_range_are_refused)
{
	for (size_t t = 1; t < COUNT(types); t += 2) {
		struct matrix m[] = { any(types[t], 1, 2),
		                      any(types[t], 1, 2) };
		struct args r;
		struct err e = { 0 };

		for (size_t i = 0; i < 4; i++) {
			complex_set(&m[0], i, i == 2 ? 0 : 1e306);
			complex_set(&m[1], i, i == 0 ? 1 : i == 3 ? 1e-6 : 0);
		}
		ck_refused(op_try("eigen", m, 2, &r, &e, "which", "all",
		                  NULL), &e, ERR_MATHEMATICS);
		matrix_fini(&m[0]);
		matrix_fini(&m[1]);
	}
}
END_TEST

/* The eigenvalues of D M D^-1 with D = diag(10^0, ..., 10^14) and a definite B
 * differ by many orders of magnitude; the pairs of the small ones have
 * residuals that are small beside the largest eigenvalue only. The verdict in
 * full is the largest ratio of a pair, each with its own eigenvalue (for real
 * pairs in another norm). The estimate is the norm of a sum of the residuals
 * with random weights, divided by the square root of their number. */
START_TEST(each_pair_is_judged_by_its_own_eigenvalue)
{
	enum { N = 20 };

	for (unsigned seed = 1; seed <= 16; seed++) {
		const enum dtype type = seed % 2 ? FLOAT64 : COMPLEX128;
		struct matrix m[] = { any(type, seed, N),
		                      eigen_hermitian(type, seed, N, 2) };
		double most = 0;
		struct args full, r;

		for (size_t k = 0; k < N * N; k++) {
			const number x = complex_at(&m[0], k);
			const double d = pow(10, ((double)(k / N) -
			    (double)(k % N)) * 14 / (N - 1));

			complex_set(&m[0], k, x * d);
		}
		op_run("eigen", m, 2, &full, "which", "all", "quality", "full",
		       "return", VECTORS_OF_BOTH, NULL);
		op_run("eigen", m, 2, &r, "which", "all", "return",
		       VECTORS_OF_BOTH, NULL);
		for (size_t k = 0; k < N; k++)
			most = fmax(most, ratio_of(m, DEFINITE,
			    &full.out[VECTORS], k,
			    complex_at(&full.out[VALUES], k), 1, false));
		ck_assert_double_ge(full.verdict.residual, most / 3);
		ck_assert_double_le(full.verdict.residual, most * 3);
		ck_assert_double_ge(r.verdict.residual,
		                    full.verdict.residual / (10 * N));
		args_fini(&full);
		args_fini(&r);
		matrix_fini(&m[0]);
		matrix_fini(&m[1]);
	}
}
END_TEST

START_TEST(matrices_that_are_not_hermitian_go_with_a_definite_b)
{
	for (size_t t = 0; t < COUNT(types) * COUNT(sizes); t++)
		for (int form = DEFINITE; form <= BAX; form++) {
			const size_t n = sizes[t / COUNT(types)];
			const enum dtype type = types[t % COUNT(types)];
			struct matrix m[] = { any(type, 1, n),
			                      eigen_hermitian(type, 2, n, 2) };
			struct args r;

			op_run("eigen", m, 2, &r, "which", "all", "problem",
			       forms[form], "return", VECTORS_OF_BOTH, NULL);
			ck_vectors(m, form, &r);
			args_fini(&r);
			matrix_fini(&m[0]);
			matrix_fini(&m[1]);
		}
}
END_TEST

/* Two columns of B are 0, so that two eigenvalues are infinite. */
START_TEST(any_pair_is_answered)
{
	for (size_t t = 0; t < COUNT(types) * COUNT(sizes); t++) {
		const size_t n = sizes[t / COUNT(types)];
		const size_t infinite = n > 3 ? 2 : 0;
		struct matrix m[] = { any(types[t % COUNT(types)], 1, n),
		                      any(types[t % COUNT(types)], 2, n) };
		size_t found = 0;
		struct args r;

		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < infinite; j++)
				complex_set(&m[1], i * n + j, 0);
		op_run("eigen", m, 2, &r, "which", "all", "problem", "general",
		       "return", VECTORS_OF_BOTH ",alpha_beta", NULL);
		ck_vectors(m, GENERAL, &r);
		for (size_t k = 0; k < n; k++) {
			const number beta = complex_at(&r.out[ALPHA_BETA],
			                               n + k);

			ck_assert(creal(beta) >= 0 && cimag(beta) == 0);
			ck_assert_int_eq(isinf(eigen_re(&r, k)) != 0,
			                 creal(beta) == 0);
			found += creal(beta) == 0;
		}
		ck_assert_uint_eq(found, infinite);
		for (size_t k = 0; k < infinite; k++)
			ck_assert(isinf(eigen_re(&r, k)));
		args_fini(&r);
		matrix_fini(&m[0]);
		matrix_fini(&m[1]);
	}
}
END_TEST

/* The eigenvalues of diag(6, 0, 3, 1) and diag(2, 0, 0, 4) are 3, 0 / 0,
 * infinity and 1 / 4. */
static void singular(enum dtype t)
{
	static const double a[] = { 6, 0, 3, 1 }, b[] = { 2, 0, 0, 4 };
	static const double want[] = { INFINITY, 3, 0.25, NAN };
	struct matrix m[] = { any(t, 1, 4), any(t, 2, 4) };
	struct args r;

	for (size_t i = 0; i < 16; i++) {
		complex_set(&m[0], i, i % 5 == 0 ? a[i / 5] : 0);
		complex_set(&m[1], i, i % 5 == 0 ? b[i / 5] : 0);
	}
	op_run("eigen", m, 2, &r, "which", "all", "problem", "general",
	       "return", "eigenvalues,alpha_beta", NULL);
	for (size_t k = 0; k < 4; k++) {
		const number alpha = complex_at(&r.out[ALPHA_BETA], k);
		const number beta = complex_at(&r.out[ALPHA_BETA], 4 + k);

		if (isfinite(want[k]))
			ck_assert_double_eq_tol(eigen_re(&r, k), want[k],
			                        1e-6);
		else
			ck_assert(isinf(want[k]) ? isinf(eigen_re(&r, k)) :
			                           isnan(eigen_re(&r, k)));
		ck_assert(isfinite(want[k]) == (beta != 0));
		ck_assert(isnan(want[k]) == (alpha == 0));
	}
	args_fini(&r);
	op_run("eigen", m, 2, &r, "which", "smallest", "k", "2", "problem",
	       "general", NULL);
	ck_assert_double_eq_tol(eigen_re(&r, 1), 0.25, 1e-6);
	args_fini(&r);
	matrix_fini(&m[0]);
	matrix_fini(&m[1]);
}

START_TEST(a_singular_pencil_has_infinite_and_undefined_eigenvalues)
{
	for (size_t t = 0; t < COUNT(types); t++)
		singular(types[t]);
}
END_TEST

/* matmul computes A B or B A, whose eigenvalues are compared with those of
 * A B x = lambda x or B A x = lambda x. */
START_TEST(products_have_the_eigenvalues_of_the_product)
{
	for (size_t t = 0; t < COUNT(types); t++)
		for (int form = ABX; form <= BAX; form++) {
			struct matrix m[] = {
				eigen_hermitian(types[t], 1, 20, 0),
				eigen_hermitian(types[t], 2, 20, 2),
			};
			const int first = form == BAX;
			struct args product, want, r;

			op_run("matmul", ((struct matrix[]){ m[first],
			       m[!first] }), 2, &product, NULL);
			op_run("eigen", &product.out[0], 1, &want, "which",
			       "largest-real", "k", "20", NULL);
			op_run("eigen", m, 2, &r, "which", "all", "problem",
			       forms[form], NULL);
			for (size_t k = 0; k < 20; k++) {
				double least = INFINITY;

				for (size_t i = 0; i < 20; i++)
					least = fmin(least, fabs(
					    eigen_re(&want, i) -
					    eigen_re(&r, k)));
				ck_assert_double_lt(least, 1000 *
				    dtype_epsilon(types[t]));
			}
			args_fini(&r);
			args_fini(&want);
			args_fini(&product);
			matrix_fini(&m[0]);
			matrix_fini(&m[1]);
		}
}
END_TEST

void eigen_pencil_tests(TCase *c)
{
	tcase_add_test(c, definite_pairs_are_answered_in_all_forms);
	tcase_add_test(c, an_ill_conditioned_b_does_not_spoil_the_residuals);
	tcase_add_test(c,
	    eigenvalues_of_definite_pairs_beyond_the_range_are_refused);
	tcase_add_test(c, each_pair_is_judged_by_its_own_eigenvalue);
	tcase_add_test(c,
	    matrices_that_are_not_hermitian_go_with_a_definite_b);
	tcase_add_test(c, any_pair_is_answered);
	tcase_add_test(c,
	    a_singular_pencil_has_infinite_and_undefined_eigenvalues);
	tcase_add_test(c, products_have_the_eigenvalues_of_the_product);
}

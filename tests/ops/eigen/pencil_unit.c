/* pencil_unit.c - tests the lengths of the eigenvectors of a pair of matrices
 * with a hermitian positive definite B, which are those of LAPACK's xSYGV and
 * xHEGV: X^H B X has a unit diagonal or, for B A x = lambda x, X^H B^-1 X. It
 * is I if A is hermitian. */
#include <complex.h>
#include <math.h>

#include "matrix/complex.h"
#include "tests/ops/complex.h"
#include "tests/ops/eigen/eigen.h"

static const double threshold = 20;	/* as in pencil.c */
static const enum dtype types[] = { FLOAT32, FLOAT64, COMPLEX64, COMPLEX128 };
static const size_t sizes[] = { 1, 2, 3, 10, 50, 97 };
static const char *const forms[] = { "definite", "definite-abx",
	"definite-bax" };
enum { DEFINITE, ABX, BAX };

/* Returns |X^H Y - I| / (n eps) in the 1-norm for n x k matrices, or the same
 * for the diagonal alone. */
static double off_unit(const struct matrix *x, const struct matrix *y,
                       bool whole)
{
	const size_t n = matrix_rows(x), k = matrix_cols(x);
	double most = 0;

	for (size_t j = 0; j < k; j++) {
		double all = 0;

		for (size_t i = 0; i < k; i++) {
			number sum = i == j ? -1 : 0;

			for (size_t l = 0; l < n; l++)
				sum += conj(complex_element(x, l, i)) *
				       complex_element(y, l, j);
			all += whole || i == j ? cabs(sum) : 0;
		}
		most = fmax(most, all);
	}
	return most / ((double)n * dtype_epsilon(x->dtype));
}

/* Asserts that the largest component of every column is real and positive. */
static void ck_phases(const struct matrix *x)
{
	for (size_t j = 0; j < matrix_cols(x); j++) {
		number most = 0;

		for (size_t i = 0; i < matrix_rows(x); i++)
			if (cabs(complex_element(x, i, j)) > cabs(most))
				most = complex_element(x, i, j);
		ck_assert(creal(most) > 0 && cimag(most) == 0);
	}
}

/* matmul computes B X, or solve B^-1 X. */
static void ck_side(const struct matrix *b, int form, const struct args *r,
                    int output, bool whole)
{
	const struct matrix *x = &r->out[output];
	const bool inverse = form == (output == LEFT ? ABX : BAX);
	struct args y;
	double ratio;

	op_run(inverse ? "solve" : "matmul", ((struct matrix[]){ *b, *x }), 2,
	       &y, NULL);
	ratio = off_unit(x, &y.out[0], whole);
	ck_assert_msg(ratio < threshold, "%s, %zux%zu, output %d: %g",
	              forms[form], matrix_rows(x), matrix_cols(x), output,
	              ratio);
	ck_phases(x);
	args_fini(&y);
}

static struct matrix any(enum dtype t, unsigned seed, size_t n)
{
	return dtype_is_complex(t) ? random_complex(t, seed, n, n) :
	                             random_matrix(t, seed, 2, n, n);
}

static void ck_all(enum dtype t, size_t n, int form, bool hermitian,
                   const char *structure)
{
	struct matrix m[] = { hermitian ? eigen_hermitian(t, 1, n, 0) :
	                                  any(t, 1, n),
	                      eigen_hermitian(t, 2, n, 2) };
	const bool whole = hermitian && structure[0] == 'a';
	struct args r;

	op_run("eigen", m, 2, &r, "which", "all", "problem", forms[form],
	       "structure", structure, "return", "eigenvalues,eigenvectors,"
	       "left_eigenvectors", NULL);
	ck_side(&m[1], form, &r, VECTORS, whole);
	ck_side(&m[1], form, &r, LEFT, whole);
	args_fini(&r);
	matrix_fini(&m[0]);
	matrix_fini(&m[1]);
}

/* A hermitian A may be decomposed as a general one. */
START_TEST(vectors_of_a_definite_pair_have_unit_length_by_b)
{
	for (size_t t = 0; t < COUNT(types) * COUNT(sizes); t++)
		for (int form = DEFINITE; form <= BAX; form++) {
			const enum dtype type = types[t % COUNT(types)];
			const size_t n = sizes[t / COUNT(types)];

			ck_all(type, n, form, true, "auto");
			ck_all(type, n, form, true, "general");
			ck_all(type, n, form, false, "auto");
		}
}
END_TEST

START_TEST(chosen_vectors_have_unit_length_by_b)
{
	static const char *const ask[][6] = {
		{ "which", "interval", "low", "0", "high", "0.2" },
		{ "which", "largest" },
		{ "which", "nearest", "k", "3", "sigma", "0.1" },
	};

	for (size_t i = 0; i < COUNT(ask) * COUNT(types); i++)
		for (int form = DEFINITE; form <= BAX; form++) {
			const enum dtype t = types[i % COUNT(types)];
			const char *const *p = ask[i / COUNT(types)];
			struct matrix m[] = { eigen_hermitian(t, 3, 20, 0),
			                      eigen_hermitian(t, 4, 20, 2) };
			struct args r;

			op_run("eigen", m, 2, &r, "problem", forms[form],
			       "return", "eigenvalues,eigenvectors,"
			       "left_eigenvectors", p[0], p[1], p[2], p[3],
			       p[4], p[5], NULL);
			ck_assert_uint_gt(matrix_cols(&r.out[VECTORS]), 0);
			ck_assert_uint_lt(matrix_cols(&r.out[VECTORS]), 20);
			ck_side(&m[1], form, &r, VECTORS, true);
			ck_side(&m[1], form, &r, LEFT, true);
			args_fini(&r);
			matrix_fini(&m[0]);
			matrix_fini(&m[1]);
		}
}
END_TEST

/* Asserts that element i of an output is 2^(power / 2) times that of another
 * answer. */
static void ck_scaled(const struct args *r, const struct args *unit,
                      int output, size_t n, int power)
{
	for (size_t i = 0; i < n * n; i++) {
		const number x = complex_at(&r->out[output], n * n + i);
		const number y = complex_at(&unit->out[output], i) *
		                 exp2(power / 2.0);

		ck_assert_msg(cabs(x - y) <= 8 * dtype_epsilon(r->dtype) *
		              cabs(y), "2^%d: %g, not %g", power, creal(x),
		              creal(y));
	}
}

/* Runs a stack of the pairs (A, B) and (A, 2^power B). */
static void ck_power(enum dtype t, int form, int power)
{
	enum { N = 7 };
	const int sign = form == BAX ? 1 : -1;
	const int of_left = form == ABX ? 1 : -1;
	struct matrix a = eigen_hermitian(t, 5, N, 0);
	struct matrix b = eigen_hermitian(t, 6, N, 2);
	struct matrix two = { .dtype = t, .ndim = 3, .dim = { 2, N, N } };
	struct err e = { 0 };
	struct args unit, r;

	ck_assert_int_eq(matrix_alloc(&two, test_pool, &e), 0);
	for (size_t i = 0; i < 2 * N * N; i++)
		complex_set(&two, i, complex_at(&b, i % (N * N)) *
		            ldexp(1, i < N * N ? 0 : power));
	op_run("eigen", ((struct matrix[]){ a, b }), 2, &unit, "which", "all",
	       "problem", forms[form], "return", "eigenvectors,"
	       "left_eigenvectors", NULL);
	op_run("eigen", ((struct matrix[]){ a, two }), 2, &r, "which", "all",
	       "problem", forms[form], "return", "eigenvectors,"
	       "left_eigenvectors", NULL);
	ck_scaled(&r, &unit, VECTORS, N, sign * power);
	ck_scaled(&r, &unit, LEFT, N, of_left * power);
	ck_assert_double_lt(r.verdict.residual, threshold);
	args_fini(&r);
	args_fini(&unit);
	matrix_fini(&a);
	matrix_fini(&b);
	matrix_fini(&two);
}

/* The service divides B by a power of two, which the lengths must make up
 * for. */
START_TEST(lengths_follow_the_scale_of_b)
{
	static const int powers[] = { 1, -7, 100, -101, 1001, -1000 };

	for (size_t i = 0; i < COUNT(powers) * COUNT(types); i++)
		for (int form = DEFINITE; form <= BAX; form++) {
			const int power = powers[i / COUNT(types)];
			const enum dtype t = types[i % COUNT(types)];

			if (dtype_part(t) == FLOAT64 || abs(power) < 110)
				ck_power(t, form, power);
		}
}
END_TEST

void eigen_pencil_unit_tests(TCase *c)
{
	tcase_add_test(c, vectors_of_a_definite_pair_have_unit_length_by_b);
	tcase_add_test(c, chosen_vectors_have_unit_length_by_b);
	tcase_add_test(c, lengths_follow_the_scale_of_b);
}

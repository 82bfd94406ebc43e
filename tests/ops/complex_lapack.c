/* complex_lapack.c - factorizations, systems and eigenvalues of complex
 * matrices, in both types: their factors are multiplied, and the ratios that
 * the operations tell are looked at. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "matrix/complex.h"
#include "tests/ops/complex.h"

static const enum dtype types[] = { COMPLEX64, COMPLEX128 };
static const size_t sizes[] = { 1, 2, 3, 10, 50, 70 };

/* R + R^H + shift n I */
static struct matrix random_hermitian(enum dtype t, unsigned seed, size_t n,
                                      double shift)
{
	struct matrix r = random_complex(t, seed, n, n);
	struct matrix h = random_complex(t, seed, n, n);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			complex_set(&h, i * n + j, complex_element(&r, i, j) +
			    conj(complex_element(&r, j, i)) +
			    (i == j ? shift * (double)n : 0));
	matrix_fini(&r);
	return h;
}

/* A with its rows in the order of the output p. */
static struct matrix in_order(const struct matrix *x, const struct matrix *p)
{
	struct matrix y = random_complex(x->dtype, 1, matrix_rows(x),
	                                 matrix_cols(x));

	for (size_t i = 0; i < matrix_rows(x); i++)
		for (size_t j = 0; j < matrix_cols(x); j++)
			complex_set(&y, i * matrix_cols(x) + j,
			    complex_element(x, (size_t)matrix_get(p, i), j));
	return y;
}

/* Keeps the part of the matrix that its structure has. */
static void shape_as(struct matrix *x, const char *structure)
{
	const size_t n = matrix_cols(x);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if ((strcmp(structure, "lower") == 0 && j > i) ||
			    (strcmp(structure, "upper") == 0 && j < i))
				complex_set(x, i * n + j, 0);
}

/* V diag(w) */
static struct matrix scaled_columns(const struct matrix *v,
                                    const struct matrix *w)
{
	struct matrix x = random_complex(v->dtype, 1, matrix_rows(v),
	                                 matrix_cols(v));

	for (size_t i = 0; i < matrix_elements(v); i++)
		complex_set(&x, i, complex_at(v, i) *
		            complex_at(w, i % matrix_cols(v)));
	return x;
}

START_TEST(lu_reproduces_its_matrix)
{
	enum { P = 4, L, U };

	for (size_t t = 0; t < 2 * COUNT(sizes) * 2; t++) {
		const size_t n = sizes[t / 4];
		struct matrix x = random_complex(types[t % 2], 1, n + t / 2 % 2,
		                                 n);
		struct matrix ordered;
		struct args a;

		op_run("lu", &x, 1, &a, "return", "p,l,u", "quality", "full",
		       NULL);
		ck_ratios(&a);
		ordered = in_order(&x, &a.out[P]);
		ck_norm(&a.out[L], AS_IT_IS, &a.out[U], AS_IT_IS, &ordered);
		for (size_t i = 0; i < matrix_elements(&a.out[L]); i++)
			ck_assert(cabs(complex_at(&a.out[L], i)) <= 1.5);
		args_fini(&a);
		matrix_fini(&ordered);
		matrix_fini(&x);
	}
}
END_TEST

/* Tests diagonally dominant matrices of every shape, and three matrices with
 * zero pivots: the first has no factors, elimination finds those of the second,
 * and the third has factors, although elimination fails. */
START_TEST(lu_without_pivoting_finds_factors_where_there_are_some)
{
	static const double zeros[][9] = {
		{ 0, 1, 0, 1, 0, 0, 0, 0, 1 }, { 0, 2, 1, 0, 3, 1, 0, 6, 5 },
		{ 0, 1, 0, 0, 0, 5, 0, 1, 5 },
	};
	enum { L = 5, U };

	for (size_t t = 0; t < 2 * (3 * COUNT(sizes) + COUNT(zeros)); t++) {
		const bool odd = t / 2 >= 3 * COUNT(sizes);
		const size_t n = odd ? 3 : sizes[t / 6] + 30 * (t / 2 % 3 == 1);
		const size_t m = odd ? 3 : sizes[t / 6] + 40 * (t / 2 % 3 == 2);
		struct matrix x = random_complex(types[t % 2], 1, m, n);
		struct err e = { 0 };
		struct args a;

		for (size_t i = 0; i < m * n; i++)
			complex_set(&x, i, odd ? complex_of(0,
			    zeros[t / 2 - 3 * COUNT(sizes)][i]) :
			    complex_at(&x, i) + (i / n == i % n ?
			    complex_of(0, 3 * (double)n) : 0));
		if (t / 2 == 3 * COUNT(sizes)) {
			ck_refused(op_try("lu", &x, 1, &a, &e, "pivot", "none",
			                  NULL), &e, ERR_ZERO_PIVOT);
		} else {
			op_run("lu", &x, 1, &a, "pivot", "none", "return",
			       "pivots,l,u", "quality", "full", NULL);
			ck_ratios(&a);
			ck_norm(&a.out[L], AS_IT_IS, &a.out[U], AS_IT_IS, &x);
			for (size_t i = 0; i < matrix_elements(&a.out[1]); i++)
				ck_assert_double_eq(matrix_get(&a.out[1], i),
				                    (double)i);
			args_fini(&a);
		}
		matrix_fini(&x);
	}
}
END_TEST

/* The determinant of diag(d) is the product, and its sign the direction. */
START_TEST(determinants_of_diagonals_are_products)
{
	struct matrix x = random_complex(COMPLEX128, 1, 3, 3);
	struct args a;

	for (size_t i = 0; i < 9; i++)
		complex_set(&x, i, 0);
	complex_set(&x, 0, complex_of(0, 1e200));
	complex_set(&x, 4, complex_of(0, 1e200));
	complex_set(&x, 8, complex_of(0, 2));
	op_run("det", &x, 1, &a, NULL);
	ck_assert(isinf(matrix_get_imaginary(&a.out[0], 0)));
	ck_assert(cabs(complex_at(&a.out[1], 0) - complex_of(0, -1)) < 1e-15);
	ck_assert_int_eq(a.out[2].dtype, FLOAT64);
	ck_assert_double_eq_tol(matrix_get(&a.out[2], 0),
	                        log(2) + 400 * log(10), 1e-9);
	args_fini(&a);
	complex_set(&x, 0, complex_of(1, 1));
	complex_set(&x, 4, complex_of(1, -1));
	op_run("det", &x, 1, &a, NULL);
	ck_assert(complex_at(&a.out[0], 0) == complex_of(0, 4));
	args_fini(&a);
	matrix_fini(&x);
}
END_TEST

START_TEST(cholesky_reproduces_a_hermitian_matrix)
{
	for (size_t t = 0; t < 2 * COUNT(sizes); t++) {
		struct matrix x = random_hermitian(types[t % 2], 1,
		                                   sizes[t / 2], 3);
		struct args a;

		op_run("cholesky", &x, 1, &a, "quality", "full", NULL);
		ck_ratios(&a);
		ck_norm(&a.out[0], AS_IT_IS, &a.out[0], TURNED | CONJUGATED,
		        &x);
		args_fini(&a);
		matrix_fini(&x);
	}
}
END_TEST

START_TEST(qr_and_svd_reproduce_any_shape)
{
	static const size_t shape[][2] = { { 1, 1 }, { 5, 3 }, { 3, 5 },
	                                   { 50, 20 }, { 20, 50 } };
	enum { Q, R, P };
	enum { SVD_LEFT, SVD_VALUES, SVD_RIGHT };

	for (size_t t = 0; t < 2 * COUNT(shape); t++) {
		const size_t m = shape[t / 2][0], n = shape[t / 2][1];
		struct matrix x = random_complex(types[t % 2], 1, m, n);
		struct matrix us;
		struct args a;

		op_run("qr", &x, 1, &a, "quality", "full", "mode",
		       t % 4 > 1 ? "complete" : "thin", NULL);
		ck_ratios(&a);
		ck_norm(&a.out[Q], AS_IT_IS, &a.out[R], AS_IT_IS, &x);
		args_fini(&a);
		op_run("svd", &x, 1, &a, "quality", "full", NULL);
		ck_ratios(&a);
		ck_assert_int_eq(a.out[SVD_VALUES].dtype,
		                 dtype_part(x.dtype));
		us = matrix_ref(&a.out[SVD_LEFT]);
		for (size_t i = 0; i < matrix_elements(&us); i++)
			complex_set(&us, i, complex_at(&us, i) * matrix_get(
			    &a.out[SVD_VALUES], i % matrix_cols(&us)));
		ck_norm(&us, AS_IT_IS, &a.out[SVD_RIGHT], AS_IT_IS, &x);
		matrix_fini(&us);
		args_fini(&a);
		matrix_fini(&x);
	}
}
END_TEST

START_TEST(systems_are_solved_whatever_is_known_of_them)
{
	static const char *const structures[] = {
		"auto", "general", "symmetric", "spd", "lower", "upper"
	};

	for (size_t t = 0; t < 2 * COUNT(sizes) * COUNT(structures); t++) {
		const size_t n = sizes[t / 2 % COUNT(sizes)];
		const char *structure = structures[t / 2 / COUNT(sizes)];
		const enum dtype type = types[t % 2];
		struct matrix in[2] = { random_hermitian(type, 1, n, 3),
		                        random_complex(type, 2, n, 3) };
		struct args a;

		shape_as(&in[0], structure);
		op_run("solve", in, 2, &a, "structure", structure, "quality",
		       "full", NULL);
		ck_ratios(&a);
		ck_assert_double_gt(a.verdict.rcond, 0);
		ck_norm(&in[0], AS_IT_IS, &a.out[0], AS_IT_IS, &in[1]);
		args_fini(&a);
		op_run("solve", in, 2, &a, "transpose_a", "true", NULL);
		ck_norm(&in[0], TURNED, &a.out[0], AS_IT_IS, &in[1]);
		args_fini(&a);
		op_run("solve", in, 2, &a, "transpose_a", "true", "structure",
		       structure, NULL);
		ck_ratios(&a);
		ck_norm(&in[0], TURNED, &a.out[0], AS_IT_IS, &in[1]);
		args_fini(&a);
		op_run("lstsq", in, 2, &a, NULL);
		ck_ratios(&a);
		ck_norm(&in[0], AS_IT_IS, &a.out[0], AS_IT_IS, &in[1]);
		ck_assert_double_eq(matrix_get(&a.out[1], 0), (double)n);
		args_fini(&a);
		op_run("inverse", in, 1, &a, "quality", "full", NULL);
		ck_ratios(&a);
		args_fini(&a);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

/* The systems have 20 right-hand sides. A is full, but only the triangle that
 * the structure names is used. */
START_TEST(triangles_are_solved_by_substitution)
{
	static const char *const structures[] = { "lower", "upper" };

	for (size_t t = 0; t < 8 * COUNT(sizes); t++) {
		const size_t n = sizes[t / 8];
		const bool turned = t & 4;
		struct matrix in[2] = {
			random_hermitian(types[t % 2], 1, n, 3),
			random_complex(types[t % 2], 2, n, 20),
		};
		struct err e = { 0 };
		struct args a;

		op_run("solve", in, 2, &a, "structure", structures[t / 2 % 2],
		       "transpose_a", turned ? "true" : "false", NULL);
		shape_as(&in[0], structures[t / 2 % 2]);
		ck_ratios(&a);
		ck_assert(a.verdict.rcond > 0 && a.verdict.rcond <= 1.0001);
		ck_assert(a.verdict.forward_error < 1e5 *
		          dtype_epsilon(types[t % 2]));
		ck_norm(&in[0], turned ? TURNED : AS_IT_IS, &a.out[0],
		        AS_IT_IS, &in[1]);
		args_fini(&a);
		complex_set(&in[0], (n / 2) * (n + 1), 0);
		ck_refused(op_try("solve", in, 2, &a, &e, "structure",
		                  structures[t / 2 % 2], NULL), &e,
		           ERR_SINGULAR);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

START_TEST(eigenpairs_satisfy_their_equation)
{
	for (size_t t = 0; t < 4 * COUNT(sizes); t++) {
		const size_t n = sizes[t / 4];
		const enum dtype type = types[t % 2];
		const bool hermitian = t & 2;
		struct matrix x = hermitian ?
		    random_hermitian(type, 1, n, 0) :
		    random_complex(type, 1, n, n);
		const struct matrix *w, *v;
		struct matrix wide;
		struct args a;

		op_run("eigen", &x, 1, &a, "which", "all", "quality", "full",
		       "return", "eigenvalues,eigenvectors", NULL);
		ck_ratios(&a);
		w = &a.out[op_output(a.op, "eigenvalues")];
		v = &a.out[op_output(a.op, "eigenvectors")];
		ck_assert_int_eq(w->dtype, hermitian ? dtype_part(type) :
		                                       type);
		for (size_t i = 1; i < n; i++)
			ck_assert(hermitian ? matrix_get(w, i - 1) <=
			                      matrix_get(w, i) :
			          cabs(complex_at(w, i - 1)) >=
			          cabs(complex_at(w, i)));
		wide = scaled_columns(v, w);
		ck_norm(&x, AS_IT_IS, v, AS_IT_IS, &wide);
		matrix_fini(&wide);
		args_fini(&a);
		matrix_fini(&x);
	}
}
END_TEST

START_TEST(the_dominant_eigenvalue_has_the_largest_modulus)
{
	struct matrix x = random_complex(COMPLEX128, 1, 3, 3);
	struct args a;

	for (size_t i = 0; i < 9; i++)
		complex_set(&x, i, 0);
	complex_set(&x, 0, 1);
	complex_set(&x, 4, complex_of(0, -3));
	complex_set(&x, 8, 2);
	op_run("eigen", &x, 1, &a, NULL);
	ck_assert(complex_at(&a.out[op_output(a.op, "eigenvalue")], 0) ==
	          complex_of(0, -3));
	ck_assert(complex_at(&a.out[op_output(a.op, "eigenvector")], 1) == 1);
	ck_assert_double_eq(matrix_get(&a.out[op_output(a.op, "converged")],
	                               0), 1);
	args_fini(&a);
	matrix_fini(&x);
}
END_TEST

START_TEST(one_bad_matrix_of_a_stack_fails_alone)
{
	static const char *const names[] = { "inverse", "cholesky", "svd",
	                                     "qr", "eigen" };

	for (size_t i = 0; i < COUNT(names); i++) {
		struct matrix x = random_hermitian(COMPLEX64, 1, 6, 3);
		struct matrix three = random_complex(COMPLEX64, 1, 18, 6);
		struct args a;

		for (size_t k = 0; k < 108; k++)
			complex_set(&three, k, complex_at(&x, k % 36));
		complex_set(&three, 36, NAN);
		three.ndim = 3;
		memcpy(three.dim, (size_t[]){ 3, 6, 6 }, 3 * sizeof(size_t));
		op_run(names[i], &three, 1, &a, NULL);
		ck_assert_uint_eq(a.failures, 1);
		ck_assert_uint_eq(a.first_failure.index, 1);
		ck_assert_int_eq(a.first_failure.detail.code, ERR_NONFINITE);
		args_fini(&a);
		matrix_fini(&x);
		matrix_fini(&three);
	}
}
END_TEST

TCase *tcase_complex_lapack(void)
{
	TCase *c = tcase_create("complex_lapack");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, lu_reproduces_its_matrix);
	tcase_add_test(c,
	    lu_without_pivoting_finds_factors_where_there_are_some);
	tcase_add_test(c, determinants_of_diagonals_are_products);
	tcase_add_test(c, cholesky_reproduces_a_hermitian_matrix);
	tcase_add_test(c, qr_and_svd_reproduce_any_shape);
	tcase_add_test(c, systems_are_solved_whatever_is_known_of_them);
	tcase_add_test(c, triangles_are_solved_by_substitution);
	tcase_add_test(c, eigenpairs_satisfy_their_equation);
	tcase_add_test(c, the_dominant_eigenvalue_has_the_largest_modulus);
	tcase_add_test(c, one_bad_matrix_of_a_stack_fails_alone);
	return c;
}

/* complex.c - operations that move, multiply and sum complex matrices, in both
 * types, with operands of their own kind and mixed ones: answers are held
 * against what the test computes itself. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "matrix/complex.h"
#include "tests/ops/complex.h"

static const enum dtype types[] = { COMPLEX64, COMPLEX128 };

number complex_at(const struct matrix *m, size_t i)
{
	return complex_of(matrix_get(m, i), matrix_get_imaginary(m, i));
}

number complex_element(const struct matrix *m, size_t i, size_t j)
{
	return complex_at(m, i * matrix_cols(m) + j);
}

void complex_set(struct matrix *m, size_t i, number x)
{
	if (dtype_is_complex(m->dtype))
		matrix_set_complex(m, i, creal(x), cimag(x));
	else
		matrix_set(m, i, creal(x));
}

struct matrix random_complex(enum dtype t, unsigned seed, size_t m, size_t n)
{
	struct matrix x = random_matrix(FLOAT64, seed, 2, m, 2 * n);
	struct matrix z = { .dtype = t, .ndim = 2, .dim = { m, n } };
	struct err e = { 0 };

	ck_assert_int_eq(matrix_alloc(&z, test_pool, &e), 0);
	for (size_t i = 0; i < m * n; i++)
		complex_set(&z, i, complex_of(matrix_get(&x, 2 * i),
		                 matrix_get(&x, 2 * i + 1)));
	matrix_fini(&x);
	return z;
}

number complex_taken(const struct matrix *m, size_t i, size_t j, int how)
{
	const number x = how & TURNED ? complex_element(m, j, i) :
	                                complex_element(m, i, j);

	return how & CONJUGATED ? conj(x) : x;
}

void ck_norm(const struct matrix *x, int how_x, const struct matrix *y,
             int how_y, const struct matrix *z)
{
	const size_t m = matrix_rows(z), n = matrix_cols(z);
	const size_t k = how_x & TURNED ? matrix_rows(x) : matrix_cols(x);
	double rest = 0, of_x = 0, of_y = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++) {
			number sum = -complex_element(z, i, j);

			for (size_t p = 0; p < k; p++)
				sum += complex_taken(x, i, p, how_x) *
				       complex_taken(y, p, j, how_y);
			rest = hypot(rest, cabs(sum));
		}
	for (size_t i = 0; i < matrix_elements(x); i++)
		of_x = hypot(of_x, cabs(complex_at(x, i)));
	for (size_t i = 0; i < matrix_elements(y); i++)
		of_y = hypot(of_y, cabs(complex_at(y, i)));
	ck_assert_msg(rest <= 30 * (double)(k + n) *
	              dtype_epsilon(x->dtype) * of_x * of_y,
	              "%zux%zux%zu: off by %g", m, k, n, rest);
}

void ck_ratios(const struct args *a)
{
	ck_assert_msg(a->verdict.residual < 10 ||
	              isnan(a->verdict.residual), "%s: ratio %g",
	              a->op->name, a->verdict.residual);
	ck_assert_msg(a->verdict.orthogonality < 10 ||
	              isnan(a->verdict.orthogonality), "%s: orthogonality %g",
	              a->op->name, a->verdict.orthogonality);
}

/* Asserts that op(X) op(Y) is Z within k eps times the product of the moduli,
 * and 4 times that: each part is a sum of 2 k products. */
static void ck_product(const struct matrix *x, int how_x,
                       const struct matrix *y, int how_y,
                       const struct matrix *z, double allowed)
{
	const size_t m = matrix_rows(z), n = matrix_cols(z);
	const size_t k = how_x & TURNED ? matrix_rows(x) : matrix_cols(x);
	const double eps = dtype_epsilon(z->dtype);

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++) {
			number sum = 0;
			double size = 0;

			for (size_t p = 0; p < k; p++) {
				const number u = complex_taken(x, i, p, how_x);
				const number v = complex_taken(y, p, j, how_y);

				sum += u * v;
				size += cabs(u) * cabs(v);
			}
			ck_assert_msg(cabs(sum - complex_element(z, i, j)) <=
			              allowed * (double)k * eps * size + 1e-300,
			              "(%zu,%zu): %g + %g i", i, j,
			              creal(sum - complex_element(z, i, j)),
			              cimag(sum - complex_element(z, i, j)));
		}
}

START_TEST(products_are_right_in_both_parts)
{
	static const char *const words[] = { "false", "true" };
	static const size_t shape[][3] = { { 1, 1, 1 }, { 3, 5, 2 },
	                                   { 65, 33, 70 }, { 130, 200, 1 } };

	for (size_t t = 0; t < 2 * COUNT(shape) * 16; t++) {
		const int of_a = (int)t & 3, of_b = (int)t >> 2 & 3;
		const size_t *d = shape[t / 16 % COUNT(shape)];
		const enum dtype type = types[t / 16 / COUNT(shape)];
		struct matrix in[2] = {
			of_a & TURNED ? random_complex(type, 1, d[1], d[0]) :
			                random_complex(type, 1, d[0], d[1]),
			of_b & TURNED ? random_complex(type, 2, d[2], d[1]) :
			                random_complex(type, 2, d[1], d[2]),
		};
		struct args a;

		op_run("matmul", in, 2, &a,
		       "transpose_a", words[of_a & TURNED],
		       "conjugate_a", words[of_a >> 1],
		       "transpose_b", words[of_b & TURNED],
		       "conjugate_b", words[of_b >> 1], NULL);
		ck_assert_int_eq(a.out[0].dtype, type);
		ck_product(&in[0], of_a, &in[1], of_b, &a.out[0], 4);
		args_fini(&a);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

/* A small imaginary part beside a large real one keeps its digits, which three
 * products in place of four would lose. */
START_TEST(small_parts_keep_their_digits)
{
	struct matrix in[2] = { random_complex(COMPLEX128, 1, 1, 1),
	                        random_complex(COMPLEX128, 2, 1, 1) };
	struct args a;

	complex_set(&in[0], 0, complex_of(0.1, 13e-10));
	complex_set(&in[1], 0, complex_of(0.3, 31e-10));
	op_run("matmul", in, 2, &a, NULL);
	ck_assert_double_eq_tol(matrix_get_imaginary(&a.out[0], 0),
	                        0.1 * 31e-10 + 13e-10 * 0.3, 1e-24);
	args_fini(&a);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(real_operands_become_complex_beside_complex_ones)
{
	static const struct { enum dtype x, y, want; } rows[] = {
		{ FLOAT32, COMPLEX64, COMPLEX64 },
		{ FLOAT64, COMPLEX64, COMPLEX128 },
		{ INT32, COMPLEX64, COMPLEX128 },
		{ COMPLEX64, COMPLEX128, COMPLEX128 },
		{ COMPLEX64, FLOAT16, COMPLEX64 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		const double one[] = { 1, 0, 0, 1 };
		struct matrix in[2] = { matrix_of(rows[i].x, one, 2, 2, 2),
		                        matrix_of(rows[i].y, one, 2, 2, 2) };
		struct args a;

		op_run("matmul", in, 2, &a, NULL);
		ck_assert_int_eq(a.out[0].dtype, rows[i].want);
		ck_assert_double_eq(matrix_get(&a.out[0], 3), 1);
		args_fini(&a);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

START_TEST(what_takes_no_complex_operands_says_what_it_takes)
{
	static const struct { const char *op, *name, *value, *word; } bad[] = {
		{ "trace", NULL, NULL, "only float32, float64" },
		{ "norm", NULL, NULL, "only float32, float64" },
		{ "transpose", "dtype", "float64", "complex128" },
		{ "reduce", "op", "max", "order" },
		{ "reduce", "op", "argmin", "order" },
		{ "eigen", "method", "power", "real" },
		{ "matmul", "variant", "naive", "complex128" },
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct matrix in[2] = { random_complex(COMPLEX128, 1, 3, 3),
		                        random_complex(COMPLEX128, 2, 3, 3) };
		const int n = strcmp(bad[i].op, "matmul") == 0 ? 2 : 1;
		struct err e = { 0 };
		struct args a;

		ck_assert_int_eq(op_try(bad[i].op, in, n, &a, &e, bad[i].name,
		                        bad[i].value, NULL), -1);
		ck_assert_msg(strstr(e.text, bad[i].word) != NULL, "%s",
		              e.text);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

START_TEST(matrices_are_moved_with_their_parts)
{
	static const size_t shape[][2] = { { 1, 1 }, { 3, 5 }, { 65, 130 } };

	for (size_t t = 0; t < 2 * COUNT(shape); t++) {
		const size_t m = shape[t / 2][0], n = shape[t / 2][1];
		struct matrix x = random_complex(types[t % 2], 1, m, n);
		struct matrix in[2] = { x, random_matrix(FLOAT64, 1, 1, n) };
		struct args a;

		op_run("transpose", &x, 1, &a, "conjugate", "true", NULL);
		for (size_t i = 0; i < m * n; i++)
			ck_assert(complex_element(&a.out[0], i % n, i / n) ==
			          conj(complex_at(&x, i)));
		args_fini(&a);
		for (size_t i = 0; i < n; i++)
			matrix_set(&in[1], i, (double)(n - 1 - i));
		op_run("permute", in, 2, &a, "mode", "column", NULL);
		for (size_t i = 0; i < m * n; i++)
			ck_assert(complex_element(&a.out[0], i / n,
			                          n - 1 - i % n) ==
			          complex_at(&x, i));
		args_fini(&a);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

/* Reductions along axis 0 of an m x n matrix. */
START_TEST(sums_products_and_norms_are_those_of_the_columns)
{
	static const char *const names[] = { "sum", "mean", "prod", "norm1",
	                                     "norm2", "norminf" };
	enum { M = 9, N = 70 };

	for (size_t t = 0; t < 2 * COUNT(names); t++) {
		struct matrix x = random_complex(types[t % 2], 3, M, N);
		const bool norm = t / 2 >= 3;
		struct args a;

		op_run("reduce", &x, 1, &a, "op", names[t / 2], "axis", "0",
		       NULL);
		ck_assert_int_eq(a.out[1].dtype, norm ?
		                 dtype_part(x.dtype) : x.dtype);
		for (size_t j = 0; j < N; j++) {
			number sum = 0, product = 1, want;
			double one = 0, two = 0, most = 0;

			for (size_t i = 0; i < M; i++) {
				const number z = complex_element(&x, i, j);

				sum += z;
				product *= z;
				one += cabs(z);
				two = hypot(two, cabs(z));
				most = fmax(most, cabs(z));
			}
			want = (number[]){ sum, sum / M, product, one, two,
			                   most }[t / 2];
			ck_assert_msg(cabs(complex_at(&a.out[1], j) - want) <=
			              4 * dtype_epsilon(x.dtype) * (one + 1),
			              "%s: column %zu", names[t / 2], j);
		}
		args_fini(&a);
		matrix_fini(&x);
	}
}
END_TEST

START_TEST(sparse_products_have_both_parts)
{
	enum { M = 70, N = 40 };

	for (size_t t = 0; t < 2; t++) {
		struct matrix in[2] = { random_complex(types[t], 1, M, N),
		                        random_complex(types[t], 2, N, 1) };
		struct args a;

		for (size_t i = 0; i < M * N; i++)
			if (i % 5)
				complex_set(&in[0], i, 0);
		op_run("spmv", in, 2, &a, NULL);
		ck_product(&in[0], AS_IT_IS, &in[1], AS_IT_IS, &a.out[0], 4);
		args_fini(&a);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

START_TEST(failing_calls_of_opencl_are_told)
{
	struct matrix in[2] = { random_complex(COMPLEX64, 1, 5, 5),
	                        random_complex(COMPLEX64, 2, 5, 5) };

	op_survives_failing_calls("matmul", in, 2);
	op_survives_failing_calls("reduce", in, 1);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

TCase *tcase_complex(void)
{
	TCase *c = tcase_create("complex");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, products_are_right_in_both_parts);
	tcase_add_test(c, small_parts_keep_their_digits);
	tcase_add_test(c, real_operands_become_complex_beside_complex_ones);
	tcase_add_test(c, what_takes_no_complex_operands_says_what_it_takes);
	tcase_add_test(c, matrices_are_moved_with_their_parts);
	tcase_add_test(c, sums_products_and_norms_are_those_of_the_columns);
	tcase_add_test(c, sparse_products_have_both_parts);
	tcase_add_test(c, failing_calls_of_opencl_are_told);
	return c;
}

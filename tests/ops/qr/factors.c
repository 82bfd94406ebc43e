/* factors.c - see factors.h. */
#include <math.h>
#include <stdlib.h>

#include "ops/failure.h"
#include "tests/ops/qr/factors.h"

double factor_at(const struct matrix *m, size_t s, size_t i, size_t j)
{
	return matrix_get(m, (s * matrix_rows(m) + i) * matrix_cols(m) + j);
}

double factor_norm(const struct matrix *m, size_t s)
{
	double sum = 0;

	for (size_t i = 0; i < matrix_rows(m); i++)
		for (size_t j = 0; j < matrix_cols(m); j++)
			sum += pow(factor_at(m, s, i, j), 2);
	return sqrt(sum);
}

/* Returns the n columns of matrix s of a stack, or its n rows, one after the
 * other, each of m elements. */
static double *vectors(const struct matrix *x, size_t s, bool rows, size_t n,
                       size_t m)
{
	double *v = malloc((n * m + 1) * sizeof *v);

	ck_assert_ptr_nonnull(v);
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < m; i++)
			v[j * m + i] = rows ? factor_at(x, s, j, i) :
			                      factor_at(x, s, i, j);
	return v;
}

static double product(const double *x, const double *y, size_t m)
{
	double sum = 0;

	for (size_t i = 0; i < m; i++)
		sum += x[i] * y[i];
	return sum;
}

/* The matrix of inner products is symmetric: its upper triangle is enough. */
double factor_off_orthogonal(const struct matrix *x, size_t s, bool rows)
{
	const size_t n = rows ? matrix_rows(x) : matrix_cols(x);
	const size_t m = rows ? matrix_cols(x) : matrix_rows(x);
	double *v = vectors(x, s, rows, n, m), sum = 0;

	for (size_t j = 0; j < n; j++) {
		const double *vj = v + j * m;

		sum += pow(product(vj, vj, m) - 1, 2);
		for (size_t k = j + 1; k < n; k++)
			sum += 2 * pow(product(vj, v + k * m, m), 2);
	}
	free(v);
	return sqrt(sum);
}

/* Asserts that the second of three matrices has only NaN in its outputs. */
static void check_nan(const struct args *a)
{
	for (int i = 0; a->op->outputs[i].name; i++) {
		const struct matrix *m = &a->out[i];
		const size_t n = m->ndim == MATRIX_ABSENT ? 0 :
		                 matrix_elements(m) / 3;

		for (size_t k = 0; k < n; k++)
			ck_assert(isnan(matrix_get(m, n + k)));
	}
}

void factor_fails_alone(const char *op, const struct variant *v, size_t m,
                        size_t n, check_one_fn *check)
{
	static const enum dtype reals[] = { FLOAT32, FLOAT64 };
	static const double bad[] = { INFINITY, NAN };

	for (size_t i = 0; i < COUNT(reals) * COUNT(bad); i++) {
		struct matrix x = random_matrix(reals[i / 2], 3, 3, (size_t)3,
		                                m, n);
		struct args a;

		matrix_set(&x, 2 * m * n - 2, bad[i % 2]);
		op_run(op, &x, 1, &a, "variant", v->name, NULL);
		ck_assert_uint_eq(a.failures, 1);
		ck_assert(args_has_failed(&a, 1));
		check_nan(&a);
		ck_assert_double_lt(a.verdict.residual, 30);
		check(&a, 0);
		check(&a, 2);
		args_fini(&a);
		matrix_fini(&x);
	}
}

void factor_keeps_digits(const char *op, const struct variant *v, int output,
                         check_call_fn *check)
{
	static const size_t sizes[] = { 6, 70 };

	for (size_t i = 0; i < COUNT(sizes); i++) {
		const size_t n = sizes[i];
		struct matrix x = random_matrix(FLOAT32, 3, 2, n, n);
		struct args a, b;

		op_run(op, &x, 1, &a, "variant", v->name, NULL);
		for (size_t k = 0; k < n * n; k++)
			matrix_set(&x, k, ldexp(matrix_get(&x, k), -66));
		op_run(op, &x, 1, &b, "variant", v->name, NULL);
		check(&b);
		for (size_t k = 0; k < matrix_elements(&b.out[output]); k++)
			ck_assert_double_eq_tol(
			    ldexp(matrix_get(&b.out[output], k), 66),
			    matrix_get(&a.out[output], k), 1e-5);
		args_fini(&a);
		args_fini(&b);
		matrix_fini(&x);
	}
}

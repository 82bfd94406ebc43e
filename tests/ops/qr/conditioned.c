/* conditioned.c - what the tests of both methods by Cholesky's factorization
 * share: matrices of any condition number and rank, and how far R is from
 * LAPACK's. */
#include <math.h>

#include "ops/qr/qr.h"
#include "tests/ops/qr/qr.h"

/* Multiplies the rows, or the columns, of the m x n matrix x by I - 2 u u^T /
 * u^T u. */
static void reflect(struct matrix *x, bool rows, unsigned seed)
{
	const size_t m = matrix_rows(x), n = matrix_cols(x);
	const size_t length = rows ? m : n, others = rows ? n : m;
	const size_t along = rows ? n : 1, across = rows ? 1 : n;
	struct matrix u = random_matrix(FLOAT64, seed, 1, length);
	double square = 0;

	for (size_t i = 0; i < length; i++)
		square += pow(matrix_get(&u, i), 2);
	for (size_t j = 0; j < others; j++) {
		double sum = 0;

		for (size_t i = 0; i < length; i++)
			sum += matrix_get(&u, i) *
			       matrix_get(x, j * across + i * along);
		for (size_t i = 0; i < length; i++) {
			const size_t at = j * across + i * along;

			matrix_set(x, at, matrix_get(x, at) - 2 * sum /
			           square * matrix_get(&u, i));
		}
	}
	matrix_fini(&u);
}

struct matrix qr_conditioned(enum dtype t, size_t m, size_t n, size_t rank,
                             double condition)
{
	struct matrix x = random_matrix(FLOAT64, 1, 2, m, n);
	struct matrix y = random_matrix(t, 1, 2, m, n);

	for (size_t e = 0; e < m * n; e++)
		matrix_set(&x, e, e / n == e % n && e / n < rank ?
		           pow(condition, -(double)(e / n) /
		                          (double)(n - 1)) : 0);
	for (unsigned i = 0; i < 6; i++)
		reflect(&x, i % 2, 3 + i);
	for (size_t e = 0; e < m * n; e++)
		matrix_set(&y, e, matrix_get(&x, e));
	matrix_fini(&x);
	return y;
}

/* Returns |R - S| / |R| in the Frobenius norm, where S is the factor of the
 * tall matrix x that xGEQRF computes. */
static double off_lapack(const struct matrix *x, const struct matrix *r)
{
	const size_t n = matrix_cols(x);
	double sum = 0, all = 0;
	struct args a;

	op_run("qr", x, 1, &a, "variant", "host", "mode", "raw", NULL);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++) {
			const double own = matrix_get(&a.out[QR_H], i * n + j);

			sum += pow(own - matrix_get(r, i * n + j), 2);
			all += own * own;
		}
	args_fini(&a);
	return sqrt(sum / all);
}

static void one(const struct qr_by_cholesky *by, enum dtype t, size_t m,
                size_t n, size_t rank, double condition)
{
	const double eps = dtype_epsilon(t);
	const double loss = eps * pow(condition, by->power);
	struct matrix x = qr_conditioned(t, m, n, rank, condition);
	struct args a;

	op_run("qr", &x, 1, &a, "variant", by->variant, "quality", "full",
	       NULL);
	ck_assert_msg(a.verdict.residual < 1 && a.verdict.orthogonality < 1,
	              "%zux%zu, rank %zu, condition %g: %g, %g", m, n, rank,
	              condition, a.verdict.residual, a.verdict.orthogonality);
	ck_assert_msg(rank < n || loss > 0.01 || by->succeeds(&a),
	              "%zux%zu, condition %g", m, n, condition);
	if (rank == n && condition * eps < 1e-2 / (double)n)
		ck_assert_double_lt(off_lapack(&x, &a.out[QR_R]),
		                    100 * condition * eps);
	args_fini(&a);
	matrix_fini(&x);
}

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

void qr_check_conditions(const struct qr_by_cholesky *by)
{
	static const double conditions[] = { 10, 1e3, 1e5, 1e6, 1e8, 1e11,
	                                     1e14 };

	for (size_t i = 0; i < COUNT(conditions); i++)
		for (size_t t = 0; t < COUNT(reals); t++) {
			one(by, reals[t], 1100, 70, 70, conditions[i]);
			one(by, reals[t], 532, 129, 129, conditions[i]);
			one(by, reals[t], 22000, 3, 3, conditions[i]);
		}
}

void qr_check_ranks(const struct qr_by_cholesky *by)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		one(by, reals[t], 1024, 64, 63, 10);
		one(by, reals[t], 1100, 70, 30, 1e4);
		one(by, reals[t], 2050, 65, 1, 1);
	}
}

void qr_check_triangle(const struct qr_by_cholesky *by, size_t m)
{
	enum { N = 40 };

	for (size_t t = 0; t < COUNT(reals); t++) {
		struct matrix x = random_matrix(reals[t], 2, 2, m, (size_t)N);
		struct args a;

		for (size_t e = 0; e < m * N; e++)
			if (e / N >= e % N)
				matrix_set(&x, e, e / N > e % N ? 0 :
				           e % 3 ? -3 : 2);
		op_run("qr", &x, 1, &a, "variant", by->variant, NULL);
		for (size_t e = 0; e < N * N; e++)
			ck_assert_double_eq_tol(matrix_get(&a.out[QR_R], e),
			                        matrix_get(&x, e),
			                        100 * dtype_epsilon(reals[t]));
		args_fini(&a);
		matrix_fini(&x);
	}
}

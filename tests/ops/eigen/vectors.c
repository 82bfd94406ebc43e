/* vectors.c - makes operands, and judges the answers for several eigenvalues;
 * see eigen.h. */
#include <math.h>

#include "matrix/complex.h"
#include "tests/ops/complex.h"
#include "tests/ops/eigen/eigen.h"

double eigen_re(const struct args *r, size_t i)
{
	return matrix_get(&r->out[VALUES], i);
}

double eigen_im(const struct args *r, size_t i)
{
	return matrix_get_imaginary(&r->out[VALUES], i);
}

/* Computes the product of row i of M, or of M^T for left vectors, and column j
 * of the vectors. */
static void product(const struct matrix *m, const struct matrix *v,
                    size_t index, bool left, size_t i, size_t j, double *re,
                    double *im)
{
	const size_t n = matrix_rows(m), k = matrix_cols(v);

	*re = *im = 0;
	for (size_t l = 0; l < n; l++) {
		const size_t at = index * n * n + (left ? l * n + i :
		                                          i * n + l);
		const size_t to = index * n * k + l * k + j;

		*re += matrix_get(m, at) * matrix_get(v, to);
		*im += matrix_get(m, at) * matrix_get_imaginary(v, to);
	}
}

double eigen_residual_of(const struct matrix *a, const struct matrix *b,
                         const struct args *r, size_t index, int output,
                         size_t j)
{
	const struct matrix *v = &r->out[output];
	const size_t n = matrix_rows(a), k = matrix_cols(v);
	const bool left = output == LEFT;
	const double x = eigen_re(r, index * k + j);
	const double y = left ? -eigen_im(r, index * k + j) :
	                        eigen_im(r, index * k + j);
	double error = 0;

	for (size_t i = 0; i < n; i++) {
		const size_t at = index * n * k + i * k + j;
		double re, im, p = matrix_get(v, at);
		double q = matrix_get_imaginary(v, at);

		product(a, v, index, left, i, j, &re, &im);
		if (b)
			product(b, v, index, left, i, j, &p, &q);
		re -= x * p - y * q;
		im -= x * q + y * p;
		error += re * re + im * im;
	}
	return sqrt(error);
}

double eigen_norm(const struct matrix *m, size_t index)
{
	const size_t n = matrix_rows(m);
	double sum = 0;

	for (size_t i = 0; i < n * n; i++)
		sum += pow(matrix_get(m, index * n * n + i), 2);
	return sqrt(sum);
}

/* Asserts that column j has unit 2-norm and a largest component that is real
 * and positive. */
static void assert_form(const struct args *r, const struct matrix *v,
                        size_t index, size_t j)
{
	const size_t k = matrix_cols(v), n = matrix_rows(v);
	const double eps = dtype_epsilon(r->dtype);
	double sum = 0, most = 0, re = 0, im = 0;

	for (size_t i = 0; i < n; i++) {
		const size_t at = index * n * k + i * k + j;
		const double x = matrix_get(v, at);
		const double y = matrix_get_imaginary(v, at);

		sum += x * x + y * y;
		if (hypot(x, y) > most) {
			most = hypot(x, y);
			re = x;
			im = y;
		}
	}
	ck_assert_double_eq_tol(sqrt(sum), 1, 30 * (double)n * eps);
	ck_assert_double_gt(re, 0);
	ck_assert_double_eq(im, 0);
}

void eigen_assert_several(const struct matrix *a, const struct matrix *b,
                          const struct args *r, size_t index, int output)
{
	const struct matrix *v = &r->out[output];
	const size_t n = matrix_rows(a), k = matrix_cols(v);
	const double unit = 30 * (double)n * dtype_epsilon(r->dtype);

	ck_assert_uint_eq(matrix_rows(v), n);
	for (size_t j = 0; j < k; j++) {
		const double size = hypot(eigen_re(r, index * k + j),
		                          eigen_im(r, index * k + j));

		ck_assert_double_le(
		    eigen_residual_of(a, b, r, index, output, j),
		    unit * (eigen_norm(a, index) +
		            (b ? size * eigen_norm(b, index) : 0)));
		assert_form(r, v, index, j);
	}
}

struct matrix eigen_hermitian(enum dtype t, unsigned seed, size_t n,
                              double shift)
{
	struct matrix r = random_matrix(FLOAT64, seed, 2, n, 2 * n);
	struct matrix m = { .dtype = t, .ndim = 2, .dim = { n, n } };
	struct err e = { 0 };

	ck_assert_int_eq(matrix_alloc(&m, test_pool, &e), 0);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			const size_t at = 2 * (i * n + j);
			const double re = matrix_get(&r, at) / (double)n;
			const double im = matrix_get(&r, at + 1) / (double)n;

			complex_set(&m, i * n + j, complex_of(re, im));
			complex_set(&m, j * n + i, complex_of(re, -im));
			if (i == j)
				complex_set(&m, i * n + j, re + shift);
		}
	matrix_fini(&r);
	return m;
}

void eigen_assert_refused(const char *const parameters[][4], size_t rows)
{
	struct matrix a = eigen_hilbert(FLOAT64, 2);

	for (size_t i = 0; i < rows; i++) {
		const char *const *const p = parameters[i];
		struct err e = { 0 };
		struct args r;

		ck_refused(op_try("eigen", &a, 1, &r, &e, p[0], p[1], p[2],
		                  p[3], NULL), &e, ERR_PARAMETER);
	}
	matrix_fini(&a);
}

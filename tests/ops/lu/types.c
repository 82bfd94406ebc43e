/* types.c - see lu.h. */
#include <float.h>
#include <lapacke.h>
#include <math.h>

#include "tests/ops/lu/lu.h"

const size_t lu_sizes[] = {
	0, 1, 2, 3, 5, 10, 15, 16, 17, 31, 32, 33, 50, 63, 64, 65, 95, 96, 97,
	127, 128, 129, 160, 200, 257, LU_SIZES_END
};

/* (I - 2 u u'/u'u) times the rows, or the columns, of d. */
static void reflect(double *d, size_t m, size_t n, bool rows, unsigned seed)
{
	const size_t length = rows ? m : n, others = rows ? n : m;
	struct matrix u = random_matrix(FLOAT64, seed, 1, length);
	const double *v = matrix_data(&u);
	double square = 0;

	for (size_t i = 0; i < length; i++)
		square += v[i] * v[i];
	for (size_t j = 0; j < others && square > 0; j++) {
		double *x = rows ? d + j : d + j * n;
		const size_t step = rows ? n : 1;
		double sum = 0;

		for (size_t i = 0; i < length; i++)
			sum += v[i] * x[i * step];
		for (size_t i = 0; i < length; i++)
			x[i * step] -= 2 * sum / square * v[i];
	}
	matrix_fini(&u);
}

/* Singular values fall from 1 to 1 / condition, geometrically. */
static void fill_dense(double *d, size_t m, size_t n, double condition,
                       unsigned seed)
{
	const size_t k = size_min(m, n);

	for (size_t i = 0; i < k; i++)
		d[i * n + i] = k > 1 ? pow(condition, -(double)i / (k - 1)) :
		                       1;
	for (unsigned round = 0; round < 2; round++) {
		reflect(d, m, n, true, seed + 2 * round);
		reflect(d, m, n, false, seed + 2 * round + 1);
	}
}

static double condition_of(enum lu_type type, double eps)
{
	return type == TYPE_ILL ? sqrt(0.1 / eps) :
	       type == TYPE_WORST ? 0.1 / eps : 2;
}

static double scale_of(enum lu_type type, enum dtype t)
{
	const double least = t == FLOAT32 ? FLT_MIN : DBL_MIN;
	const double small = 0.25 * least / dtype_epsilon(t);

	return type == TYPE_UNDERFLOW ? small :
	       type == TYPE_OVERFLOW ? 1 / small : 1;
}

static bool is_zero(enum lu_type type, size_t i, size_t j, size_t n)
{
	switch (type) {
	case TYPE_DIAGONAL: return i != j;
	case TYPE_UPPER: return j < i;
	case TYPE_LOWER: return j > i;
	case TYPE_FIRST_COLUMN_ZERO: return j == 0;
	case TYPE_LAST_COLUMN_ZERO: return j == n - 1;
	case TYPE_LAST_HALF_ZERO: return j >= n / 2;
	default: return false;
	}
}

struct matrix type_matrix(enum lu_type type, enum dtype t, size_t m, size_t n,
                          unsigned seed)
{
	struct matrix a = random_matrix(t, seed, 2, m, n);
	double *d = calloc(m * n + 1, sizeof *d);

	fill_dense(d, m, n, condition_of(type, dtype_epsilon(t)), seed);
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(&a, i * n + j, is_zero(type, i, j, n) ? 0 :
			           i == j && type <= TYPE_LOWER ?
			           1 + d[i * n + j] :
			           d[i * n + j] * scale_of(type, t));
	free(d);
	return a;
}

/* Returns the matrix's elements, row by row; free() them. */
static double *elements_of(const struct matrix *m)
{
	const size_t count = matrix_elements(m);
	double *x = malloc((count + 1) * sizeof *x);

	for (size_t i = 0; i < count; i++)
		x[i] = matrix_get(m, i);
	return x;
}

/* Adds the absolute values of row[] - (row i of L U) to sums[], computed in
 * float64 as LAPACK's xGET01 does. Overwrites row[]. */
static void defect_of_row(double *row, const double *lu, size_t k, size_t n,
                          size_t i, double *sums)
{
	for (size_t q = 0; q < k && q <= i; q++) {
		const double l = q == i ? 1 : lu[i * n + q];
		const double *u = lu + q * n;

		for (size_t j = q; j < n; j++)
			row[j] -= l * u[j];
	}
	for (size_t j = 0; j < n; j++)
		sums[j] += fabs(row[j]);
}

static double largest(const double *x, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		if (!(x[i] <= most))
			most = x[i];
	return most;
}

double factors_ratio(const struct matrix *a, const struct matrix *lu,
                     const struct matrix *pivots)
{
	const size_t m = matrix_rows(a), n = matrix_cols(a);
	const double eps = dtype_epsilon(a->dtype) / 2;
	double *defect = calloc(n + 1, sizeof *defect);
	double *norm = calloc(n + 1, sizeof *norm), ratio;
	double *x = elements_of(a), *factors = elements_of(lu);
	size_t *p = calloc(m + 1, sizeof *p);

	for (size_t i = 0; i < m; i++)
		p[i] = i;
	for (size_t i = 0; i < size_min(m, n); i++) {
		const size_t with = (size_t)matrix_get(pivots, i), t = p[i];

		p[i] = p[with];
		p[with] = t;
	}
	for (size_t i = 0; i < m; i++) {
		double *row = x + p[i] * n;

		for (size_t j = 0; j < n; j++)
			norm[j] += fabs(row[j]);
		defect_of_row(row, factors, size_min(m, n), n, i, defect);
	}
	ratio = largest(defect, n);
	ratio = ratio == 0 ? 0 : ratio / largest(norm, n) / (n * eps);
	free(defect);
	free(norm);
	free(x);
	free(factors);
	free(p);
	return ratio;
}

int lapack_pivots(const struct matrix *m, int *pivots)
{
	const lapack_int rows = (lapack_int)m->dim[0];
	const lapack_int cols = (lapack_int)m->dim[1];
	void *copy = malloc(matrix_size(m) + 1);
	int info;

	memcpy(copy, matrix_data(m), matrix_size(m));
	info = m->dtype == FLOAT32 ?
	       LAPACKE_sgetrf(LAPACK_ROW_MAJOR, rows, cols, copy, cols,
	                      pivots) :
	       LAPACKE_dgetrf(LAPACK_ROW_MAJOR, rows, cols, copy, cols,
	                      pivots);
	free(copy);
	return info;
}

/* lapack.c - LAPACK's test matrices for general matrices (its working note 41,
 * table 2), rebuilt here: given singular values between random reflections; and
 * fills that need only random numbers. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/rows.h"
#include "matrix/complex.h"

enum { WHOLE, DIAGONAL, UPPER, LOWER, NO_FIRST_COLUMN, NO_LAST_COLUMN,
       NO_LAST_HALF };

/* SplitMix64 (Steele, Lea and Flood 2014), where `place` selects the element of
 * the sequence. */
double check_random(uint64_t seed, uint64_t place)
{
	uint64_t x = (seed << 40) + (place + 1) *
	             UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (double)((x ^ x >> 31) >> 11) * 0x1p-52 - 1;
}

double _Complex check_random_complex(uint64_t seed, uint64_t place)
{
	return complex_of(check_random(seed, 2 * place),
	                  check_random(seed, 2 * place + 1));
}

void check_fill_random(struct matrix *m, uint64_t seed)
{
	for (size_t i = 0, n = matrix_elements(m); i < n; i++)
		matrix_set(m, i, dtype_is_integer(m->dtype) ?
		           rint(1e6 * check_random(seed, i)) :
		           check_random(seed, i));
}

int fill_random(const struct kind *k, struct args *a, struct err *e)
{
	(void)k;
	(void)e;
	for (int i = 0; a->op->inputs[i].name; i++)
		if (a->in[i].ndim != MATRIX_ABSENT)
			check_fill_random(&a->in[i], (uint64_t)i + 1);
	return 0;
}

const struct kind check_random_kinds[] = {
	KIND("random", fill_random), { 0 }
};

/* Fills the operands, one after the other, with the kind's values. */
int fill_values(const struct kind *k, struct args *a, struct err *e)
{
	const double *next = k->values;

	(void)e;
	for (int i = 0; a->op->inputs[i].name; i++)
		for (size_t j = 0; a->in[i].ndim != MATRIX_ABSENT &&
		     j < matrix_elements(&a->in[i]); j++)
			matrix_set(&a->in[i], j, *next++);
	return 0;
}

/* Multiplies the rows, or the columns, of d by I - 2 u u' / u'u with a random
 * u. */
static void reflect(double *d, size_t m, size_t n, bool rows, uint64_t seed)
{
	const size_t length = rows ? m : n, others = rows ? n : m;
	const size_t along = rows ? n : 1, across = rows ? 1 : n;
	double square = 0;

	for (size_t i = 0; i < length; i++)
		square += pow(check_random(seed, i), 2);
	for (size_t j = 0; j < others && square > 0; j++) {
		double *x = d + j * across, sum = 0;

		for (size_t i = 0; i < length; i++)
			sum += check_random(seed, i) * x[i * along];
		for (size_t i = 0; i < length; i++)
			x[i * along] -= 2 * sum / square *
			                check_random(seed, i);
	}
}

/* Fills d with singular values that fall geometrically from 1 to 1 /
 * condition. */
static void fill_dense(double *d, size_t m, size_t n, double condition)
{
	const size_t k = size_min(m, n);

	for (size_t i = 0; i < k; i++)
		d[i * n + i] = k < 2 ? 1 :
		    pow(condition, -(double)i / (double)(k - 1));
	for (uint64_t i = 0; i < 4; i++)
		reflect(d, m, n, i % 2, 11 + i);
}

static bool is_zero(int shape, size_t i, size_t j, size_t n)
{
	const bool zero[] = {
		[WHOLE] = false, [DIAGONAL] = i != j, [UPPER] = j < i,
		[LOWER] = j > i, [NO_FIRST_COLUMN] = j == 0,
		[NO_LAST_COLUMN] = j == n - 1, [NO_LAST_HALF] = j >= n / 2,
	};

	return zero[shape];
}

/* The scale of LAPACK's extreme types: the smallest normal number over eps, or
 * the inverse of that. */
static double scale_of(const struct kind *k, enum dtype t)
{
	const double least = t == FLOAT32 ? FLT_MIN : DBL_MIN;

	return pow(0.25 * least / dtype_epsilon(t), -k->range);
}

static void fill_matrix(const struct kind *k, struct matrix *x, double *d)
{
	const size_t m = matrix_rows(x), n = matrix_cols(x);
	const bool triangle = k->shape >= DIAGONAL && k->shape <= LOWER;
	const double scale = scale_of(k, x->dtype);

	fill_dense(d, m, n, k->hardness == 0 ? 2 :
	           pow(0.1 / dtype_epsilon(x->dtype), k->hardness));
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(x, i * n + j,
			           is_zero(k->shape, i, j, n) ? 0 :
			           d[i * n + j] * scale + (triangle && i == j));
}

void check_fill_sides(const struct matrix *x, struct matrix *b)
{
	const size_t n = matrix_rows(x), sides = matrix_cols(b);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < sides; j++) {
			long double sum = 0;

			for (size_t k = 0; k < n; k++)
				sum += (long double)matrix_get(x, i * n + k) *
				       check_random(7, k * sides + j);
			matrix_set(b, i * sides + j, (double)sum);
		}
}

static int fill_lapack(const struct kind *k, struct args *a, struct err *e)
{
	double *d = calloc(matrix_elements(&a->in[0]) + 1, sizeof *d);
	char text[MATRIX_SHAPE_TEXT];

	if (!d)
		return err_set(e, ERR_MEMORY, "no memory for a matrix %s",
		               matrix_shape_text(&a->in[0], text));
	fill_matrix(k, &a->in[0], d);
	free(d);
	if (a->op->inputs[1].name && a->in[1].ndim != MATRIX_ABSENT)
		check_fill_sides(&a->in[0], &a->in[1]);
	return 0;
}

#define REGULAR                                                            \
	KIND("diagonal", fill_lapack, .shape = DIAGONAL),                  \
	KIND("upper triangle", fill_lapack, .shape = UPPER),               \
	KIND("lower triangle", fill_lapack, .shape = LOWER),               \
	KIND("condition 2", fill_lapack, .shape = WHOLE),                  \
	KIND("condition (0.1/eps)^1/2", fill_lapack, .hardness = 0.5),     \
	KIND("condition 0.1/eps", fill_lapack, .hardness = 1),             \
	KIND("near underflow", fill_lapack, .range = -1),                  \
	KIND("near overflow", fill_lapack, .range = 1)

#define SINGULAR                                                           \
	KIND("first column zero", fill_lapack, .shape = NO_FIRST_COLUMN),  \
	KIND("last column zero", fill_lapack, .shape = NO_LAST_COLUMN),    \
	KIND("last half zero", fill_lapack, .shape = NO_LAST_HALF)

const struct kind check_regular_kinds[] = { REGULAR, { 0 } };
const struct kind check_singular_kinds[] = { SINGULAR, { 0 } };
const struct kind check_lapack_kinds[] = { REGULAR, SINGULAR, { 0 } };

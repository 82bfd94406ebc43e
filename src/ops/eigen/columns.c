/* columns.c - scales matrices, normalises eigenvectors, and writes the chosen
 * ones to the columns of an output; see many.h. */
#include <float.h>
#include <math.h>

#include "ops/eigen/many.h"
#include "ops/eigen/parts.h"

static double as_stored(double x, enum dtype dtype)
{
	return dtype == FLOAT32 ? (double)(float)x : x;
}

void eigen_as_stored(double *x, size_t n, enum dtype dtype)
{
	for (size_t i = 0; i < n && dtype == FLOAT32; i++)
		x[i] = (float)x[i];
}

/* Four maxima hide the latency of a comparison, and the four sums of norm_of()
 * hide that of an addition. */
double eigen_peak(const double *x, size_t n)
{
	double most[4] = { 0 };
	size_t i = 0;

	for (; i + 4 <= n; i += 4)
		for (size_t k = 0; k < 4; k++) {
			const double y = fabs(x[i + k]);

			most[k] = y > most[k] ? y : most[k];
		}
	for (; i < n; i++)
		most[0] = fmax(fabs(x[i]), most[0]);
	return fmax(fmax(most[0], most[1]), fmax(most[2], most[3]));
}

void eigen_divide(double *x, size_t n, int power)
{
	/* 2^-power itself may be beyond float64's range. */
	const double half = ldexp(1, -(power / 2));
	const double rest = ldexp(1, -(power - power / 2));

	for (size_t i = 0; i < n && power != 0; i++)
		x[i] = x[i] * half * rest;
}

int eigen_scale(double *x, size_t n)
{
	const double most = eigen_peak(x, n);
	const int power = most > 0 ? ilogb(most) : 0;

	eigen_divide(x, n, power);
	return power;
}

static double norm_of(const double *x, size_t n)
{
	double sum[4] = { 0 };
	size_t i = 0;

	for (; i + 4 <= n; i += 4)
		for (size_t k = 0; k < 4; k++)
			sum[k] += x[i + k] * x[i + k];
	for (; i < n; i++)
		sum[0] += x[i] * x[i];
	return sqrt(sum[0] + sum[1] + (sum[2] + sum[3]));
}

/* Vectors whose squares might overflow or vanish are divided by their largest
 * component first. Rounding keeps the order of numbers, so that the largest
 * component is also the largest one as it is stored. */
void eigen_normalise(double *x, size_t n, enum dtype dtype)
{
	double peak = eigen_peak(x, n), scale, most;
	size_t i = 0;

	if (!(peak > 0x1p-400 && peak < 0x1p400)) {
		for (size_t k = 0; k < n; k++)
			x[k] /= peak;
		peak = 1;
	}
	scale = 1 / norm_of(x, n);
	most = as_stored(peak * scale, dtype);
	for (size_t k = 0; k < n; k++)
		x[k] *= scale;
	while (i < n && fabs(as_stored(x[i], dtype)) < most)
		i++;
	if (i == n || x[i] > 0)
		return;
	for (size_t k = 0; k < n; k++)
		x[k] = 0 - x[k];
}

/* Divides the complex vector x + i y by the largest magnitude of its real and
 * imaginary parts, so that no square overflows. Returns the sum of the squared
 * moduli of the quotients, and sets *most to the largest squared modulus. */
static double scale(double *x, double *y, size_t n, double *most)
{
	double peak = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		const double re = fabs(x[i]), im = fabs(y[i]);
		const double larger = re > im ? re : im;

		peak = larger > peak ? larger : peak;
	}
	*most = 0;
	for (size_t i = 0; i < n; i++) {
		double square;

		x[i] /= peak;
		y[i] /= peak;
		square = x[i] * x[i] + y[i] * y[i];
		sum += square;
		*most = square > *most ? square : *most;
	}
	return sum;
}

/* Returns the index of the first component whose modulus differs from the
 * largest modulus, sqrt(most), by no more than rounding errors. */
static size_t largest(const double *x, const double *y, double most)
{
	size_t k = 0;

	while (x[k] * x[k] + y[k] * y[k] < most * (1 - 128 * DBL_EPSILON))
		k++;
	return k;
}

/* Makes component k, which largest() finds, real and positive. Rounding errors
 * may give other components a larger modulus; component k is then raised above
 * them, so that a client who looks for the largest component finds it. */
void eigen_normalise_complex(double *x, double *y, size_t n,
                             enum dtype dtype)
{
	double most, others = 0;
	const double norm = sqrt(scale(x, y, n, &most));
	const size_t k = largest(x, y, most);
	const double size = hypot(x[k], y[k]);
	const double c = x[k] / size, s = -y[k] / size;

	for (size_t i = 0; i < n; i++) {
		const double re = x[i] / norm, im = y[i] / norm;
		double p, q, square;

		/* Adding 0 turns -0 into 0. */
		x[i] = c * re - s * im + 0.0;
		y[i] = s * re + c * im + 0.0;
		p = as_stored(x[i], dtype);
		q = as_stored(y[i], dtype);
		square = i == k ? 0 : p * p + q * q;
		others = square > others ? square : others;
	}
	x[k] = fmax(size / norm, sqrt(others) *
	                         (1 + 2 * dtype_epsilon(dtype)));
	y[k] = 0;
}

static void store(struct matrix *out, size_t i, double re, double im)
{
	void *const data = matrix_data(out);

	switch (out->dtype) {
	case FLOAT32:
		((float *)data)[i] = (float)re;
		break;
	case FLOAT64:
		((double *)data)[i] = re;
		break;
	case COMPLEX64:
		((float *)data)[2 * i] = (float)re;
		((float *)data)[2 * i + 1] = (float)im;
		break;
	default:
		((double *)data)[2 * i] = re;
		((double *)data)[2 * i + 1] = im;
	}
}

/* The vectors of a matrix while they are written to an output, n x m for each
 * matrix. */
struct put {
	struct matrix *out;
	size_t first;			/* element of this matrix */
	const struct eigen_set *s;
	const double *vectors;
};

/* Stores components i0 to end - 1 of the vector of the answer's eigenvalue j.
 * Of a conjugate pair, the second vector is the conjugate of the first. */
static void put_column(const struct put *p, size_t j, size_t i0, size_t end)
{
	const struct eigen_set *const s = p->s;
	const size_t m = matrix_cols(p->out);
	const bool has = j < s->count;
	const double im = has ? s->im[s->order[j]] : 0;
	const double *const x = has ? p->vectors + s->column[j] * s->n : NULL;
	const double *const y = im == 0 ? NULL : x + s->n;

	for (size_t i = i0; i < end; i++)
		store(p->out, p->first + i * m + j, has ? x[i] : NAN,
		      !has ? NAN : im == 0 ? 0 : im > 0 ? y[i] : 0 - y[i]);
}

/* Are the answered vectors real, and the first columns in their order? */
static bool are_in_place(const struct eigen_set *s)
{
	for (size_t j = 0; j < s->count; j++)
		if (s->column[j] != j || s->im[s->order[j]] != 0)
			return false;
	return true;
}

/* Writes a part of the rows of real vectors that are in place. */
static void put_block(void *arg, size_t part)
{
	const struct put *const p = arg;
	const size_t n = p->s->n, m = p->s->count;
	const struct eigen_span rows = eigen_span(n, part);
	const double *const from = p->vectors + rows.first;
	const size_t to = p->first + rows.first * m;
	void *const data = matrix_data(p->out);

	if (p->out->dtype == FLOAT32)
		lapack_transpose_narrowed(from, n, m, rows.end - rows.first,
		                          (float *)data + to, m);
	else
		lapack_transpose(from, n, m, rows.end - rows.first,
		                 sizeof *from, (double *)data + to, m);
}

/* Writes a part of the rows, in tiles, so that every cache line of a column is
 * read once. */
static void put_tiles(void *arg, size_t part)
{
	const struct put *const p = arg;
	const struct eigen_span rows = eigen_span(p->s->n, part);

	for (size_t i = rows.first; i < rows.end; i += EIGEN_TILE)
		for (size_t j = 0; j < matrix_cols(p->out); j++)
			put_column(p, j, i, size_min(i + EIGEN_TILE,
			                             rows.end));
}

void eigen_put_vectors(const struct lapack_call *c, struct matrix *out,
                       size_t index, const struct eigen_set *s,
                       const double *vectors)
{
	struct put p = { .out = out, .s = s, .vectors = vectors };
	bool whole;

	if (!out->memory)
		return;
	p.first = index * s->n * matrix_cols(out);
	whole = s->count == matrix_cols(out) && are_in_place(s) &&
	        !dtype_is_complex(out->dtype);
	eigen_parts(c, whole ? put_block : put_tiles, &p);
}

void eigen_normalise_one(const struct eigen_set *s, size_t i, double *vectors,
                         enum dtype dtype)
{
	const double im = s->im[s->order[i]];
	double *const x = vectors + s->column[i] * s->n;

	if (im == 0)
		eigen_normalise(x, s->n, dtype);
	else if (im > 0)
		eigen_normalise_complex(x, x + s->n, s->n, dtype);
}

void eigen_put_values(struct args *a, size_t index, const struct eigen_set *s)
{
	struct matrix *out = &a->out[EIGEN_VALUES];
	const size_t m = out->memory ? out->dim[out->ndim - 1] : 0;
	const size_t first = index * m;

	for (size_t i = 0; i < m; i++) {
		const bool has = i < s->count;
		const size_t e = has ? s->order[i] : 0;

		if (dtype_is_complex(out->dtype))
			matrix_set_complex(out, first + i,
			    has ? s->re[e] : NAN, has ? s->im[e] : NAN);
		else
			matrix_set(out, first + i, has ? s->re[e] : NAN);
	}
}

void eigen_put_pairs(struct args *a, size_t index, const struct eigen_set *s,
                     const int power[2])
{
	struct matrix *out = &a->out[EIGEN_ALPHA_BETA];
	const size_t m = out->memory ? matrix_cols(out) : 0;
	const size_t first = 2 * index * m;

	for (size_t i = 0; i < m; i++) {
		const bool has = i < s->count;
		const size_t e = has ? s->order[i] : 0;

		store(out, first + i,
		      has ? ldexp(s->alpha[e], power[0]) : NAN,
		      has ? ldexp(s->alpha[s->n + e], power[0]) : NAN);
		store(out, first + m + i,
		      has ? ldexp(s->beta[e], power[1]) : NAN, has ? 0 : NAN);
	}
}

bool eigen_set_fits(const struct eigen_set *s, enum dtype dtype)
{
	const double most = dtype == FLOAT32 ? FLT_MAX : DBL_MAX;

	for (size_t i = 0; i < s->count; i++)
		if (!(hypot(s->re[s->order[i]], s->im[s->order[i]]) <= most))
			return false;
	return true;
}

bool eigen_pairs_fit(const struct eigen_set *s, const int power[2],
                     enum dtype dtype)
{
	const double most = dtype == FLOAT32 ? FLT_MAX : DBL_MAX;

	for (size_t i = 0; i < s->count; i++) {
		const size_t k = s->order[i];
		const double of_a = hypot(s->alpha[k], s->alpha[s->n + k]);

		if (!(ldexp(of_a, power[0]) <= most) ||
		    !(ldexp(fabs(s->beta[k]), power[1]) <= most))
			return false;
	}
	return true;
}

bool eigen_set_is_complex(const struct eigen_set *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->im[s->order[i]] != 0)
			return true;
	return false;
}

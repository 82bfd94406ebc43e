/* matrix.c - see matrix.h. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "base/size.h"
#include "matrix/arrival.h"
#include "matrix/half.h"
#include "matrix/matrix.h"

/* The most rows that a matrix without elements can have: the product of the
 * dimensions before the first that is 0. Such rows need no memory, but as text
 * each of them is a pair of brackets. */
static const size_t empty_rows_most = (size_t)1 << 30;

int matrix_count(const struct matrix *m, size_t *elements, struct err *e)
{
	char text[MATRIX_SHAPE_TEXT];
	bool empty = false, fits = true;
	size_t rows = 1;

	*elements = m->nnz;
	if (m->layout == CSR)
		return 0;
	*elements = 1;
	for (int i = 0; i < m->ndim; i++) {
		empty |= m->dim[i] == 0;
		fits = fits && size_mul(*elements, m->dim[i] ? m->dim[i] : 1,
		                        elements);
		rows = empty ? rows : *elements;
	}
	if (!fits)
		return err_set(e, ERR_TOO_LARGE, "a matrix of %s elements is "
		               "beyond any memory", matrix_shape_text(m, text));
	if (empty && rows > empty_rows_most)
		return err_set(e, ERR_TOO_LARGE, "a matrix of %s has no "
		               "elements, but more than %zu rows",
		               matrix_shape_text(m, text), empty_rows_most);
	if (empty)
		*elements = 0;
	return 0;
}

int matrix_bytes(const struct matrix *m, size_t *bytes, struct err *e)
{
	char text[MATRIX_SHAPE_TEXT];
	size_t n;

	if (matrix_count(m, &n, e) < 0)
		return -1;
	if (!size_mul(n, dtype_bytes(m->dtype), bytes))
		return err_set(e, ERR_TOO_LARGE, "a matrix of %s elements is "
		               "beyond any memory", matrix_shape_text(m, text));
	return 0;
}

size_t matrix_elements(const struct matrix *m)
{
	size_t n = m->ndim < 0 ? 0 : 1;

	if (m->layout == CSR)
		return m->ndim < 0 ? 0 : m->nnz;
	for (int i = 0; i < m->ndim; i++)
		n *= m->dim[i];
	return n;
}

size_t matrix_size(const struct matrix *m)
{
	return matrix_elements(m) * dtype_bytes(m->dtype);
}

int matrix_index_bytes(const struct matrix *m, size_t *bytes, struct err *e)
{
	char text[MATRIX_SHAPE_TEXT];
	size_t starts, columns;

	*bytes = 0;
	if (m->layout == DENSE)
		return 0;
	if (!size_add(m->dim[0], 1, &starts) ||
	    !size_mul(starts, sizeof(int64_t), &starts) ||
	    !size_mul(m->nnz, sizeof(int32_t), &columns) ||
	    !size_add(starts, columns, bytes))
		return err_set(e, ERR_TOO_LARGE, "a sparse matrix of %s with "
		               "%zu entries is beyond any memory",
		               matrix_shape_text(m, text), m->nnz);
	return 0;
}

size_t matrix_index_size(const struct matrix *m)
{
	if (m->ndim < 0 || m->layout == DENSE)
		return 0;
	return (m->dim[0] + 1) * sizeof(int64_t) + m->nnz * sizeof(int32_t);
}

size_t matrix_rows(const struct matrix *m)
{
	if (m->ndim >= 2)
		return m->dim[m->ndim - 2];
	return m->ndim == 1 ? m->dim[0] : 1;
}

size_t matrix_cols(const struct matrix *m)
{
	return m->ndim >= 2 ? m->dim[m->ndim - 1] : 1;
}

size_t matrix_stack(const struct matrix *m)
{
	size_t n = 1;

	for (int i = 0; i < m->ndim - 2; i++)
		n *= m->dim[i];
	return n;
}

int matrix_alloc(struct matrix *m, struct memory_pool *p, struct err *e)
{
	size_t bytes;

	if (matrix_bytes(m, &bytes, e) < 0)
		return -1;
	m->memory = memory_new(p, bytes, e);
	if (!m->memory)
		return -1;
	if (m->layout == DENSE)
		return 0;
	if (matrix_index_bytes(m, &bytes, e) < 0)
		return -1;
	m->index = memory_new(p, bytes, e);
	return m->index ? 0 : -1;
}

int matrix_alloc_arriving(struct matrix *m, struct memory_pool *p,
                          struct err *e)
{
	size_t bytes;

	if (matrix_bytes(m, &bytes, e) < 0)
		return -1;
	m->memory = arrival_new(p, bytes, e);
	return m->memory ? 0 : -1;
}

void matrix_fini(struct matrix *m)
{
	memory_unref(m->memory);
	memory_unref(m->index);
	*m = (struct matrix){ .ndim = MATRIX_ABSENT };
}

struct matrix matrix_ref(const struct matrix *m)
{
	memory_ref(m->memory);
	memory_ref(m->index);
	return *m;
}

const char *matrix_shape_text(const struct matrix *m,
                              char text[MATRIX_SHAPE_TEXT])
{
	size_t n = 0;

	if (m->ndim <= 0)
		return m->ndim < 0 ? "absent" : "scalar";
	for (int i = 0; i < m->ndim; i++)
		n += (size_t)snprintf(text + n, MATRIX_SHAPE_TEXT - n, "%s%zu",
		                      i ? "x" : "", m->dim[i]);
	return text;
}

double matrix_get(const struct matrix *m, size_t i)
{
	const void *data = matrix_data(m);

	switch (m->dtype) {
	case FLOAT32: return ((const float *)data)[i];
	case FLOAT64: return ((const double *)data)[i];
	case INT32:   return ((const int32_t *)data)[i];
	case INT64:   return (double)((const int64_t *)data)[i];
	case BOOL:    return ((const uint8_t *)data)[i] != 0;
	case FLOAT16: return half_value(((const uint16_t *)data)[i]);
	case BFLOAT16: return bfloat_value(((const uint16_t *)data)[i]);
	case COMPLEX64: return ((const float *)data)[2 * i];
	case COMPLEX128: return ((const double *)data)[2 * i];
	default:      return NAN;
	}
}

double matrix_get_imaginary(const struct matrix *m, size_t i)
{
	const void *data = matrix_data(m);

	switch (m->dtype) {
	case COMPLEX64: return ((const float *)data)[2 * i + 1];
	case COMPLEX128: return ((const double *)data)[2 * i + 1];
	default: return 0;
	}
}

/* x, truncated to an integer within [min, max]; NaN becomes 0. */
static int64_t saturate(double x, double min, double max)
{
	if (isnan(x))
		return 0;
	if (x >= max)
		return max == (double)INT32_MAX ? INT32_MAX : INT64_MAX;
	return x <= min ? (int64_t)min : (int64_t)x;
}

void matrix_set(struct matrix *m, size_t i, double value)
{
	void *data = matrix_data(m);

	switch (m->dtype) {
	case FLOAT32: ((float *)data)[i] = (float)value; break;
	case FLOAT64: ((double *)data)[i] = value; break;
	case FLOAT16: ((uint16_t *)data)[i] = half_of(value); break;
	case BFLOAT16: ((uint16_t *)data)[i] = bfloat_of(value); break;
	case INT32:
		((int32_t *)data)[i] =
		    (int32_t)saturate(value, INT32_MIN, INT32_MAX);
		break;
	case INT64:
		((int64_t *)data)[i] =
		    saturate(value, -0x1p63, 0x1p63);
		break;
	case BOOL:    ((uint8_t *)data)[i] = value != 0; break;
	case COMPLEX64:
	case COMPLEX128:
		matrix_set_complex(m, i, value, 0);
		break;
	default:      break;
	}
}

void matrix_set_complex(struct matrix *m, size_t i, double real,
                        double imaginary)
{
	void *data = matrix_data(m);

	if (m->dtype == COMPLEX64) {
		((float *)data)[2 * i] = (float)real;
		((float *)data)[2 * i + 1] = (float)imaginary;
	} else {
		((double *)data)[2 * i] = real;
		((double *)data)[2 * i + 1] = imaginary;
	}
}

/* complex.c - see complex.h. */
#include <string.h>

#include "base/slice.h"
#include "matrix/complex.h"
#include "matrix/sparse.h"

static int check_shapes(const struct matrix *x, const struct matrix *y,
                        struct err *e)
{
	char s[MATRIX_SHAPE_TEXT], t[MATRIX_SHAPE_TEXT];

	if (x->ndim == y->ndim &&
	    (x->ndim <= 0 || memcmp(x->dim, y->dim, (size_t)x->ndim *
	                                            sizeof x->dim[0]) == 0))
		return 0;
	return err_set(e, ERR_FORMAT, "real is %.80s and imag is %.80s: they "
	               "must have the same shape", matrix_shape_text(x, s),
	               matrix_shape_text(y, t));
}

/* Makes both parts float32 or float64, and sparse if one is. */
static int make_alike(struct matrix *real, struct matrix *imag,
                      enum dtype part, struct memory_pool *p, struct err *e)
{
	const enum layout layout = real->layout == CSR ? CSR : imag->layout;
	struct matrix *const parts[] = { real, imag };

	for (int i = 0; i < 2; i++) {
		if (parts[i]->layout != layout &&
		    sparse_convert(parts[i], layout, p, e) < 0)
			return -1;
		if (matrix_convert(parts[i], part, p, e) < 0)
			return -1;
	}
	return 0;
}

static int join_dense(struct matrix *to, const struct matrix *real,
                      const struct matrix *imag, struct err *e)
{
	const size_t n = matrix_elements(to);

	for (size_t i = 0; i < n; i++) {
		matrix_set_complex(to, i, matrix_get(real, i),
		                   matrix_get(imag, i));
		if (slice_every(i, e))
			return -1;
	}
	return 0;
}

/* The entries of one row of a part that are left. */
struct rest {
	const struct matrix *m;
	int64_t next, end;
};

static struct rest rest_of(const struct matrix *m, size_t row)
{
	return (struct rest){ m, sparse_starts(m)[row],
	                      sparse_starts(m)[row + 1] };
}

/* The column of the next entry, or one beyond every column. */
static int64_t column_of(const struct rest *r)
{
	return r->next < r->end ? sparse_columns(r->m)[r->next] : INT64_MAX;
}

/* The value at that column, which is taken; 0 if there is no entry. */
static double take(struct rest *r, int64_t column)
{
	return column_of(r) == column ? matrix_get(r->m, (size_t)r->next++) : 0;
}

/* Merges row `row` of both parts into `to` from entry `at` on, and returns
 * where it ends. Without memory, it only counts. */
static size_t merge_row(struct matrix *to, size_t at, size_t row,
                        const struct matrix *real, const struct matrix *imag)
{
	struct rest x = rest_of(real, row), y = rest_of(imag, row);

	while (x.next < x.end || y.next < y.end) {
		const int64_t of_x = column_of(&x), of_y = column_of(&y);
		const int64_t column = of_x < of_y ? of_x : of_y;
		const double re = take(&x, column), im = take(&y, column);

		if (to->memory) {
			sparse_columns(to)[at] = (int32_t)column;
			matrix_set_complex(to, at, re, im);
		}
		at++;
	}
	return at;
}

static int join_sparse(struct matrix *to, const struct matrix *real,
                       const struct matrix *imag, struct memory_pool *p,
                       struct err *e)
{
	for (int pass = 0; pass < 2; pass++) {
		size_t at = 0;

		for (size_t i = 0; i < to->dim[0]; i++) {
			if (pass)
				sparse_starts(to)[i] = (int64_t)at;
			at = merge_row(to, at, i, real, imag);
			if (slice_every(i, e))
				return -1;
		}
		to->nnz = at;
		if (pass)
			sparse_starts(to)[to->dim[0]] = (int64_t)at;
		else if (matrix_alloc(to, p, e) < 0)
			return -1;
	}
	return 0;
}

int complex_join(struct matrix *real, struct matrix *imag,
                 struct memory_pool *p, struct err *e)
{
	const enum dtype part = real->dtype == FLOAT32 &&
	                        imag->dtype == FLOAT32 ? FLOAT32 : FLOAT64;
	struct matrix to;
	int rc;

	if (check_shapes(real, imag, e) < 0 ||
	    make_alike(real, imag, part, p, e) < 0)
		return -1;
	to = *real;
	to.dtype = dtype_of_parts(part);
	to.memory = to.index = NULL;
	to.text = to.rounded = false;
	to.coordinates = real->coordinates && imag->coordinates;
	rc = to.layout == CSR ? join_sparse(&to, real, imag, p, e) :
	     matrix_alloc(&to, p, e) < 0 ? -1 :
	     join_dense(&to, real, imag, e);
	if (rc < 0) {
		matrix_fini(&to);
		return -1;
	}
	matrix_fini(real);
	matrix_fini(imag);
	*real = to;
	return 0;
}

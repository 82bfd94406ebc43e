/* mm_finish.c - see mm_reader.h: makes a matrix of a Matrix Market text's
 * values or entries. */
#include "base/size.h"
#include "base/slice.h"
#include "format/mm_reader.h"
#include "matrix/complex.h"
#include "matrix/convert.h"

bool mm_stays_sparse(const struct mm_reader *r)
{
	return r->is.coordinate && r->target->layout == CSR;
}

/* Did the values of one triangle come? Those of a matrix of one row are all
 * there are, too. */
static bool is_folded(const struct mm_reader *r)
{
	return r->symmetry != MM_GENERAL && r->got == r->expected;
}

/* Refuses a symmetric matrix whose triangles contradict each other. */
static int refuse_clash(const struct mm_reader *r, const size_t at[2],
                        struct err *e)
{
	const size_t i = size_max(at[0], at[1]) + 1;
	const size_t j = size_min(at[0], at[1]) + 1;

	return err_set(e, ERR_FORMAT, "%s: entries (%zu,%zu) and (%zu,%zu) of "
	               "a %s matrix contradict each other", r->label, i, j, j,
	               i, r->is.hermitian ? "hermitian" :
	               r->symmetry == MM_SKEW ? "skew-symmetric" :
	                                        "symmetric");
}

static int lay_out_array(struct mm_reader *r, struct err *e)
{
	size_t at[2];
	int agrees = 1;

	if (is_folded(r))
		return mm_unfold(&r->out, r->data.memory ?
		                 r->data.memory->data : NULL, r->symmetry, e);
	if (r->symmetry != MM_GENERAL)
		agrees = mm_agrees(&r->out, r->symmetry, at, e);
	if (agrees <= 0)
		return agrees < 0 ? -1 : refuse_clash(r, at, e);
	return convert_fortran(&r->out, r->part.sink->pool, e);
}

static int lay_out(struct mm_reader *r, struct err *e)
{
	struct sparse_entry *x = r->data.memory ? r->data.memory->data : NULL;
	size_t entries = r->data.used / sizeof *x, at[2];

	if (!r->is.coordinate)
		return lay_out_array(r, e);
	if (r->upper) {
		const int rc = mm_join(x, &entries, r->lower, at, e);

		if (rc <= 0)
			return rc < 0 ? -1 : refuse_clash(r, at, e);
	}
	if (mm_stays_sparse(r))
		return sparse_build(&r->out, x, entries, r->part.sink->pool,
		                    e);
	return mm_scatter(&r->out, x, entries, e);
}

int mm_take_memory(struct mm_reader *r, struct err *e)
{
	struct memory_pool *pool = r->part.sink->pool;

	r->out = (struct matrix){ .dtype = FLOAT64, .ndim = 2,
	                          .dim = { r->m, r->n } };
	if (mm_stays_sparse(r))
		return sparse_check_shape(&r->out, e);
	if (r->is.coordinate || r->got < r->most || is_folded(r))
		return matrix_alloc(&r->out, pool, e);
	r->out.memory = grow_take(&r->data, pool, e);
	return r->out.memory ? 0 : -1;
}

/* Removes the diagonal, which must be 0, from the lower triangle that an array
 * has of the imaginary part of a hermitian matrix: a skew-symmetric matrix is
 * laid out of the elements below it. An array of both triangles keeps it. */
static int drop_diagonal(struct mm_reader *r, struct err *e)
{
	double *x = r->data.memory ? r->data.memory->data : NULL;
	size_t from = 0, to = 0;

	if (r->got != r->expected)
		return 0;
	for (size_t j = 0; j < r->n; j++) {
		if (x[from++] != 0)
			return err_set(e, ERR_FORMAT, "%s: element (%zu,%zu) "
			               "of a hermitian matrix must be real",
			               r->label, j + 1, j + 1);
		for (size_t i = j + 1; i < r->n; i++)
			x[to++] = x[from++];
		if (slice_next(e))
			return -1;
	}
	return 0;
}

/* Lays out the imaginary part, after the real one, and joins them. */
static int add_imaginary(struct mm_reader *r, struct err *e)
{
	struct matrix real = r->out;
	int rc;

	r->out.ndim = MATRIX_ABSENT;
	r->out.memory = r->out.index = NULL;
	grow_fini(&r->data);
	r->data = r->imag;
	r->imag = (struct grow){ 0 };
	if (r->is.hermitian)
		r->symmetry = MM_SKEW;
	rc = r->is.hermitian && !r->is.coordinate ? drop_diagonal(r, e) : 0;
	if (rc == 0)
		rc = mm_take_memory(r, e);
	if (rc == 0)
		rc = lay_out(r, e);
	if (rc == 0)
		rc = complex_join(&real, &r->out, r->part.sink->pool, e);
	if (rc == 0)
		r->out = real;
	else
		matrix_fini(&real);
	return rc;
}

int mm_lay_out(struct mm_reader *r, struct err *e)
{
	if (lay_out(r, e) < 0)
		return -1;
	return r->is.complex ? add_imaginary(r, e) : 0;
}

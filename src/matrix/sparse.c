/* sparse.c - see sparse.h. */
#include <string.h>

#include "base/size.h"
#include "base/slice.h"
#include "matrix/sparse.h"

struct cell {
	int32_t j;
	double value;
};

struct matrix sparse_index(const struct matrix *m)
{
	return (struct matrix){
		.dtype = INT32, .ndim = 1, .memory = m->index,
		.dim = { matrix_index_size(m) / sizeof(int32_t) },
	};
}

size_t sparse_row_of(const struct matrix *m, size_t from, size_t k)
{
	while (from + 1 < m->dim[0] &&
	       sparse_start(m, from + 1) <= (int64_t)k)
		from++;
	return from;
}

int sparse_check_shape(const struct matrix *m, struct err *e)
{
	char text[MATRIX_SHAPE_TEXT];

	if (m->ndim != 2)
		return err_set(e, ERR_SHAPE, "a sparse matrix has 2 "
		               "dimensions, not %d (%s)", m->ndim,
		               matrix_shape_text(m, text));
	if (size_max(m->dim[0], m->dim[1]) > SPARSE_MOST)
		return err_set(e, ERR_TOO_LARGE, "a sparse matrix of %s: rows "
		               "and columns end at %zu",
		               matrix_shape_text(m, text), SPARSE_MOST);
	return 0;
}

/* Checks that row i's columns, entries `from` to before `to`, are within the
 * matrix and ascending. */
static int check_row(const struct matrix *m, size_t i, int64_t from,
                     int64_t to, struct err *e)
{
	const int32_t *columns = sparse_columns(m);
	int64_t last = -1;

	for (int64_t k = from; k < to; k++) {
		const int64_t j = columns[k];

		if (j <= last || j >= (int64_t)m->dim[1])
			return err_set(e, ERR_DEVICE, "the device's sparse "
			               "result is broken: entry %lld, of row "
			               "%zu, has the column %lld",
			               (long long)k, i, (long long)j);
		last = j;
	}
	return 0;
}

int sparse_check(const struct matrix *m, struct err *e)
{
	const int64_t *starts = sparse_starts(m), nnz = (int64_t)m->nnz;
	const size_t rows = m->dim[0];

	if (starts[0] != 0 || starts[rows] != nnz)
		return err_set(e, ERR_DEVICE, "the device's sparse result is "
		               "broken: its rows end at entry %lld of %lld",
		               (long long)starts[rows], (long long)nnz);
	for (size_t i = 0; i < rows; i++) {
		if (starts[i + 1] < starts[i] || starts[i + 1] > nnz)
			return err_set(e, ERR_DEVICE, "the device's sparse "
			               "result is broken: row %zu ends at "
			               "entry %lld of %lld", i,
			               (long long)starts[i + 1],
			               (long long)nnz);
		if (check_row(m, i, starts[i], starts[i + 1], e))
			return -1;
	}
	return 0;
}

/* --- matrices from entries */

/* Merges two ascending runs, x[0 .. middle) and x[middle .. n), stably. left
 * has room for n / 2 cells. */
static void merge(struct cell *x, struct cell *left, size_t middle, size_t n)
{
	size_t i = 0, j = middle, k = 0;

	memcpy(left, x, middle * sizeof *x);
	while (i < middle)
		x[k++] = j < n && x[j].j < left[i].j ? x[j++] : left[i++];
}

static bool ascends(const struct cell *x, size_t n)
{
	for (size_t k = 1; k < n; k++)
		if (x[k - 1].j > x[k].j)
			return false;
	return true;
}

/* Sorts a row's cells by column, stably. */
static int sort_row(struct cell *x, struct cell *room, size_t n,
                    struct err *e)
{
	const size_t middle = n / 2;

	if (ascends(x, n))
		return 0;
	if (sort_row(x, room, middle, e) ||
	    sort_row(x + middle, room, n - middle, e))
		return -1;
	merge(x, room, middle, n);
	return n > SLICE_STEPS ? slice_next(e) : 0;
}

/* Sets m's row starts, counting entries at the same place separately. */
static int count_rows(const struct matrix *m, const struct sparse_entry *x,
                      size_t n, struct err *e)
{
	int64_t *starts = sparse_starts(m);
	const size_t rows = m->dim[0];

	if (slice_zero(starts, (rows + 1) * sizeof *starts, e))
		return -1;
	for (size_t k = 0; k < n; k++) {
		starts[x[k].i + 1]++;
		if (slice_every(k, e))
			return -1;
	}
	for (size_t i = 0; i < rows; i++) {
		starts[i + 1] += starts[i];
		if (slice_every(i, e))
			return -1;
	}
	return 0;
}

/* Row i's start moves to its end while its cells are dealt, and so becomes
 * the start of row i + 1. */
static int restore_starts(const struct matrix *m, struct err *e)
{
	int64_t *starts = sparse_starts(m);

	for (size_t i = m->dim[0]; i > 0; i--) {
		starts[i] = starts[i - 1];
		if (slice_every(i, e))
			return -1;
	}
	starts[0] = 0;
	return 0;
}

/* Sorts the entries by row, and sets m's row starts, counting entries at the
 * same place separately. */
static int sort_by_rows(const struct matrix *m, struct cell *to,
                        const struct sparse_entry *x, size_t n,
                        struct err *e)
{
	int64_t *starts = sparse_starts(m);

	if (count_rows(m, x, n, e) < 0)
		return -1;
	for (size_t k = 0; k < n; k++) {
		to[starts[x[k].i]++] = (struct cell){ (int32_t)x[k].j,
		                                      x[k].value };
		if (slice_every(k, e))
			return -1;
	}
	return restore_starts(m, e);
}

/* Writes a row's n sorted cells to m from entry *at on, summing those of equal
 * column, and moves *at to where the next row begins. */
static int write_row(const struct matrix *m, const struct cell *x, size_t n,
                     size_t *at, struct err *e)
{
	int32_t *columns = sparse_columns(m);
	double *values = matrix_data(m);

	for (size_t k = 0; k < n; k++) {
		if (k && x[k].j == x[k - 1].j) {
			values[*at - 1] += x[k].value;
		} else {
			columns[*at] = x[k].j;
			values[(*at)++] = x[k].value;
		}
		if (slice_every(k, e))
			return -1;
	}
	return 0;
}

/* Writes cells sorted by row to m, and sets its nnz to the number of entries
 * after summing. */
static int write_rows(struct matrix *m, struct cell *x, struct cell *room,
                      struct err *e)
{
	int64_t *starts = sparse_starts(m), from = 0;
	size_t at = 0, work = 0;

	for (size_t i = 0; i < m->dim[0]; i++) {
		const int64_t to = starts[i + 1];
		const size_t n = (size_t)(to - from);

		if (sort_row(x + from, room, n, e) ||
		    write_row(m, x + from, n, &at, e))
			return -1;
		starts[i + 1] = (int64_t)at;
		from = to;
		work += n + 1;
		if (work < SLICE_STEPS)
			continue;
		work = 0;
		if (slice_next(e))
			return -1;
	}
	m->nnz = at;
	return 0;
}

/* Shrinks m's memory to its nnz after summing. */
static int cut(struct matrix *m, struct err *e)
{
	if (matrix_size(m) == m->memory->bytes)
		return 0;
	if (memory_resize(&m->memory, matrix_size(m), e) < 0)
		return -1;
	return memory_resize(&m->index, matrix_index_size(m), e);
}

int sparse_build(struct matrix *m, const struct sparse_entry *x, size_t n,
                 struct memory_pool *p, struct err *e)
{
	struct memory *cells;
	size_t bytes;
	int rc;

	m->dtype = FLOAT64;
	m->layout = CSR;
	m->nnz = n;
	if (sparse_check_shape(m, e) < 0 || matrix_alloc(m, p, e) < 0)
		return -1;
	if (!size_mul(n + n / 2, sizeof(struct cell), &bytes))
		return err_set(e, ERR_TOO_LARGE, "%zu entries are beyond any "
		               "memory", n);
	cells = memory_new(p, bytes, e);
	if (!cells)
		return -1;
	rc = sort_by_rows(m, cells->data, x, n, e);
	if (rc == 0)
		rc = write_rows(m, cells->data,
		                (struct cell *)cells->data + n, e);
	memory_unref(cells);
	return rc < 0 ? -1 : cut(m, e);
}

/* --- conversions from and to dense matrices */

static int count_nonzeros(const struct matrix *m, size_t *count,
                          struct err *e)
{
	const size_t n = matrix_elements(m);
	const bool complex = dtype_is_complex(m->dtype);

	*count = 0;
	for (size_t k = 0; k < n; k++) {
		*count += matrix_get(m, k) != 0 ||
		          (complex && matrix_get_imaginary(m, k) != 0);
		if (slice_every(k, e))
			return -1;
	}
	return 0;
}

static void put(struct matrix *to, size_t i, double real, double imaginary)
{
	if (dtype_is_complex(to->dtype))
		matrix_set_complex(to, i, real, imaginary);
	else
		matrix_set(to, i, real);
}

static int compress(struct matrix *to, const struct matrix *from, bool all,
                    struct err *e)
{
	const size_t rows = to->dim[0], cols = to->dim[1];
	int64_t *starts = sparse_starts(to);
	int32_t *columns = sparse_columns(to);
	const bool complex = dtype_is_complex(to->dtype);
	size_t at = 0, work = 0;

	starts[0] = 0;
	for (size_t i = 0; i < rows; i++) {
		for (size_t j = 0; j < cols; j++) {
			const double x = matrix_get(from, i * cols + j);
			const double y = !complex ? 0 :
			    matrix_get_imaginary(from, i * cols + j);

			if (slice_every(work++, e))
				return -1;
			if (x == 0 && y == 0 && !all)
				continue;
			columns[at] = (int32_t)j;
			put(to, at++, x, y);
		}
		starts[i + 1] = (int64_t)at;
		if (slice_every(work++, e))
			return -1;
	}
	return 0;
}

static int expand(struct matrix *to, const struct matrix *from,
                  struct err *e)
{
	const size_t rows = to->dim[0], cols = to->dim[1];
	const int64_t *starts = sparse_starts(from);
	const int32_t *columns = sparse_columns(from);
	const bool complex = dtype_is_complex(to->dtype);
	size_t work = 0;

	if (slice_zero(matrix_data(to), matrix_size(to), e))
		return -1;
	for (size_t i = 0; i < rows; i++) {
		for (int64_t k = starts[i]; k < starts[i + 1]; k++) {
			put(to, i * cols + (size_t)columns[k],
			    matrix_get(from, (size_t)k),
			    complex ? matrix_get_imaginary(from, (size_t)k) :
			              0);
			if (slice_every(work++, e))
				return -1;
		}
		if (slice_every(work++, e))
			return -1;
	}
	return 0;
}

/* Converts to the other layout; all: zeros of a dense matrix become entries,
 * too. */
static int convert(struct matrix *m, enum layout to, bool all,
                   struct memory_pool *p, struct err *e)
{
	struct matrix out = { .dtype = m->dtype, .ndim = 2, .layout = to,
	                      .dim = { m->dim[0], m->dim[1] },
	                      .text = m->text, .rounded = m->rounded };

	if (m->layout == to)
		return 0;
	if (to == CSR && sparse_check_shape(m, e) < 0)
		return -1;
	if (to == CSR && !all && count_nonzeros(m, &out.nnz, e) < 0)
		return -1;
	if (to == CSR && all)
		out.nnz = matrix_elements(m);
	if (matrix_alloc(&out, p, e) < 0 ||
	    (to == CSR ? compress(&out, m, all, e) : expand(&out, m, e)) < 0) {
		matrix_fini(&out);
		return -1;
	}
	matrix_fini(m);
	*m = out;
	return 0;
}

int sparse_convert(struct matrix *m, enum layout to, struct memory_pool *p,
                   struct err *e)
{
	return convert(m, to, false, p, e);
}

int sparse_convert_all(struct matrix *m, struct memory_pool *p, struct err *e)
{
	return convert(m, CSR, true, p, e);
}

/* sparse.c - see sparse.h. */
#include <string.h>

#include "base/size.h"
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

/* --- from entries */

/* Two ascending runs become one; on a tie the left one's comes first. left
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

/* By columns, stable. */
static void sort_row(struct cell *x, struct cell *room, size_t n)
{
	const size_t middle = n / 2;

	if (ascends(x, n))
		return;
	sort_row(x, room, middle);
	sort_row(x + middle, room, n - middle);
	merge(x, room, middle, n);
}

/* Sets m's starts as if no entries met, and brings these into row order. */
static void sort_by_rows(const struct matrix *m, struct cell *to,
                         const struct sparse_entry *x, size_t n)
{
	int64_t *starts = sparse_starts(m);
	const size_t rows = m->dim[0];

	memset(starts, 0, (rows + 1) * sizeof *starts);
	for (size_t k = 0; k < n; k++)
		starts[x[k].i + 1]++;
	for (size_t i = 0; i < rows; i++)
		starts[i + 1] += starts[i];
	for (size_t k = 0; k < n; k++)
		to[starts[x[k].i]++] = (struct cell){ (int32_t)x[k].j,
		                                      x[k].value };
	memmove(starts + 1, starts, rows * sizeof *starts);
	starts[0] = 0;
}

/* Sorts a row's n cells and writes them to m from entry `at` on, equal
 * columns summed: where the next row begins. */
static size_t write_row(const struct matrix *m, struct cell *x,
                        struct cell *room, size_t n, size_t at)
{
	int32_t *columns = sparse_columns(m);
	double *values = matrix_data(m);

	sort_row(x, room, n);
	for (size_t k = 0; k < n; k++) {
		if (k && x[k].j == x[k - 1].j) {
			values[at - 1] += x[k].value;
			continue;
		}
		columns[at] = x[k].j;
		values[at++] = x[k].value;
	}
	return at;
}

/* Cells in row order become m's rows; its nnz is what is left of them. */
static void write_rows(struct matrix *m, struct cell *x, struct cell *room)
{
	int64_t *starts = sparse_starts(m), from = 0;
	size_t at = 0;

	for (size_t i = 0; i < m->dim[0]; i++) {
		const int64_t to = starts[i + 1];

		at = write_row(m, x + from, room, (size_t)(to - from), at);
		starts[i + 1] = (int64_t)at;
		from = to;
	}
	m->nnz = at;
}

/* Gives back what summed entries left over. */
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
	sort_by_rows(m, cells->data, x, n);
	write_rows(m, cells->data, (struct cell *)cells->data + n);
	memory_unref(cells);
	return cut(m, e);
}

/* --- from and to dense */

static size_t count_nonzeros(const struct matrix *m)
{
	size_t n = 0;

	for (size_t k = 0; k < matrix_elements(m); k++)
		n += matrix_get(m, k) != 0;
	return n;
}

static void compress(struct matrix *to, const struct matrix *from)
{
	const size_t rows = to->dim[0], cols = to->dim[1];
	int64_t *starts = sparse_starts(to);
	int32_t *columns = sparse_columns(to);
	size_t at = 0;

	starts[0] = 0;
	for (size_t i = 0; i < rows; i++) {
		for (size_t j = 0; j < cols; j++) {
			const double x = matrix_get(from, i * cols + j);

			if (x == 0)
				continue;
			columns[at] = (int32_t)j;
			matrix_set(to, at++, x);
		}
		starts[i + 1] = (int64_t)at;
	}
}

static void expand(struct matrix *to, const struct matrix *from)
{
	const size_t rows = to->dim[0], cols = to->dim[1];
	const int64_t *starts = sparse_starts(from);
	const int32_t *columns = sparse_columns(from);

	memset(matrix_data(to), 0, matrix_size(to));
	for (size_t i = 0; i < rows; i++)
		for (int64_t k = starts[i]; k < starts[i + 1]; k++)
			matrix_set(to, i * cols + (size_t)columns[k],
			           matrix_get(from, (size_t)k));
}

int sparse_convert(struct matrix *m, enum layout to, struct memory_pool *p,
                   struct err *e)
{
	struct matrix out = { .dtype = m->dtype, .ndim = 2, .layout = to,
	                      .dim = { m->dim[0], m->dim[1] } };

	if (m->layout == to)
		return 0;
	if (to == CSR && sparse_check_shape(m, e) < 0)
		return -1;
	out.nnz = to == CSR ? count_nonzeros(m) : 0;
	if (matrix_alloc(&out, p, e) < 0) {
		matrix_fini(&out);
		return -1;
	}
	(to == CSR ? compress : expand)(&out, m);
	matrix_fini(m);
	*m = out;
	return 0;
}

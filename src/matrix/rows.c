/* rows.c - see rows.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "matrix/rows.h"
#include "matrix/sparse.h"

/* Reads a bound at *s into *to and advances *s past it. If no number is there,
 * *to keeps its value. */
static int parse_bound(const char **s, size_t rows, int64_t *to,
                       struct err *e)
{
	char *end;
	long long x;

	if (!**s || **s == ':')
		return 0;
	errno = 0;
	x = strtoll(*s, &end, 10);
	if (end == *s || errno || !strchr("-0123456789", **s))
		return -1;
	*s = end;
	if (x < 0)
		x += (long long)rows;
	if (x < 0 || (size_t)x > rows)
		return err_set_at(e, ERR_SHAPE, "?rows", "rows reaches beyond "
		                  "the %zu rows of the matrix", rows);
	*to = x;
	return 0;
}

int rows_parse(const char *text, size_t rows, size_t *first, size_t *stop,
               struct err *e)
{
	int64_t from = 0, to = (int64_t)rows;
	const char *s = text;

	if (parse_bound(&s, rows, &from, e) || *s++ != ':' ||
	    parse_bound(&s, rows, &to, e) || *s)
		return err_set_at(e, ERR_PARAMETER, "?rows", "rows is %.40s, "
		                  "must be FIRST:STOP, as in rows=10:20",
		                  text);
	*first = (size_t)from;
	*stop = size_max((size_t)to, (size_t)from);
	return 0;
}

/* Makes the index of `part`, the rows of m from `first` on, whose entries begin
 * with entry number `begin` of m. */
static int take_index(struct matrix *part, const struct matrix *m,
                      size_t first, int64_t begin, struct memory_pool *p,
                      struct err *e)
{
	size_t bytes;

	if (matrix_index_bytes(part, &bytes, e))
		return -1;
	part->index = memory_new(p, bytes, e);
	if (!part->index)
		return -1;
	for (size_t i = 0; i <= part->dim[0]; i++)
		sparse_starts(part)[i] = sparse_start(m, first + i) - begin;
	memcpy(sparse_columns(part), sparse_columns(m) + begin,
	       part->nnz * sizeof(int32_t));
	return 0;
}

/* Makes r->matrix borrow the elements of r->all from number `element` on. */
static void set_at(struct rows *r, size_t element)
{
	const size_t each = dtype_bytes(r->matrix.dtype);

	r->at.data = (char *)matrix_data(&r->all) + element * each;
	r->at.bytes = matrix_size(&r->matrix);
	r->matrix.memory = &r->at;
}

int rows_take(struct rows *r, const struct matrix *m, size_t first,
              size_t stop, struct memory_pool *p, struct err *e)
{
	int64_t begin;

	*r = (struct rows){ .all = matrix_ref(m), .matrix = *m };
	r->at.fd = -1;
	if (m->ndim == 0 || (first == 0 && stop == m->dim[0]))
		return 0;
	r->matrix.index = NULL;
	r->matrix.dim[0] = stop - first;
	if (m->layout != CSR) {
		set_at(r, m->dim[0] ? matrix_elements(m) / m->dim[0] * first :
		       0);
		return 0;
	}
	begin = sparse_start(m, first);
	r->matrix.nnz = (size_t)(sparse_start(m, stop) - begin);
	set_at(r, (size_t)begin);
	return take_index(&r->matrix, m, first, begin, p, e);
}

void rows_fini(struct rows *r)
{
	if (r->all.ndim == MATRIX_ABSENT || (!r->at.data && !r->at.fd))
		return;
	if (r->matrix.index != r->all.index)
		memory_unref(r->matrix.index);
	matrix_fini(&r->all);
	*r = (struct rows){ .all.ndim = MATRIX_ABSENT };
}

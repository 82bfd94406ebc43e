/* writer_json.c - see writer.h: a matrix as nested rows, or as an object of
 * lists. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/size.h"
#include "format/writer.h"
#include "matrix/half.h"
#include "matrix/sparse.h"

/* The part of a complex matrix that is being written: json_writer.part. */
enum { REAL = 1, IMAGINARY };

enum { ELEMENT_MOST = 2 * MATRIX_DIMS + 1 + NUMBER_TEXT };

_Static_assert((int)ELEMENT_MOST < 64, "an element fits the room");

/* Dimensions that are printed as rows: those before an empty one, whose rows
 * are printed as "[]" in an element's place. */
static int depth_of(const struct matrix *m, bool *empty)
{
	int d = 0;

	while (d < m->ndim && m->dim[d])
		d++;
	*empty = d < m->ndim;
	return d;
}

/* Numbers in the nested rows of a matrix, or of one part of a complex one. */
static size_t elements_of(const struct matrix *m)
{
	bool empty;
	const int depth = depth_of(m, &empty);
	size_t n = 1;

	for (int d = 0; d < depth; d++)
		n *= m->dim[d];
	return n;
}

size_t json_writer_items(const struct matrix *m)
{
	const size_t parts = dtype_is_complex(m->dtype) ? 2 : 1;

	if (m->layout == CSR)
		return parts * (2 * m->nnz +
		                (m->coordinates ? m->nnz : m->dim[0] + 1));
	return elements_of(m) * parts;
}

static size_t literal(char *to, const char *word)
{
	size_t n = strlen(word);

	memcpy(to, word, n);
	return n;
}

/* The row of entry i; entries must be asked for in ascending order. */
static size_t row_of(struct json_writer *w, size_t i)
{
	w->row = sparse_row_of(w->sparse, w->row, i);
	w->broken |= sparse_start(w->sparse, w->row) > (int64_t)i ||
	             sparse_start(w->sparse, w->row + 1) <= (int64_t)i;
	return w->row;
}

/* Row i's start; rows must be asked for in ascending order. */
static int64_t start_of(struct json_writer *w, size_t i)
{
	const int64_t start = sparse_start(w->sparse, i);
	const int64_t nnz = (int64_t)w->sparse->nnz;

	w->broken |= start < w->start || start > nnz ||
	             (i == 0 && start != 0) ||
	             (i == w->sparse->dim[0] && start != nnz);
	w->start = start;
	return start;
}

static int32_t column_of(struct json_writer *w, size_t i)
{
	const int32_t column = sparse_column(w->sparse, i);

	w->broken |= column < 0 || (size_t)column >= w->sparse->dim[1];
	return column;
}

/* Prints element i of one of a sparse matrix's first two lists, which come from
 * its index. */
static size_t print_index(struct json_writer *w, size_t i, char *to)
{
	if (w->lists == 2)
		return (size_t)sprintf(to, "%ld", (long)column_of(w, i));
	if (w->sparse->coordinates)
		return (size_t)sprintf(to, "%zu", row_of(w, i));
	return (size_t)sprintf(to, "%lld", (long long)start_of(w, i));
}

static size_t print_element(struct json_writer *w, size_t i, char *to)
{
	const void *data = matrix_data(w->m);

	if (w->sparse && w->lists < 3)
		return print_index(w, i, to);
	if (dtype_is_complex(w->m->dtype))
		i = 2 * i + (w->part == IMAGINARY);
	switch (dtype_part(w->m->dtype)) {
	case FLOAT32:
		if (isfinite(((const float *)data)[i]))
			return number_print_float(to, ((const float *)data)[i]);
		break;
	case FLOAT16:
	case BFLOAT16:
		if (isfinite(matrix_get(w->m, i)))
			return half_print(to, w->m->dtype,
			                  (float)matrix_get(w->m, i));
		break;
	case FLOAT64:
		if (isfinite(((const double *)data)[i]))
			return number_print_double(to,
			                           ((const double *)data)[i]);
		break;
	case INT32:
		return (size_t)sprintf(to, "%ld",
		                       (long)((const int32_t *)data)[i]);
	case INT64:
		return (size_t)sprintf(to, "%lld",
		                       (long long)((const int64_t *)data)[i]);
	case BOOL:
		return literal(to, ((const uint8_t *)data)[i] ? "true" :
		               "false");
	default:
		break;
	}
	w->nonfinite = true;
	return literal(to, "null");
}

/* The number of nested rows that end before element i, or begin with it. */
static int rows_at(const struct matrix *m, int depth, size_t i)
{
	int rows = 0;

	while (rows < depth && i % m->dim[depth - 1 - rows] == 0)
		i /= m->dim[depth - 1 - rows++];
	return rows;
}

void json_writer_init(struct json_writer *w, const struct matrix *m)
{
	*w = (struct json_writer){ .m = m, .stop = SIZE_MAX };
	if (m->layout == CSR)
		w->sparse = m;
}

void json_writer_range(struct json_writer *w, const struct matrix *m,
                       size_t first, size_t stop)
{
	json_writer_init(w, m);
	w->next = first;
	w->depth = first ? m->ndim : 0;
	if (stop < matrix_elements(m))
		w->stop = stop;
}

static size_t close_rows(struct json_writer *w, int rows, char *to)
{
	memset(to, ']', (size_t)rows);
	w->depth -= rows;
	return (size_t)rows;
}

/* Writes what comes before element `next`: closing brackets, a comma, opening
 * brackets; after the last element, the last closing brackets. */
static size_t between(struct json_writer *w, int depth, size_t elements,
                      char *to)
{
	size_t n = 0;

	if (w->next)
		n = close_rows(w, rows_at(w->m, depth, w->next), to);
	w->ended = w->next == elements;
	if (w->ended)
		return n;
	if (w->next)
		to[n++] = ',';
	memset(to + n, '[', (size_t)(depth - w->depth));
	n += (size_t)(depth - w->depth);
	w->depth = depth;
	return n;
}

/* Writes elements from `next` on, at most `left`, which are those up to the end
 * of the row, while there is room. */
static size_t row(struct json_writer *w, size_t left, char *to, size_t room)
{
	size_t n = print_element(w, w->next++, to);

	while (--left && room - n >= ELEMENT_MOST) {
		to[n++] = ',';
		n += print_element(w, w->next++, to + n);
	}
	return n;
}

static size_t more_rows(struct json_writer *w, char *to, size_t room)
{
	bool empty;
	int depth = depth_of(w->m, &empty);
	size_t n = 0, cols = depth ? w->m->dim[depth - 1] : 1;
	const size_t elements = elements_of(w->m);

	while (!w->ended && w->next < w->stop && room - n >= ELEMENT_MOST) {
		n += between(w, depth, elements, to + n);
		if (w->ended)
			break;
		if (empty) {
			n += literal(to + n, "[]");
			w->next++;
		} else {
			n += row(w, size_min(cols - w->next % cols,
			                     w->stop - w->next),
			         to + n, room - n);
		}
	}
	return n;
}

/* --- sparse ones: their three lists, each as a vector of its own */

static void begin_list(struct json_writer *w, enum dtype d, size_t n,
                       void *data)
{
	w->at = (struct memory){ .data = data };
	w->list = (struct matrix){ .dtype = d, .ndim = 1, .dim = { n },
	                           .memory = &w->at };
	w->m = &w->list;
	w->next = 0;
	w->ended = false;
	w->lists++;
}

/* Begins the first list. The rows of coordinates are not stored: each is found
 * as it is printed. */
static size_t first_list(struct json_writer *w, char *to)
{
	const struct matrix *m = w->sparse;
	const char *format = m->coordinates ? "coo" : "csr";
	const char *list = m->coordinates ? "row" : "indptr";

	if (m->coordinates)
		begin_list(w, INT64, m->nnz, NULL);
	else
		begin_list(w, INT64, m->dim[0] + 1, sparse_starts(m));
	return (size_t)sprintf(to, "{\"format\":\"%s\",\"shape\":[%zu,%zu],"
	                       "\"%s\":", format, m->dim[0], m->dim[1],
	                       list);
}

/* Writes what comes before the next list and begins it, or what ends the
 * last. */
static size_t next_list(struct json_writer *w, char *to)
{
	const struct matrix *m = w->sparse;

	switch (w->lists) {
	case 0:
		return first_list(w, to);
	case 1:
		begin_list(w, INT32, m->nnz, sparse_columns(m));
		return literal(to, m->coordinates ? ",\"col\":" :
		               ",\"indices\":");
	case 2:
		begin_list(w, m->dtype, m->nnz, matrix_data(m));
		return literal(to, ",\"data\":");
	case 3:
		w->lists++;
		return literal(to, "}");
	default:
		return 0;
	}
}

static size_t more_lists(struct json_writer *w, char *to, size_t room)
{
	size_t n = w->lists ? more_rows(w, to, room) : 0;

	if (n == 0)
		return next_list(w, to);
	return n;
}

/* --- complex ones: each part as a matrix of its own */

/* Writes what comes before the next part and begins it, or what ends the
 * last. */
static size_t next_part(struct json_writer *w, char *to)
{
	static const char *const before[] = { "{\"real\":", ",\"imag\":", "}" };

	const int part = w->part;

	if (part == COUNT(before))
		return 0;
	w->part++;
	if (part < IMAGINARY) {
		w->next = w->row = 0;
		w->start = 0;
		w->lists = 0;
		w->ended = false;
	}
	return literal(to, before[part]);
}

static size_t more_parts(struct json_writer *w, char *to, size_t room)
{
	const size_t n = w->part == 0 ? 0 :
	    (w->sparse ? more_lists : more_rows)(w, to, room);

	return n ? n : next_part(w, to);
}

size_t json_writer_more(struct json_writer *w, char *to, size_t room)
{
	const struct matrix *m = w->sparse ? w->sparse : w->m;

	return dtype_is_complex(m->dtype) ? more_parts(w, to, room) :
	       w->sparse ? more_lists(w, to, room) : more_rows(w, to, room);
}

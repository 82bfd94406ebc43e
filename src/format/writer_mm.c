/* writer_mm.c - see writer.h: a matrix as Matrix Market text. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "format/writer.h"
#include "matrix/half.h"
#include "matrix/sparse.h"

/* Bytes of an entry's place: two numbers of at most 10 digits, two spaces, a
 * NUL. */
enum { PLACE_TEXT = 2 * 10 + 3 };

/* Bytes of an element: a number, or the two parts of a complex one of at most
 * 25 characters each and the space between, and the newline. */
enum { ELEMENT_TEXT = 2 * 25 + 2 };

_Static_assert((int)PLACE_TEXT <= 64 && (int)ELEMENT_TEXT <= 64,
               "a place and an element fit the room");

void mm_writer_init(struct mm_writer *w, const struct matrix *m)
{
	*w = (struct mm_writer){ .m = m };
}

static size_t word(char *to, const char *text)
{
	memcpy(to, text, strlen(text));
	return strlen(text);
}

static size_t print_number(char *to, enum dtype d, double x)
{
	if (isnan(x))
		return word(to, "nan");
	if (isinf(x))
		return word(to, x > 0 ? "inf" : "-inf");
	return dtype_is_half(d) ? half_print(to, d, (float)x) :
	       d == FLOAT32 ? number_print_float(to, (float)x) :
	       number_print_double(to, x);
}

static size_t print(char *to, const struct matrix *m, size_t i)
{
	const enum dtype part = dtype_part(m->dtype);
	char imaginary[NUMBER_TEXT];
	size_t n, more;

	if (m->dtype == INT64)
		return (size_t)sprintf(to, "%lld", (long long)
		                       ((const int64_t *)matrix_data(m))[i]);
	n = print_number(to, part, matrix_get(m, i));
	if (!dtype_is_complex(m->dtype))
		return n;
	more = print_number(imaginary, part, matrix_get_imaginary(m, i));
	to[n++] = ' ';
	memcpy(to + n, imaginary, more);
	return n + more;
}

/* The word for the dtype ("field") in the format's first line. */
static const char *field(enum dtype d)
{
	return dtype_is_complex(d) ? "complex" :
	       dtype_is_integer(d) || d == BOOL ? "integer" : "real";
}

/* Writes the head, in two pieces, because it does not fit the 64 bytes that
 * callers may provide. */
static size_t head(struct mm_writer *w, char *to, size_t room)
{
	size_t n;

	if (!w->begun) {
		w->begun = true;
		return (size_t)snprintf(to, room, "%%%%MatrixMarket matrix %s "
		    "%s general\n", w->m->layout == CSR ? "coordinate" :
		    "array", field(w->m->dtype));
	}
	w->sized = true;
	n = (size_t)snprintf(to, room, "%zu %zu", matrix_rows(w->m),
	                     matrix_cols(w->m));
	if (w->m->layout == CSR)
		n += (size_t)snprintf(to + n, room - n, " %zu", w->m->nnz);
	to[n++] = '\n';
	return n;
}

/* Returns whether entry k belongs to the row and has a column within the
 * matrix. */
static bool holds(const struct matrix *m, size_t row, int64_t column, size_t k)
{
	return sparse_start(m, row) <= (int64_t)k &&
	       sparse_start(m, row + 1) > (int64_t)k &&
	       column >= 0 && (size_t)column < m->dim[1];
}

/* Writes the row and the column of the next entry; nothing if its index is
 * broken. */
static size_t place(struct mm_writer *w, char *to)
{
	const int64_t column = sparse_column(w->m, w->next);

	w->row = sparse_row_of(w->m, w->row, w->next);
	w->broken |= !holds(w->m, w->row, column, w->next);
	if (w->broken)
		return 0;
	w->placed = true;
	return (size_t)sprintf(to, "%zu %lld ", w->row + 1,
	                       (long long)column + 1);
}

static size_t entries(struct mm_writer *w, char *to, size_t room)
{
	size_t n = 0;

	while (w->next < w->m->nnz && !w->broken &&
	       room - n >= (w->placed ? ELEMENT_TEXT : PLACE_TEXT)) {
		if (!w->placed) {
			n += place(w, to + n);
			continue;
		}
		w->placed = false;
		n += print(to + n, w->m, w->next++);
		to[n++] = '\n';
	}
	return n;
}

static size_t elements(struct mm_writer *w, char *to, size_t room)
{
	size_t rows = matrix_rows(w->m), cols = matrix_cols(w->m), n = 0, i, j;

	i = rows ? w->next % rows : 0;
	j = rows ? w->next / rows : cols;
	while (j < cols && room - n >= ELEMENT_TEXT) {
		n += print(to + n, w->m, i * cols + j);
		to[n++] = '\n';
		w->next++;
		if (++i == rows) {
			i = 0;
			j++;
		}
	}
	return n;
}

size_t mm_writer_more(struct mm_writer *w, char *to, size_t room)
{
	if (!w->sized)
		return head(w, to, room);
	return w->m->layout == CSR ? entries(w, to, room) :
	       elements(w, to, room);
}

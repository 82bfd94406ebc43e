/* writer_mm.c - see writer.h: a matrix as Matrix Market text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "matrix/number.h"
#include "matrix/sparse.h"
#include "matrix/writer.h"

/* Two numbers of at most 10 digits, a value, what stands between, a NUL. */
enum { ENTRY_TEXT = 2 * 10 + NUMBER_TEXT + 4 };

_Static_assert((int)ENTRY_TEXT <= 64, "an entry fits the room");

void mm_writer_init(struct mm_writer *w, const struct matrix *m)
{
	*w = (struct mm_writer){ .m = m };
}

static size_t word(char *to, const char *text)
{
	memcpy(to, text, strlen(text));
	return strlen(text);
}

static size_t print(char *to, const struct matrix *m, size_t i)
{
	double x = matrix_get(m, i);

	if (isnan(x))
		return word(to, "nan");
	if (isinf(x))
		return word(to, x > 0 ? "inf" : "-inf");
	return m->dtype == FLOAT32 ? number_print_float(to, (float)x) :
	       number_print_double(to, x);
}

/* The head fits no room of 64 bytes: it leaves in two pieces. */
static size_t head(struct mm_writer *w, char *to, size_t room)
{
	size_t n;

	if (!w->begun) {
		w->begun = true;
		return word(to, w->m->layout == CSR ?
		            "%%MatrixMarket matrix coordinate real general\n" :
		            "%%MatrixMarket matrix array real general\n");
	}
	w->sized = true;
	n = (size_t)snprintf(to, room, "%zu %zu", matrix_rows(w->m),
	                     matrix_cols(w->m));
	if (w->m->layout == CSR)
		n += (size_t)snprintf(to + n, room - n, " %zu", w->m->nnz);
	to[n++] = '\n';
	return n;
}

static size_t entries(struct mm_writer *w, char *to, size_t room)
{
	const int64_t *starts = sparse_starts(w->m);
	size_t n = 0;

	while (w->next < w->m->nnz && room - n >= ENTRY_TEXT) {
		while (starts[w->row + 1] <= (int64_t)w->next)
			w->row++;
		n += (size_t)sprintf(to + n, "%zu %d ", w->row + 1,
		                     sparse_columns(w->m)[w->next] + 1);
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
	while (j < cols && room - n > NUMBER_TEXT) {
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

/* sparse.c - see permute.h. Rows are copied as they are; where columns are
 * permuted, the entries of each row are sorted by their new columns. Memory and
 * time therefore depend on the numbers of rows and entries, never on the number
 * of columns, which a client may name at no cost. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "matrix/sparse.h"
#include "ops/permute/permute.h"

/* An entry of a row: its new column, and the place of its value in a. */
struct entry {
	int32_t column;
	int64_t from;
};

static size_t place(const int32_t *order, size_t i)
{
	return order ? (size_t)order[i] : i;
}

/* Sets b's row starts from the lengths of a's rows in their new order; returns
 * the longest length. */
static size_t set_rows(const struct matrix *b, const struct matrix *a,
                       const int32_t *row)
{
	const int64_t *from = sparse_starts(a);
	int64_t *to = sparse_starts(b);
	size_t longest = 0;

	to[0] = 0;
	for (size_t i = 0; i < b->dim[0]; i++) {
		const size_t k = place(row, i);
		const int64_t n = from[k + 1] - from[k];

		to[i + 1] = to[i] + n;
		longest = size_max(longest, (size_t)n);
	}
	return longest;
}

/* Copies n values of a from entry `from` on to b's entries from `to` on. */
static void move_values(const struct matrix *b, int64_t to,
                        const struct matrix *a, int64_t from, int64_t n)
{
	const size_t bytes = dtype_bytes(a->dtype);

	memcpy((char *)matrix_data(b) + (size_t)to * bytes,
	       (const char *)matrix_data(a) + (size_t)from * bytes,
	       (size_t)n * bytes);
}

static void move_rows(const struct matrix *b, const struct matrix *a,
                      const int32_t *row)
{
	for (size_t i = 0; i < b->dim[0]; i++) {
		const int64_t to = sparse_starts(b)[i];
		const int64_t n = sparse_starts(b)[i + 1] - to;
		const int64_t from = sparse_starts(a)[place(row, i)];

		memcpy(sparse_columns(b) + to, sparse_columns(a) + from,
		       (size_t)n * sizeof(int32_t));
		move_values(b, to, a, from, n);
	}
}

static int by_column(const void *x, const void *y)
{
	const int32_t i = ((const struct entry *)x)->column;
	const int32_t j = ((const struct entry *)y)->column;

	return (i > j) - (i < j);
}

/* Copies the rows and sorts each by its new columns. `room` has space for the
 * entries of the longest row. */
static void sort_rows(const struct matrix *b, const struct matrix *a,
                      const int32_t *row, const int32_t *column,
                      struct entry *room)
{
	const int32_t *old = sparse_columns(a);
	int32_t *new = sparse_columns(b);

	for (size_t i = 0; i < b->dim[0]; i++) {
		const int64_t to = sparse_starts(b)[i];
		const int64_t n = sparse_starts(b)[i + 1] - to;
		const int64_t from = sparse_starts(a)[place(row, i)];

		for (int64_t k = 0; k < n; k++)
			room[k] = (struct entry){ column[old[from + k]],
			                          from + k };
		qsort(room, (size_t)n, sizeof *room, by_column);
		for (int64_t k = 0; k < n; k++) {
			new[to + k] = room[k].column;
			move_values(b, to + k, a, room[k].from, 1);
		}
	}
}

int permute_sparse(struct matrix *b, const struct matrix *a,
                   const int32_t *row, const int32_t *column, struct err *e)
{
	const size_t longest = set_rows(b, a, row);
	struct entry *room;

	if (!column) {
		move_rows(b, a, row);
		return 0;
	}
	room = malloc((longest + 1) * sizeof *room);
	if (!room)
		return err_set(e, ERR_MEMORY, "permute: no memory for a row "
		               "of %zu entries", longest);
	sort_rows(b, a, row, column, room);
	free(room);
	return 0;
}

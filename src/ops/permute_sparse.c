/* permute_sparse.c - see permute.h. Columns come out ascending without a
 * sort: entries are dealt to their new columns row by row, and then to their
 * rows column by column (transposed twice: Gustavson 1978). */
#include <stdlib.h>
#include <string.h>

#include "matrix/sparse.h"
#include "ops/permute.h"

/* The columns of b: where each begins, and its entries' rows and values. */
struct columns {
	int64_t *start;
	int32_t *row;
	double *value;
};

static void columns_fini(struct columns *c)
{
	free(c->start);
	free(c->row);
	free(c->value);
}

static int columns_alloc(struct columns *c, const struct matrix *b,
                         struct err *e)
{
	c->start = calloc(b->dim[1] + 2, sizeof *c->start);
	c->row = malloc((b->nnz + 1) * sizeof *c->row);
	c->value = malloc((b->nnz + 1) * sizeof *c->value);
	if (c->start && c->row && c->value)
		return 0;
	return err_set(e, ERR_MEMORY, "permute: no memory for %zu entries",
	               b->nnz);
}

static size_t place(const int32_t *order, size_t i)
{
	return order ? (size_t)order[i] : i;
}

/* b's row starts: the lengths of a's rows in their new order. */
static void set_rows(const struct matrix *b, const struct matrix *a,
                     const int32_t *row)
{
	const int64_t *from = sparse_starts(a);
	int64_t *to = sparse_starts(b);

	to[0] = 0;
	for (size_t i = 0; i < b->dim[0]; i++) {
		const size_t k = place(row, i);

		to[i + 1] = to[i] + from[k + 1] - from[k];
	}
}

/* start[j + 1] becomes where column j begins; once it is dealt to, where it
 * ends. */
static void count_columns(struct columns *c, const struct matrix *a,
                          const int32_t *column)
{
	const int32_t *old = sparse_columns(a);

	for (size_t k = 0; k < a->nnz; k++)
		c->start[place(column, (size_t)old[k]) + 2]++;
	for (size_t j = 2; j <= a->dim[1] + 1; j++)
		c->start[j] += c->start[j - 1];
}

static void deal_to_columns(struct columns *c, const struct matrix *a,
                            const int32_t *row, const int32_t *column)
{
	const int64_t *from = sparse_starts(a);
	const int32_t *old = sparse_columns(a);

	for (size_t i = 0; i < a->dim[0]; i++) {
		const size_t r = place(row, i);

		for (int64_t k = from[r]; k < from[r + 1]; k++) {
			const size_t j = place(column, (size_t)old[k]);
			const int64_t at = c->start[j + 1]++;

			c->row[at] = (int32_t)i;
			c->value[at] = matrix_get(a, (size_t)k);
		}
	}
}

/* next[i]: the place in b of row i's next entry. */
static void deal_to_rows(struct matrix *b, const struct columns *c,
                         int64_t *next)
{
	int32_t *columns = sparse_columns(b);

	for (size_t j = 0; j < b->dim[1]; j++)
		for (int64_t k = c->start[j]; k < c->start[j + 1]; k++) {
			const int64_t at = next[c->row[k]]++;

			columns[at] = (int32_t)j;
			matrix_set(b, (size_t)at, c->value[k]);
		}
}

int permute_sparse(struct matrix *b, const struct matrix *a,
                   const int32_t *row, const int32_t *column, struct err *e)
{
	const size_t starts = (b->dim[0] + 1) * sizeof(int64_t);
	struct columns c = { 0 };
	int64_t *next = malloc(starts);
	int rc = columns_alloc(&c, b, e);

	if (rc == 0 && !next)
		rc = err_set(e, ERR_MEMORY, "permute: no memory for %zu rows",
		             b->dim[0]);
	if (rc == 0) {
		set_rows(b, a, row);
		memcpy(next, sparse_starts(b), starts);
		count_columns(&c, a, column);
		deal_to_columns(&c, a, row, column);
		deal_to_rows(b, &c, next);
	}
	free(next);
	columns_fini(&c);
	return rc;
}

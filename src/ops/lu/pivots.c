/* pivots.c - see pivots.h. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/lu/complex.h"
#include "ops/lu/pivots.h"

int lu_pivots_init(struct lu_pivots *p, struct seq *s, size_t m,
                        size_t n)
{
	*p = (struct lu_pivots){ .m = m, .k = size_min(m, n),
	                              .zero = -1 };
	p->pivot = calloc(p->k + 1, sizeof *p->pivot);
	p->row = calloc(m + 1, sizeof *p->row);
	p->list = calloc(2 * m + 1, sizeof *p->list);
	if (!p->pivot || !p->row || !p->list)
		return err_set(seq_err(s), ERR_MEMORY, "lu: no memory for the "
		               "interchanges of %zu rows", m);
	for (size_t i = 0; i < m; i++)
		p->row[i] = (int32_t)i;
	return 0;
}

void lu_pivots_fini(struct lu_pivots *p)
{
	free(p->pivot);
	free(p->row);
	free(p->list);
}

static void swap(int32_t *row, size_t i, size_t j)
{
	const int32_t t = row[i];

	row[i] = row[j];
	row[j] = t;
}

static double element(enum dtype t, const void *x, size_t i)
{
	return t == FLOAT64 ? ((const double *)x)[i] : ((const float *)x)[i];
}

/* Takes note of pivot i, u. */
static void note_pivot(struct lu_pivots *p, size_t i, bool swapped,
                       double u)
{
	if (u == 0 && p->zero < 0)
		p->zero = (ptrdiff_t)i;
	p->nan |= isnan(u);
	p->negative ^= swapped ^ (u < 0);
}

/* Lists the row if its content comes from another one, and puts its number back
 * into its place. */
static void list_row(struct lu_pivots *p, size_t i, size_t *n, size_t room)
{
	if (p->row[i] == (int32_t)i)
		return;
	p->list[*n] = p->row[i];
	p->list[room + *n] = (int32_t)i;
	++*n;
}

size_t lu_pivots_moves(struct lu_pivots *p, size_t j, size_t r, size_t room)
{
	size_t n = 0;

	for (size_t i = j; i < j + r; i++)
		swap(p->row, i, (size_t)p->pivot[i]);
	for (size_t i = j; i < j + r; i++)
		list_row(p, i, &n, room);
	for (size_t i = j; i < j + r; i++) {
		const size_t at = (size_t)p->pivot[i];

		if (at < j + r)
			continue;
		list_row(p, at, &n, room);
		p->row[at] = (int32_t)at;
	}
	for (size_t i = j; i < j + r; i++)
		p->row[i] = (int32_t)i;
	return n;
}

ptrdiff_t lu_pivots_take(struct lu_pivots *p, struct seq *s, size_t j,
                         size_t r, const int32_t *swaps, const void *panel,
                         size_t ld, size_t room)
{
	for (size_t i = 0; i < r; i++) {
		const int32_t at = swaps[i];

		if (at < (int32_t)i || (size_t)at >= p->m - j)
			return err_set(seq_err(s), ERR_DEVICE, "lu: a device "
			               "swapped row %zu with row %d", j + i,
			               (int)at);
		p->pivot[j + i] = (int64_t)(j + (size_t)at);
		note_pivot(p, j + i, at != (int32_t)i,
		           element(seq_dtype(s), panel, i * ld + i));
	}
	return (ptrdiff_t)lu_pivots_moves(p, j, r, room);
}

const int32_t *lu_pivots_after(struct lu_pivots *p, size_t j)
{
	for (size_t i = 0; i < p->m; i++)
		p->list[i] = (int32_t)i;
	for (size_t i = j; i < p->k; i++)
		swap(p->list, i, (size_t)p->pivot[i]);
	return p->list;
}

void lu_pivots_answer(struct lu_pivots *p, struct args *a)
{
	struct matrix *const pivots = &a->out[LU_PIVOTS];
	struct matrix *const order = &a->out[LU_P];
	const double sign = p->nan ? NAN : p->zero >= 0 ? 0 :
	                    p->negative ? -1 : 1;

	for (size_t i = 0; pivots->ndim != MATRIX_ABSENT && i < p->k; i++)
		((int64_t *)matrix_data(pivots))[i] = p->pivot[i];
	if (a->out[LU_SINGULAR].ndim != MATRIX_ABSENT)
		matrix_set(&a->out[LU_SINGULAR], 0, p->zero >= 0);
	if (a->out[LU_SIGN].ndim != MATRIX_ABSENT)
		matrix_set(&a->out[LU_SIGN], 0, sign);
	if (order->ndim == MATRIX_ABSENT)
		return;
	lu_pivots_after(p, 0);
	for (size_t i = 0; i < p->m; i++)
		((int64_t *)matrix_data(order))[i] = p->list[i];
}

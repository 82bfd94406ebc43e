/* mm_layout.c - see mm_layout.h. */
#include <math.h>

#include "base/size.h"
#include "base/slice.h"
#include "base/sort.h"
#include "format/mm_layout.h"

bool mm_count(size_t m, size_t n, enum mm_symmetry s, size_t *count)
{
	size_t square;

	if (!size_mul(m, n, &square))
		return false;
	*count = s == MM_GENERAL ? square :
	         (square - n) / 2 + (s == MM_SYMMETRIC ? n : 0);
	return true;
}

/* Entries are sorted, or scattered over the dense matrix. */
double mm_layout_cost(const struct matrix *to, bool sparse, size_t bytes)
{
	enum { EACH = 4 };

	return EACH * (double)bytes + 2.0 *
	       (double)(sparse ? to->dim[0] * sizeof(int64_t) :
	                         matrix_size(to));
}

int mm_scatter(const struct matrix *to, const struct sparse_entry *x,
               size_t n, struct err *e)
{
	size_t cols = matrix_cols(to);
	double *a = matrix_data(to);

	if (slice_zero(a, matrix_size(to), e))
		return -1;
	for (size_t k = 0; k < n; k++) {
		a[x[k].i * cols + x[k].j] += x[k].value;
		if (slice_every(k, e))
			return -1;
	}
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct sparse_entry *x = a, *y = b;
	const uint32_t i = x->i & ~MM_ABOVE, k = y->i & ~MM_ABOVE;

	if (i != k)
		return (i > k) - (i < k);
	if (x->j != y->j)
		return (x->j > y->j) - (x->j < y->j);
	return (x->i > y->i) - (x->i < y->i);
}

static bool same(double x, double y)
{
	return x == y || (isnan(x) && isnan(y));
}

/* Sums entries from k on that were given for one place on one side of the
 * diagonal into one; returns where the next begin. */
static size_t sum_side(const struct sparse_entry *x, size_t n, size_t k,
                       struct sparse_entry *to)
{
	*to = x[k];
	while (++k < n && x[k].i == to->i && x[k].j == to->j)
		to->value += x[k].value;
	return k;
}

/* The same for both sides, those below the diagonal first. */
static int join_sides(struct sparse_entry *x, size_t *n, size_t at[2],
                      struct err *e)
{
	size_t kept = 0, k = 0;

	if (sort_sliced(x, *n, sizeof *x, by_place, e) < 0)
		return -1;
	while (k < *n) {
		struct sparse_entry below, above;

		k = sum_side(x, *n, k, &below);
		if (k < *n && x[k].i == (below.i | MM_ABOVE) &&
		    x[k].j == below.j) {
			k = sum_side(x, *n, k, &above);
			at[0] = below.i;
			at[1] = below.j;
			if (!same(below.value, above.value))
				return 0;
		}
		if (slice_every(kept, e))
			return -1;
		x[kept++] = below;
	}
	*n = kept;
	return 1;
}

int mm_join(struct sparse_entry *x, size_t *n, bool both, size_t at[2],
            struct err *e)
{
	const int rc = both ? join_sides(x, n, at, e) : 1;

	for (size_t k = 0; k < *n && rc > 0; k++) {
		x[k].i &= ~MM_ABOVE;
		if (slice_every(k, e))
			return -1;
	}
	return rc;
}

int mm_agrees(const struct matrix *m, enum mm_symmetry s, size_t at[2],
              struct err *e)
{
	const size_t n = matrix_cols(m);
	const double *a = matrix_data(m), sign = s == MM_SKEW ? -1 : 1;

	for (at[0] = 0; at[0] < n; at[0]++) {
		for (at[1] = 0; at[1] <= at[0]; at[1]++)
			if (!same(a[at[0] * n + at[1]],
			          sign * a[at[1] * n + at[0]]))
				return 0;
		if (slice_next(e))
			return -1;
	}
	return 1;
}

int mm_unfold(const struct matrix *to, const double *x, enum mm_symmetry s,
              struct err *e)
{
	size_t n = matrix_cols(to);
	double *a = matrix_data(to), sign = s == MM_SKEW ? -1 : 1;
	size_t work = 0;

	for (size_t j = 0; j < n; j++) {
		if (s == MM_SKEW)
			a[j * n + j] = 0;
		for (size_t i = j + (s == MM_SKEW); i < n; i++) {
			a[j * n + i] = sign * *x;
			a[i * n + j] = *x++;
			if (slice_every(work++, e))
				return -1;
		}
	}
	return 0;
}

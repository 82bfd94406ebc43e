/* mm_layout.c - see mm_layout.h. */
#include <string.h>

#include "base/size.h"
#include "matrix/mm_layout.h"

bool mm_count(size_t m, size_t n, enum mm_symmetry s, size_t *count)
{
	size_t square;

	if (!size_mul(m, n, &square))
		return false;
	*count = s == MM_GENERAL ? square :
	         (square - n) / 2 + (s == MM_SYMMETRIC ? n : 0);
	return true;
}

void mm_scatter(const struct matrix *to, const struct sparse_entry *x,
                size_t n)
{
	size_t cols = matrix_cols(to);
	double *a = matrix_data(to);

	memset(a, 0, matrix_size(to));
	for (size_t k = 0; k < n; k++)
		a[x[k].i * cols + x[k].j] += x[k].value;
}

void mm_unfold(const struct matrix *to, const double *x, enum mm_symmetry s)
{
	size_t n = matrix_cols(to);
	double *a = matrix_data(to), sign = s == MM_SKEW ? -1 : 1;

	for (size_t j = 0; j < n; j++) {
		if (s == MM_SKEW)
			a[j * n + j] = 0;
		for (size_t i = j + (s == MM_SKEW); i < n; i++) {
			a[j * n + i] = sign * *x;
			a[i * n + j] = *x++;
		}
	}
}

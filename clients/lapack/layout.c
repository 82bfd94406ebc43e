/* layout.c - see layout.h. */
#include <string.h>

#include "clients/lapack/layout.h"

/* Transposition goes by squares of this order, whose lines stay in the cache
 * until all of their elements have been copied. */
enum { SQUARE = 32 };

/* The bytes from an element to the next one in its column and in its row. */
struct steps {
	size_t down, right;
};

static const char *at(const char *p, struct steps s, size_t i, size_t j)
{
	return p + i * s.down + j * s.right;
}

/* Copies one square. The size of an element is a constant in each call, so
 * that memcpy() becomes one instruction. */
static inline void copy_square(size_t size, size_t m, size_t n,
                               const char *from, struct steps f, char *to,
                               struct steps t)
{
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			memcpy((char *)at(to, t, i, j), at(from, f, i, j),
			       size);
}

static void copy_elements(size_t size, size_t m, size_t n, const char *from,
                          struct steps f, char *to, struct steps t)
{
	switch (size) {
	case 4:
		copy_square(4, m, n, from, f, to, t);
		break;
	case 8:
		copy_square(8, m, n, from, f, to, t);
		break;
	default:
		copy_square(16, m, n, from, f, to, t);
	}
}

static void transpose(size_t size, size_t m, size_t n, const char *from,
                      struct steps f, char *to, struct steps t)
{
	for (size_t i = 0; i < m; i += SQUARE)
		for (size_t j = 0; j < n; j += SQUARE)
			copy_elements(size, least_of(m - i, SQUARE),
			              least_of(n - j, SQUARE),
			              at(from, f, i, j), f,
			              (char *)at(to, t, i, j), t);
}

void layout_copy(const struct kind *k, size_t m, size_t n, const void *from,
                 size_t ld_from, void *to, size_t ld_to)
{
	const char *f = from;
	char *t = to;

	if (ld_from == m && ld_to == m) {
		memcpy(t, f, m * n * k->size);
		return;
	}
	for (size_t j = 0; j < n; j++)
		memcpy(t + j * ld_to * k->size, f + j * ld_from * k->size,
		       m * k->size);
}

void layout_to_rows(const struct kind *k, size_t m, size_t n, const void *from,
                    size_t ld, void *to)
{
	transpose(k->size, m, n, from, (struct steps){ k->size, ld * k->size },
	          to, (struct steps){ n * k->size, k->size });
}

void layout_from_rows(const struct kind *k, size_t m, size_t n,
                      const void *from, void *to, size_t ld)
{
	transpose(k->size, m, n, from, (struct steps){ n * k->size, k->size },
	          to, (struct steps){ k->size, ld * k->size });
}

void layout_copy_triangle(const struct kind *k, bool upper, size_t n,
                          const void *from, size_t ld_from, void *to,
                          size_t ld_to)
{
	for (size_t j = 0; j < n; j++) {
		const size_t first = upper ? 0 : j, last = upper ? j + 1 : n;

		memcpy((char *)to + (j * ld_to + first) * k->size,
		       (const char *)from + (j * ld_from + first) * k->size,
		       (last - first) * k->size);
	}
}

void layout_conjugate(const struct kind *k, size_t n, void *a)
{
	float *f = a;
	double *d = a;

	if (!k->is_complex)
		return;
	for (size_t i = 0; i < n && k->part == sizeof *f; i++)
		f[2 * i + 1] = -f[2 * i + 1];
	for (size_t i = 0; i < n && k->part == sizeof *d; i++)
		d[2 * i + 1] = -d[2 * i + 1];
}

/* Copies the square of the triangle with the corner (i, j), i >= j in the lower
 * triangle, to its place in the other one. */
static void mirror_square(const struct kind *k, bool upper, size_t n, char *a,
                          size_t i, size_t j)
{
	const struct steps by_columns = { k->size, n * k->size };
	const struct steps by_rows = { n * k->size, k->size };
	const struct steps from = upper ? by_rows : by_columns;
	const struct steps to = upper ? by_columns : by_rows;

	for (size_t r = i; r < least_of(i + SQUARE, n); r++)
		for (size_t c = j; c < least_of(j + SQUARE, r); c++) {
			char *other = (char *)at(a, to, r, c);

			memcpy(other, at(a, from, r, c), k->size);
			layout_conjugate(k, 1, other);
		}
}

void layout_mirror(const struct kind *k, bool upper, size_t n, void *a)
{
	char *const p = a;

	for (size_t j = 0; j < n; j += SQUARE)
		for (size_t i = j; i < n; i += SQUARE)
			mirror_square(k, upper, n, p, i, j);
	for (size_t i = 0; k->is_complex && i < n; i++)
		memset(p + i * (n + 1) * k->size + k->part, 0, k->part);
}

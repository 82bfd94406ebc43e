/* inverse.c - inverses from factors.
 *
 * The service gets the columns of a triangle as rows, which is its transpose:
 * the upper triangle of A is a lower one there. So P A = L U has
 *
 *     X = L^-T (U^-T I),
 *
 * which by columns is U^-1 L^-1, the inverse of P A, and nothing is transposed.
 * Its columns are interchanged in the program. */
#include <stdlib.h>
#include <string.h>

#include "clients/lapack/layout.h"
#include "clients/lapack/routines.h"
#include "clients/lapack/service.h"
#include "clients/lapack/symbol.h"

/* A triangle of A. */
struct triangle {
	const void *a;
	size_t n, ld;
	bool upper, unit;
};

static void put_ones(const struct kind *k, size_t n, char *a)
{
	const float single = 1;
	const double one = 1;

	for (size_t i = 0; i < n; i++) {
		char *const p = a + i * (n + 1) * k->size;

		memset(p, 0, k->size);
		memcpy(p, k->part == sizeof one ? (const void *)&one : &single,
		       k->part);
	}
}

static bool add(struct service *s, const struct triangle *t, const void *b)
{
	const struct kind *k = s->kind;
	const size_t n = t->n, bytes = n * n * k->size;
	void *to = service_operand(s, "a", n, n);

	if (!to)
		return false;
	memset(to, 0, bytes);
	layout_copy_triangle(k, t->upper, n, t->a, t->ld, to, n);
	if (t->unit)
		put_ones(k, n, to);
	to = service_operand(s, "b", n, n);
	if (!to)
		return false;
	if (b) {
		memcpy(to, b, bytes);
	} else {
		memset(to, 0, bytes);
		put_ones(k, n, to);
	}
	return true;
}

/* Solves T^T X = B for n x n matrices by rows; B = I if b is NULL. Returns X,
 * which lasts until service_fini(), or NULL. */
static const void *solve(struct service *s, const struct kind *k,
                         const struct triangle *t, const void *b)
{
	service_begin(s, k, "solve", t->upper ? "&structure=lower" :
	              "&structure=upper", false);
	return add(s, t, b) && service_ask(s) ?
	       service_output(s, "x", t->n * t->n, k->size) : NULL;
}

static bool has_zero(const struct kind *k, size_t n, const void *a, size_t lda)
{
	for (size_t i = 0; i < n; i++)
		if (is_zero(k, (const char *)a + i * (lda + 1) * k->size))
			return true;
	return false;
}

static bool are_pivots(fint n, const fint *ipiv)
{
	for (fint i = 0; i < n; i++)
		if (ipiv[i] < i + 1 || ipiv[i] > n)
			return false;
	return true;
}

static void swap(char *a, char *b, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		const char x = a[i];

		a[i] = b[i];
		b[i] = x;
	}
}

/* Undoes the interchanges of rows in A, which are of columns in its inverse. */
static void interchange(const struct kind *k, size_t n, char *a, size_t lda,
                        const fint *ipiv)
{
	const size_t column = lda * k->size;

	for (size_t j = n; j-- > 0; )
		if ((size_t)ipiv[j] - 1 != j)
			swap(a + j * column,
			     a + ((size_t)ipiv[j] - 1) * column, n * k->size);
}

bool getri(const struct kind *k, fint n, void *a, fint lda, const fint *ipiv,
           fint *info)
{
	const size_t order = (size_t)n, ld = (size_t)lda;
	const struct triangle u = { a, order, ld, true, false };
	const struct triangle l = { a, order, ld, false, true };
	struct service first, second;
	const void *y, *x = NULL;

	if (n < 1 || !leads(lda, n) || !symbol_is_worth(n) ||
	    !are_pivots(n, ipiv) || has_zero(k, order, a, ld))
		return false;
	y = solve(&first, k, &u, NULL);
	if (y) {
		x = solve(&second, k, &l, y);
		if (x) {
			layout_copy(k, order, order, x, order, a, ld);
			interchange(k, order, a, ld, ipiv);
			*info = 0;
		}
		service_fini(&second);
	}
	service_fini(&first);
	return x;
}

/* Y Y^H with Y = U^-1, or X^H X with X = L^-1; false: no answer. */
static bool multiply(const struct kind *k, bool upper, fint n, const void *x,
                     void *to)
{
	const double one[2] = { 1 }, zero[2] = { 0 };
	const float single[2] = { 1 };

	return gemm(k, &(struct gemm){
		upper ? 'N' : 'C', upper ? 'C' : 'N', n, n, n,
		k->part == sizeof *one ? (const void *)one : single,
		x, x, zero, to, n, n, n });
}

bool potri(const struct kind *k, char uplo, fint n, void *a, fint lda,
           fint *info)
{
	const bool upper = uplo == 'U';
	const size_t order = (size_t)n, ld = (size_t)lda;
	const struct triangle t = { a, order, ld, upper, false };
	struct service s;
	const void *x;
	void *inverse;
	bool done;

	if ((!upper && uplo != 'L') || n < 1 || !leads(lda, n) ||
	    !symbol_is_worth(n) || has_zero(k, order, a, ld))
		return false;
	inverse = malloc(order * order * k->size);
	x = solve(&s, k, &t, NULL);
	done = inverse && x && multiply(k, upper, n, x, inverse);
	if (done) {
		layout_mirror(k, upper, order, inverse);
		layout_copy_triangle(k, upper, order, inverse, order, a, ld);
		*info = 0;
	}
	service_fini(&s);
	free(inverse);
	return done;
}

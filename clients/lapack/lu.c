/* lu.c - P A = L U. The interchanges are of rows, so A is transposed to the
 * service's order, and its factors back. */
#include <stdint.h>
#include <string.h>

#include "clients/lapack/layout.h"
#include "clients/lapack/routines.h"
#include "clients/lapack/service.h"
#include "clients/lapack/symbol.h"

/* Stores the service's pivots, which count from 0 and have 8 or 4 bytes. */
static bool store_pivots(const struct service *s, size_t n, fint *ipiv)
{
	const char *wide = service_output(s, "pivots", n, sizeof(int64_t));
	const char *narrow = service_output(s, "pivots", n, sizeof(int32_t));

	for (size_t i = 0; wide && i < n; i++) {
		int64_t x;

		memcpy(&x, wide + i * sizeof x, sizeof x);
		ipiv[i] = (fint)x + 1;
	}
	for (size_t i = 0; narrow && i < n; i++) {
		int32_t x;

		memcpy(&x, narrow + i * sizeof x, sizeof x);
		ipiv[i] = x + 1;
	}
	return wide || narrow;
}

/* Returns the number of the first zero on the diagonal, or 0. */
static fint first_zero(const struct kind *k, size_t n, const void *a,
                       size_t lda)
{
	const char *p = a;

	for (size_t i = 0; i < n; i++)
		if (is_zero(k, p + i * (lda + 1) * k->size))
			return (fint)i + 1;
	return 0;
}

bool getrf(const struct kind *k, fint m, fint n, void *a, fint lda, fint *ipiv,
           fint *info)
{
	const fint order = m < n ? m : n;
	const void *lu = NULL;
	struct service s;
	void *to;

	if (order < 1 || !leads(lda, m) || !symbol_is_worth(order))
		return false;
	service_begin(&s, k, "lu", "&return=lu,pivots", true);
	to = service_operand(&s, "a", (size_t)m, (size_t)n);
	if (to)
		layout_to_rows(k, (size_t)m, (size_t)n, a, (size_t)lda, to);
	if (to && service_ask(&s))
		lu = service_output(&s, "lu", (size_t)m * (size_t)n, k->size);
	if (lu && !store_pivots(&s, (size_t)order, ipiv))
		lu = NULL;
	if (lu) {
		layout_from_rows(k, (size_t)m, (size_t)n, lu, a, (size_t)lda);
		*info = first_zero(k, (size_t)order, a, (size_t)lda);
	}
	service_fini(&s);
	return lu;
}

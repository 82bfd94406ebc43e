/* cholesky.c - A = U^H U or L L^H of a hermitian positive definite matrix.
 *
 * The service reads a lower triangle by rows and answers a lower one. By
 * columns that is A^T = conj(A) with its upper triangle: if conj(A) = M M^H,
 * A = U^H U with U = M^T. So nothing is transposed for UPLO = 'U', and both A
 * and its factor for 'L'. */
#include <stdlib.h>

#include "clients/lapack/layout.h"
#include "clients/lapack/routines.h"
#include "clients/lapack/service.h"
#include "clients/lapack/symbol.h"

static bool add(struct service *s, bool upper, size_t n, const void *a,
                size_t lda)
{
	void *to = service_operand(s, "a", n, n);

	if (!to)
		return false;
	if (upper)
		layout_copy(s->kind, n, n, a, lda, to, n);
	else
		layout_to_rows(s->kind, n, n, a, lda, to);
	return true;
}

static bool store(const struct kind *k, bool upper, size_t n, const void *m,
                  void *a, size_t lda)
{
	void *factor;

	if (upper) {
		layout_copy_triangle(k, true, n, m, n, a, lda);
		return true;
	}
	factor = malloc(n * n * k->size);
	if (!factor)
		return false;
	layout_from_rows(k, n, n, m, factor, n);
	layout_copy_triangle(k, false, n, factor, n, a, lda);
	free(factor);
	return true;
}

bool potrf(const struct kind *k, char uplo, fint n, void *a, fint lda,
           fint *info)
{
	const bool upper = uplo == 'U';
	const size_t order = (size_t)n, ld = (size_t)lda;
	const void *m = NULL;
	struct service s;
	bool done;

	if ((!upper && uplo != 'L') || n < 1 || !leads(lda, n) ||
	    !symbol_is_worth(n))
		return false;
	service_begin(&s, k, "cholesky", "", false);
	if (add(&s, upper, order, a, ld) && service_ask(&s))
		m = service_output(&s, "l", order * order, k->size);
	done = m && store(k, upper, order, m, a, ld);
	if (done)
		*info = 0;
	service_fini(&s);
	return done;
}

/* symmetric.c - the eigenvalues, and eigenvectors if they are wanted, of a
 * symmetric or hermitian matrix.
 *
 * The service gets the columns of A as rows, which is conj(A); its eigenvectors
 * are the conjugates of A's. */
#include <string.h>

#include "clients/lapack/layout.h"
#include "clients/lapack/routines.h"
#include "clients/lapack/service.h"
#include "clients/lapack/symbol.h"

#define ALL "&which=all&structure=symmetric&return=eigenvalues"

static bool add(struct service *s, bool upper, size_t n, const void *a,
                size_t lda)
{
	void *to = service_operand(s, "a", n, n);

	if (!to)
		return false;
	layout_copy_triangle(s->kind, upper, n, a, lda, to, n);
	layout_mirror(s->kind, upper, n, to);
	return true;
}

static void store_vectors(const struct kind *k, size_t n, const void *x,
                          char *z, size_t ldz)
{
	layout_from_rows(k, n, n, x, z, ldz);
	for (size_t j = 0; j < n; j++)
		layout_conjugate(k, n, z + j * ldz * k->size);
}

bool syev(const struct kind *k, char jobz, char uplo, fint n, void *a,
          fint lda, void *w, fint *info)
{
	const bool vectors = jobz == 'V';
	const size_t order = (size_t)n;
	const void *values = NULL, *x = NULL;
	struct service s;
	bool done;

	if ((!vectors && jobz != 'N') || (uplo != 'U' && uplo != 'L') ||
	    n < 1 || !leads(lda, n) || !symbol_is_worth(n))
		return false;
	service_begin(&s, k, "eigen", vectors ? ALL ",eigenvectors" : ALL,
	              true);
	if (add(&s, uplo == 'U', order, a, (size_t)lda) && service_ask(&s))
		values = service_output(&s, "eigenvalues", order, k->part);
	if (values && vectors)
		x = service_output(&s, "eigenvectors", order * order, k->size);
	done = values && (x || !vectors);
	if (done) {
		memcpy(w, values, order * k->part);
		*info = 0;
	}
	if (done && vectors)
		store_vectors(k, order, x, a, (size_t)lda);
	service_fini(&s);
	return done;
}

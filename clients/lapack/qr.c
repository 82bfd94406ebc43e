/* qr.c - A = Q R and A = L Q, with Householder's reflections.
 *
 * The service's h is, by rows, what LAPACK leaves of A, so A = Q R is
 * transposed on both ways. For A = L Q the service gets A^H = Q' R', whose rows
 * are the conjugates of A's columns. Then L = R'^H, and LAPACK's rows of
 * reflections are the conjugates of the columns of h: nothing is transposed. */
#include <string.h>

#include "clients/lapack/layout.h"
#include "clients/lapack/routines.h"
#include "clients/lapack/service.h"
#include "clients/lapack/symbol.h"

/* Asks for the reflections of the matrix that has been added, of `count`
 * elements. Returns h, or NULL; *tau becomes those of `order`. */
static const void *ask(struct service *s, size_t count, size_t order,
                       const void **tau)
{
	const void *h = service_ask(s) ?
	    service_output(s, "h", count, s->kind->size) : NULL;

	*tau = h ? service_output(s, "tau", order, s->kind->size) : NULL;
	return *tau ? h : NULL;
}

static bool is_for_service(fint m, fint n, fint lda)
{
	const fint order = m < n ? m : n;

	return order > 0 && leads(lda, m) && symbol_is_worth(order);
}

bool geqrf(const struct kind *k, fint m, fint n, void *a, fint lda, void *tau,
           fint *info)
{
	const size_t rows = (size_t)m, columns = (size_t)n;
	const size_t order = least_of(rows, columns);
	const void *h = NULL, *factors;
	struct service s;
	void *to;

	if (!is_for_service(m, n, lda))
		return false;
	service_begin(&s, k, "qr", "&mode=raw&return=h,tau", true);
	to = service_operand(&s, "a", rows, columns);
	if (to) {
		layout_to_rows(k, rows, columns, a, (size_t)lda, to);
		h = ask(&s, rows * columns, order, &factors);
	}
	if (h) {
		layout_from_rows(k, rows, columns, h, a, (size_t)lda);
		memcpy(tau, factors, order * k->size);
		*info = 0;
	}
	service_fini(&s);
	return h;
}

bool gelqf(const struct kind *k, fint m, fint n, void *a, fint lda, void *tau,
           fint *info)
{
	const size_t rows = (size_t)m, columns = (size_t)n, ld = (size_t)lda;
	const size_t order = least_of(rows, columns);
	const void *h = NULL, *factors;
	struct service s;
	void *to;

	if (!is_for_service(m, n, lda))
		return false;
	service_begin(&s, k, "qr", "&mode=raw&return=h,tau", true);
	to = service_operand(&s, "a", columns, rows);
	if (to) {
		layout_copy(k, rows, columns, a, ld, to, rows);
		layout_conjugate(k, rows * columns, to);
		h = ask(&s, rows * columns, order, &factors);
	}
	if (h) {
		layout_copy(k, rows, columns, h, rows, a, ld);
		for (size_t j = 0; j < columns; j++)
			layout_conjugate(k, rows, (char *)a + j * ld * k->size);
		memcpy(tau, factors, order * k->size);
		*info = 0;
	}
	service_fini(&s);
	return h;
}

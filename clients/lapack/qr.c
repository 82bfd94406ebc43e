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

/* Asks for the reflections of the operand, which has `count` elements. Returns
 * h, or NULL; *tau becomes the `order` factors. */
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

/* How the m x n matrix A is written as the operand of the service, and h read
 * as what LAPACK leaves of A. */
struct form {
	void (*write)(const struct kind *k, size_t m, size_t n, const void *a,
	              size_t lda, void *to);
	void (*read)(const struct kind *k, size_t m, size_t n, const void *h,
	             void *a, size_t lda);
	bool turned;			/* the operand is n x m */
};

static void write_turned(const struct kind *k, size_t m, size_t n,
                         const void *a, size_t lda, void *to)
{
	layout_copy(k, m, n, a, lda, to, m);
	layout_conjugate(k, m * n, to);
}

static void read_turned(const struct kind *k, size_t m, size_t n,
                        const void *h, void *a, size_t lda)
{
	layout_copy(k, m, n, h, m, a, lda);
	for (size_t j = 0; j < n; j++)
		layout_conjugate(k, m, (char *)a + j * lda * k->size);
}

static const struct form qr = { layout_to_rows, layout_from_rows, false },
                         lq = { write_turned, read_turned, true };

static bool factor(const struct kind *k, const struct form *f, fint m, fint n,
                   void *a, fint lda, void *tau, fint *info)
{
	const size_t rows = (size_t)m, columns = (size_t)n, ld = (size_t)lda;
	const size_t order = least_of(rows, columns);
	const void *h = NULL, *factors;
	struct service s;
	void *to;

	if (!is_for_service(m, n, lda))
		return false;
	service_begin(&s, k, "qr", "&mode=raw&return=h,tau", true);
	to = service_operand(&s, "a", f->turned ? columns : rows,
	                     f->turned ? rows : columns);
	if (to) {
		f->write(k, rows, columns, a, ld, to);
		h = ask(&s, rows * columns, order, &factors);
	}
	if (h) {
		f->read(k, rows, columns, h, a, ld);
		memcpy(tau, factors, order * k->size);
		*info = 0;
	}
	service_fini(&s);
	return h;
}

bool geqrf(const struct kind *k, fint m, fint n, void *a, fint lda, void *tau,
           fint *info)
{
	return factor(k, &qr, m, n, a, lda, tau, info);
}

bool gelqf(const struct kind *k, fint m, fint n, void *a, fint lda, void *tau,
           fint *info)
{
	return factor(k, &lq, m, n, a, lda, tau, info);
}

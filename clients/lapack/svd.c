/* svd.c - A = U S V^H.
 *
 * The service gets the columns of A as rows, which is A^T = conj(V) S U^T. Its
 * u is conj(V) by rows, which is V^H by columns, and its vh is U^T by rows,
 * which is U by columns: nothing is transposed. */
#include <stdio.h>
#include <string.h>

#include "clients/lapack/layout.h"
#include "clients/lapack/routines.h"
#include "clients/lapack/service.h"
#include "clients/lapack/symbol.h"

/* What the two options JOBU and JOBVT together take of the service. */
static const char *vectors_of(const struct gesvd *g)
{
	if (g->jobu == 'A' || g->jobvt == 'A')
		return "full";
	return g->jobu == 'S' || g->jobvt == 'S' ? "thin" : "none";
}

/* Returns how many singular vectors are wanted of n at most. */
static size_t wanted(char job, size_t n, size_t thin)
{
	return job == 'A' ? n : job == 'S' ? thin : 0;
}

static bool is_known(char job)
{
	return job == 'A' || job == 'S' || job == 'N';
}

static bool is_for_service(const struct gesvd *g)
{
	const fint least = g->m < g->n ? g->m : g->n;

	return is_known(g->jobu) && is_known(g->jobvt) && least > 0 &&
	       leads(g->lda, g->m) &&
	       leads(g->ldu, g->jobu == 'N' ? 1 : g->m) &&
	       leads(g->ldvt, (fint)wanted(g->jobvt, (size_t)g->n,
	                                   (size_t)least)) &&
	       symbol_is_worth(least);
}

static bool store(const struct service *s, const struct gesvd *g)
{
	const struct kind *k = s->kind;
	const size_t m = (size_t)g->m, n = (size_t)g->n, thin = least_of(m, n);
	const bool full = g->jobu == 'A' || g->jobvt == 'A';
	const size_t n_u = full ? m : thin, n_vt = full ? n : thin;
	const size_t want_u = wanted(g->jobu, m, thin);
	const size_t want_vt = wanted(g->jobvt, n, thin);
	const void *vt = service_output(s, "u", n * n_vt, k->size);
	const void *u = service_output(s, "vh", n_u * m, k->size);
	const void *values = service_output(s, "s", thin, k->part);

	if (!values || (want_u && !u) || (want_vt && !vt))
		return false;
	memcpy(g->s, values, thin * k->part);
	if (want_u)
		layout_copy(k, m, want_u, u, m, g->u, (size_t)g->ldu);
	if (want_vt)
		layout_copy(k, want_vt, n, vt, n_vt, g->vt, (size_t)g->ldvt);
	return true;
}

bool gesvd(const struct kind *k, const struct gesvd *g, fint *info)
{
	const size_t m = (size_t)g->m, n = (size_t)g->n;
	char parameters[40];
	struct service s;
	bool done = false;
	void *to;

	if (!is_for_service(g))
		return false;
	snprintf(parameters, sizeof parameters, "&vectors=%s", vectors_of(g));
	service_begin(&s, k, "svd", parameters, true);
	to = service_operand(&s, "a", n, m);
	if (to) {
		layout_copy(k, m, n, g->a, (size_t)g->lda, to, m);
		done = service_ask(&s) && store(&s, g);
	}
	if (done)
		*info = 0;
	service_fini(&s);
	return done;
}

/* general.c - the eigenvalues of a general matrix, with right and left
 * eigenvectors if they are wanted.
 *
 * The service answers real outputs where all eigenvalues are real, and else
 * complex ones. xGEEV of a real matrix has the parts of the eigenvalues in WR
 * and WI, and of a conjugate pair, whose member with the positive imaginary
 * part comes first, the real part of its eigenvector in one column and the
 * imaginary part in the next. */
#include <string.h>

#include "clients/lapack/layout.h"
#include "clients/lapack/routines.h"
#include "clients/lapack/service.h"
#include "clients/lapack/symbol.h"

/* An answer: outputs of n or n x n elements of this size. */
struct answer {
	const void *values, *right, *left;
	size_t size;
	bool imaginary;			/* elements have an imaginary part */
};

static bool is_for_service(const struct geev *g)
{
	return g->n > 0 && is_vector_job(g->jobvl, g->n, g->ldvl) &&
	       is_vector_job(g->jobvr, g->n, g->ldvr) && leads(g->lda, g->n) &&
	       symbol_is_worth(g->n);
}

/* Sets *r to the outputs that the call wants. Returns false if one of them is
 * missing or has elements of another size. */
static bool find(const struct service *s, const struct geev *g, size_t size,
                 struct answer *r)
{
	const size_t n = (size_t)g->n;

	*r = (struct answer){ .size = size,
		.imaginary = size > s->kind->part };
	r->values = service_output(s, "eigenvalues", n, size);
	if (g->jobvr == 'V')
		r->right = service_output(s, "eigenvectors", n * n, size);
	if (g->jobvl == 'V')
		r->left = service_output(s, "left_eigenvectors", n * n, size);
	return r->values && (r->right || g->jobvr == 'N') &&
	       (r->left || g->jobvl == 'N');
}

/* Copies part 0, real, or 1, imaginary, of n elements that are `step` elements
 * apart to `to`. */
static void copy_part(const struct kind *k, const struct answer *r, size_t n,
                      const char *from, size_t step, int part, char *to)
{
	from += (size_t)part * k->part;
	for (size_t i = 0; i < n; i++)
		memcpy(to + i * k->part, from + i * step * r->size, k->part);
}

static double real_at(const struct kind *k, const void *p, size_t i)
{
	return k->part == sizeof(float) ? ((const float *)p)[i] :
	       ((const double *)p)[i];
}

/* Stores the eigenvalues of a real matrix. Returns whether conjugate pairs are
 * where LAPACK has them. */
static bool store_real_values(const struct kind *k, const struct geev *g,
                              const struct answer *r)
{
	const size_t n = (size_t)g->n;

	copy_part(k, r, n, r->values, 1, 0, g->wr);
	memset(g->wi, 0, n * k->part);
	if (!r->imaginary)
		return true;
	copy_part(k, r, n, r->values, 1, 1, g->wi);
	for (size_t i = 0; i < n; i++) {
		if (real_at(k, g->wi, i) == 0)
			continue;
		if (i + 1 == n || real_at(k, g->wi, i) < 0 ||
		    real_at(k, g->wi, i) != -real_at(k, g->wi, i + 1))
			return false;
		i++;
	}
	return true;
}

static void store_real_vectors(const struct kind *k, const struct geev *g,
                               const struct answer *r, const void *from,
                               void *to, size_t ld)
{
	const size_t n = (size_t)g->n, column = ld * k->part;
	const char *x = from;
	char *v = to;

	for (size_t j = 0; from && j < n; j++) {
		copy_part(k, r, n, x + j * r->size, n, 0, v + j * column);
		if (real_at(k, g->wi, j) == 0)
			continue;
		copy_part(k, r, n, x + j * r->size, n, 1, v + (j + 1) * column);
		j++;
	}
}

static bool store_real(const struct service *s, const struct geev *g)
{
	const struct kind *k = s->kind;
	struct answer r;

	if (!find(s, g, k->part, &r) && !find(s, g, 2 * k->part, &r))
		return false;
	if (!store_real_values(k, g, &r))
		return false;
	store_real_vectors(k, g, &r, r.right, g->vr, (size_t)g->ldvr);
	store_real_vectors(k, g, &r, r.left, g->vl, (size_t)g->ldvl);
	return true;
}

static bool store_complex(const struct service *s, const struct geev *g)
{
	const struct kind *k = s->kind;
	const size_t n = (size_t)g->n;
	struct answer r;

	if (!find(s, g, k->size, &r))
		return false;
	memcpy(g->wr, r.values, n * k->size);
	if (r.right)
		layout_from_rows(k, n, n, r.right, g->vr, (size_t)g->ldvr);
	if (r.left)
		layout_from_rows(k, n, n, r.left, g->vl, (size_t)g->ldvl);
	return true;
}

bool geev(const struct kind *k, const struct geev *g, fint *info)
{
	const size_t n = (size_t)g->n;
	struct text wanted = { 0 };
	struct service s;
	bool done = false;
	void *to;

	if (!is_for_service(g))
		return false;
	text_printf(&wanted, "&which=all&structure=general&return=eigenvalues"
	            "%s%s", g->jobvr == 'V' ? ",eigenvectors" : "",
	            g->jobvl == 'V' ? ",left_eigenvectors" : "");
	service_begin(&s, k, "eigen", wanted.data ? wanted.data : "", true);
	to = service_operand(&s, "a", n, n);
	if (to) {
		layout_to_rows(k, n, n, g->a, (size_t)g->lda, to);
		done = service_ask(&s) &&
		       (k->is_complex ? store_complex : store_real)(&s, g);
	}
	if (done)
		*info = 0;
	service_fini(&s);
	text_fini(&wanted);
	return done;
}

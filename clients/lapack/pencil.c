/* pencil.c - the eigenvalues of A x = lambda B x for any A and B, with right
 * and left eigenvectors if they are wanted.
 *
 * The service answers alpha, beta and eigenvectors of unit length, in the order
 * in which LAPACK finds them. The outputs are real if all eigenvalues of real
 * matrices are, and else complex. For real matrices, xGGEV stores the real and
 * imaginary parts of complex results apart, as xGEEV does (general.c). It
 * scales each eigenvector so that |re| + |im| of its largest component is
 * 1. */
#include <math.h>
#include <string.h>

#include "clients/lapack/layout.h"
#include "clients/lapack/routines.h"
#include "clients/lapack/service.h"
#include "clients/lapack/symbol.h"

/* The outputs of the service, row-major, or NULL if they are not wanted. */
struct answer {
	const char *alpha_beta;		/* n alphas, then n betas */
	const char *right, *left;	/* n x n */
	size_t size;			/* of an element */
};

static bool is_for_service(const struct ggev *g)
{
	return g->n > 0 && is_vector_job(g->jobvl, g->n, g->ldvl) &&
	       is_vector_job(g->jobvr, g->n, g->ldvr) && leads(g->lda, g->n) &&
	       leads(g->ldb, g->n) && symbol_is_worth(g->n);
}

/* Sets *r to the outputs that the call wants. Returns false if one of them is
 * missing or has elements of another size. */
static bool find(const struct service *s, const struct ggev *g, size_t size,
                 struct answer *r)
{
	const size_t n = (size_t)g->n;

	*r = (struct answer){ .size = size };
	r->alpha_beta = service_output(s, "alpha_beta", 2 * n, size);
	if (g->jobvr == 'V')
		r->right = service_output(s, "eigenvectors", n * n, size);
	if (g->jobvl == 'V')
		r->left = service_output(s, "left_eigenvectors", n * n, size);
	return r->alpha_beta && (r->right || g->jobvr == 'N') &&
	       (r->left || g->jobvl == 'N');
}

/* Returns the real (part 0) or imaginary (part 1) part of the element at x,
 * which need not be aligned. A real element has the imaginary part 0. */
static double part_of(const struct kind *k, const struct answer *r,
                      const char *x, int part)
{
	float f;
	double d;

	x += (size_t)part * k->part;
	if ((size_t)part * k->part >= r->size)
		return 0;
	memcpy(&f, x, sizeof f);
	if (k->part == sizeof f)
		return f;
	memcpy(&d, x, sizeof d);
	return d;
}

static void put(const struct kind *k, void *to, size_t i, double x)
{
	if (k->part == sizeof(float))
		((float *)to)[i] = (float)x;
	else
		((double *)to)[i] = x;
}

/* Stores alpha and beta of real matrices. Returns false unless the members of
 * each conjugate pair follow each other, the one with the positive imaginary
 * part first, as in LAPACK. */
static bool store_real_values(const struct kind *k, const struct ggev *g,
                              const struct answer *r)
{
	const size_t n = (size_t)g->n;
	double before = 0;

	for (size_t i = 0; i < n; i++) {
		const char *const x = r->alpha_beta + i * r->size;
		const double im = part_of(k, r, x, 1);

		put(k, g->alphar, i, part_of(k, r, x, 0));
		put(k, g->alphai, i, im);
		put(k, g->beta, i, part_of(k, r, x + n * r->size, 0));
		if ((before > 0) != (im < 0))
			return false;
		before = im;
	}
	return before <= 0;
}

/* Returns the largest |re| + |im| of column j of the n x n matrix x. */
static double largest(const struct kind *k, const struct answer *r,
                      const char *x, size_t n, size_t j)
{
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		const char *const at = x + (i * n + j) * r->size;

		most = fmax(most, fabs(part_of(k, r, at, 0)) +
		                  fabs(part_of(k, r, at, 1)));
	}
	return most;
}

/* Divides the real (part 0) or imaginary (part 1) parts of column j of the
 * n x n matrix x by `scale`, and stores them at `to`, each `step` numbers after
 * the one before. */
static void store_part(const struct kind *k, const struct answer *r,
                       const char *x, size_t n, size_t j, int part,
                       double scale, char *to, size_t step)
{
	for (size_t i = 0; i < n; i++)
		put(k, to, i * step,
		    part_of(k, r, x + (i * n + j) * r->size, part) / scale);
}

/* Stores the eigenvectors x, unless x is NULL, in the columns of `to`. */
static void store_vectors(const struct kind *k, const struct ggev *g,
                          const struct answer *r, const char *x, void *to,
                          fint ld)
{
	const size_t n = (size_t)g->n, column = (size_t)ld * k->size;

	for (size_t j = 0; x && j < n; j++) {
		char *const v = (char *)to + j * column;
		const double scale = largest(k, r, x, n, j);
		const bool paired = !k->is_complex && part_of(k, r,
		                    r->alpha_beta + j * r->size, 1) != 0;
		const size_t step = k->is_complex ? 2 : 1;

		store_part(k, r, x, n, j, 0, scale, v, step);
		if (k->is_complex)
			store_part(k, r, x, n, j, 1, scale, v + k->part, step);
		if (!paired)
			continue;
		store_part(k, r, x, n, j, 1, scale, v + column, 1);
		j++;
	}
}

static bool store(const struct service *s, const struct ggev *g)
{
	const struct kind *k = s->kind;
	const size_t n = (size_t)g->n;
	struct answer r;

	if (!find(s, g, k->size, &r) &&
	    (k->is_complex || !find(s, g, 2 * k->size, &r)))
		return false;
	if (k->is_complex) {
		memcpy(g->alphar, r.alpha_beta, n * k->size);
		memcpy(g->beta, r.alpha_beta + n * k->size, n * k->size);
	} else if (!store_real_values(k, g, &r)) {
		return false;
	}
	store_vectors(k, g, &r, r.right, g->vr, g->ldvr);
	store_vectors(k, g, &r, r.left, g->vl, g->ldvl);
	return true;
}

/* Copies an operand to the request. Returns false if there is no room. */
static bool add(struct service *s, const char *name, size_t n, const void *a,
                fint ld)
{
	void *const to = service_operand(s, name, n, n);

	if (to)
		layout_to_rows(s->kind, n, n, a, (size_t)ld, to);
	return to;
}

bool ggev(const struct kind *k, const struct ggev *g, fint *info)
{
	const size_t n = (size_t)g->n;
	struct text wanted = { 0 };
	struct service s;
	bool done;

	if (!is_for_service(g))
		return false;
	text_printf(&wanted, "&which=all&problem=general&order=found"
	            "&return=alpha_beta%s%s",
	            g->jobvr == 'V' ? ",eigenvectors" : "",
	            g->jobvl == 'V' ? ",left_eigenvectors" : "");
	service_begin(&s, k, "eigen", wanted.data ? wanted.data : "", true);
	done = add(&s, "a", n, g->a, g->lda) && add(&s, "b", n, g->b, g->ldb) &&
	       service_ask(&s) && store(&s, g);
	if (done)
		*info = 0;
	service_fini(&s);
	text_fini(&wanted);
	return done;
}

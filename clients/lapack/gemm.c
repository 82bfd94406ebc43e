/* gemm.c - C = alpha op(A) op(B) + beta C.
 *
 * What Fortran stores by columns is by rows the transpose, so the service is
 * asked for C^T = op(B)^T op(A)^T with B^T as its left operand and A^T as its
 * right one. Transposed once more, they are B and A; conjugation stays. alpha
 * and beta are applied here, since the service has neither. */
#include <math.h>
#include <stdio.h>

#include "clients/lapack/layout.h"
#include "clients/lapack/routines.h"
#include "clients/lapack/service.h"
#include "clients/lapack/symbol.h"

/* Define functions that set m elements of a column of C; beta = 0 does not read
 * them, as the BLAS has it. */
#define UPDATE_REAL(name, type)                                               \
static void name(size_t m, const void *alpha, const void *product,            \
                 const void *beta, void *column)                              \
{                                                                             \
	const type a = *(const type *)alpha, b = *(const type *)beta;         \
	const type *p = product;                                              \
	type *c = column;                                                     \
									      \
	for (size_t i = 0; i < m; i++)                                        \
		c[i] = a * p[i] + (b == 0 ? 0 : b * c[i]);                    \
}

#define UPDATE_COMPLEX(name, type)                                            \
static void name(size_t m, const void *alpha, const void *product,            \
                 const void *beta, void *column)                              \
{                                                                             \
	const type *a = alpha, *b = beta, *p = product;                       \
	const bool reads = b[0] != 0 || b[1] != 0;                            \
	type *c = column;                                                     \
									      \
	for (size_t i = 0; i < m; i++, p += 2, c += 2) {                      \
		const type old[2] = { reads ? c[0] : 0, reads ? c[1] : 0 };   \
									      \
		c[0] = a[0] * p[0] - a[1] * p[1] +                            \
		       b[0] * old[0] - b[1] * old[1];                         \
		c[1] = a[0] * p[1] + a[1] * p[0] +                            \
		       b[0] * old[1] + b[1] * old[0];                         \
	}                                                                     \
}

UPDATE_REAL(update_s, float)
UPDATE_REAL(update_d, double)
UPDATE_COMPLEX(update_c, float)
UPDATE_COMPLEX(update_z, double)

typedef void update(size_t m, const void *alpha, const void *product,
                    const void *beta, void *column);

static update *update_of(const struct kind *k)
{
	switch (k->letter) {
	case 's':
		return update_s;
	case 'd':
		return update_d;
	case 'c':
		return update_c;
	default:
		return update_z;
	}
}

static bool is_known(char trans)
{
	return trans == 'N' || trans == 'T' || trans == 'C';
}

static bool is_for_service(const struct kind *k, const struct gemm *g)
{
	const double work = (double)g->m * g->n * g->k;

	return is_known(g->transa) && is_known(g->transb) && g->m > 0 &&
	       g->n > 0 && g->k > 0 &&
	       leads(g->lda, g->transa == 'N' ? g->m : g->k) &&
	       leads(g->ldb, g->transb == 'N' ? g->k : g->n) &&
	       leads(g->ldc, g->m) && !is_zero(k, g->alpha) &&
	       symbol_is_worth(cbrt(work));
}

/* Adds the transpose of a matrix, which is m x n as it is stored. */
static bool add(struct service *s, const char *name, size_t m, size_t n,
                const void *from, fint ld)
{
	void *to = service_operand(s, name, n, m);

	if (to)
		layout_copy(s->kind, m, n, from, (size_t)ld, to, m);
	return to;
}

static bool add_operands(struct service *s, const struct gemm *g)
{
	const size_t m = (size_t)g->m, n = (size_t)g->n, k = (size_t)g->k;
	const bool a = g->transa == 'N', b = g->transb == 'N';

	/* All the room at once, so that nothing is copied to grow it. */
	text_reserve(&s->body, (m * k + k * n) * s->kind->size);
	return add(s, "a", b ? k : n, b ? n : k, g->b, g->ldb) &&
	       add(s, "b", a ? m : k, a ? k : m, g->a, g->lda);
}

static void describe(char *to, size_t room, const struct gemm *g)
{
	const char *const yes[] = { "false", "true" };

	snprintf(to, room, "&transpose_a=%s&transpose_b=%s&conjugate_a=%s"
	         "&conjugate_b=%s", yes[g->transb != 'N'],
	         yes[g->transa != 'N'], yes[g->transb == 'C'],
	         yes[g->transa == 'C']);
}

bool gemm(const struct kind *k, const struct gemm *g)
{
	const size_t m = (size_t)g->m, ldc = (size_t)g->ldc;
	char parameters[120];
	const char *c = NULL;
	struct service s;

	if (!is_for_service(k, g))
		return false;
	describe(parameters, sizeof parameters, g);
	service_begin(&s, k, "matmul", parameters, false);
	if (add_operands(&s, g) && service_ask(&s))
		c = service_output(&s, "c", m * (size_t)g->n, k->size);
	for (size_t j = 0; c && j < (size_t)g->n; j++)
		update_of(k)(m, g->alpha, c + j * m * k->size, g->beta,
		             (char *)g->c + j * ldc * k->size);
	service_fini(&s);
	return c;
}

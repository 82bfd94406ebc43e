/* triangle.c - products with G = U^T U or L L^T and its inverse, from the
 * triangle; see host.h. */
#include "ops/lstsq/host.h"

/* x = op(T) x or op(T)^-1 x */
static void once(const struct lstsq_triangle *t, bool inverse, char trans,
                 double *v, size_t columns)
{
	const int n = (int)t->n, ld = (int)t->ld, many = (int)columns, one = 1;
	const double unit = 1;

	if (inverse && columns == 1)
		t->l->d.trsv(&t->uplo, &trans, "N", &n, t->x, &ld, v, &one);
	else if (inverse)
		t->l->d.trsm("L", &t->uplo, &trans, "N", &n, &many, &unit,
		             t->x, &ld, v, &n);
	else
		t->l->d.trmm("L", &t->uplo, &trans, "N", &n, &many, &unit,
		             t->x, &ld, v, &n);
}

void lstsq_triangle_apply(const struct lstsq_triangle *t, bool inverse,
                          double *v, size_t columns)
{
	const bool plain = (t->uplo == 'U') != inverse;

	once(t, inverse, plain ? 'N' : 'T', v, columns);
	once(t, inverse, plain ? 'T' : 'N', v, columns);
}

static bool apply(const void *how, bool inverse, double *v, size_t columns)
{
	lstsq_triangle_apply(how, inverse, v, columns);
	return true;
}

bool lstsq_triangle_rank(const struct lstsq_triangle *t,
                         const struct lstsq_plan *h, struct extremes e,
                         double *room, struct extremes_found *f)
{
	e.l = t->l;
	e.n = t->n;
	e.start = h->start;
	e.room = room;
	e.apply = apply;
	e.how = t;
	return extremes_find(&e, f);
}

/* octets.c - see octets.h. Operands lie back to back, in layout()'s order. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "format/octets.h"
#include "format/part.h"
#include "format/pieces.h"

struct octets_reader {
	struct reader base;
	struct pieces pieces;
};

int octet_shape(const char *name, const char *value, struct matrix *m,
                struct err *e)
{
	const char *p = value;

	for (m->ndim = 0; *p; p += *p == ',') {
		size_t x = 0;

		if (m->ndim == MATRIX_DIMS || *p < '0' || *p > '9')
			goto bad;
		for (; *p >= '0' && *p <= '9'; p++)
			if (!size_mul(x, 10, &x) ||
			    !size_add(x, (size_t)(*p - '0'), &x))
				goto bad;
		m->dim[m->ndim++] = x;
		if (*p && (*p != ',' || !p[1]))
			goto bad;
	}
	return 0;
bad:
	return err_set(e, ERR_PARAMETER, "%s: \"%.40s\" is no shape; it is "
	               "at most %d integers and commas, as in 3,4", name,
	               value, MATRIX_DIMS);
}

static int lay_out(struct octets_reader *r, const struct part *p,
                   struct err *e)
{
	const struct sink *k = p->sink;

	for (int i = 0, more = k->layout != NULL; more; i++) {
		struct matrix shape = { .dtype = FLOAT64 };
		const char *name = NULL;

		more = k->layout(k->arg, i, &name, &shape, e);
		if (more < 0)
			return -1;
		if (more && pieces_add(&r->pieces, p->name ? p->name : name,
		                       &shape, element_of(shape.dtype), e))
			return -1;
	}
	if (r->pieces.n)
		return 0;
	return err_set(e, ERR_REQUEST, "%s: raw bytes need their shape and "
	               "dtype, as in ?shape=3,4&dtype=float64",
	               p->name ? p->name : "body");
}

/* Checks, before any memory is allocated, that the body's length is that of all
 * shapes together. */
static int check_length(const struct octets_reader *r, const struct part *p,
                        struct err *e)
{
	size_t sum;

	if (pieces_bytes(&r->pieces, &sum, e))
		return -1;
	if (sum == p->length || (p->bound && sum < p->length))
		return 0;
	return err_set(e, ERR_FORMAT, "%s: the shapes need %zu bytes, the "
	               "body has %llu", p->name ? p->name : "octets", sum,
	               (unsigned long long)p->length);
}

static struct pieces *pieces_of(struct reader *base)
{
	return &((struct octets_reader *)base)->pieces;
}

static int octets_feed(struct reader *base, const void *bytes, size_t n,
                       struct err *e)
{
	return pieces_feed(pieces_of(base), bytes, n, e);
}

static int octets_end(struct reader *base, bool *work, struct err *e)
{
	return pieces_end(pieces_of(base), work, e);
}

static int octets_finish(struct reader *base, struct err *e)
{
	return pieces_finish(pieces_of(base), e);
}

static void octets_free(struct reader *base)
{
	pieces_fini(pieces_of(base));
	free(base);
}

static double octets_cost(const struct reader *base)
{
	return pieces_cost(&((const struct octets_reader *)base)->pieces);
}

static const struct reader_kind octets_kind = {
	octets_feed, octets_end, octets_finish, octets_free, octets_cost,
};

static int begin(struct octets_reader *r, const struct part *p, struct err *e)
{
	if (lay_out(r, p, e) < 0 || check_length(r, p, e) < 0)
		return -1;
	return pieces_alloc(&r->pieces, e);
}

struct reader *octets_open(const struct part *p, struct err *e)
{
	struct octets_reader *r = calloc(1, sizeof *r);

	if (!r) {
		err_set(e, ERR_MEMORY, "no memory for a reader");
		return NULL;
	}
	r->base.kind = &octets_kind;
	r->pieces.sink = p->sink;
	if (begin(r, p, e) == 0)
		return &r->base;
	octets_free(&r->base);
	return NULL;
}

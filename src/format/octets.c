/* octets.c - see octets.h. Operands lie back to back, in layout()'s order. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "format/octets.h"
#include "format/part.h"
#include "matrix/convert.h"

enum { PIECES = 8 };		/* operands that a body may hold */

struct piece {
	struct matrix *target;
	struct matrix m;
	size_t size, got;		/* bytes */
	struct element element;
};

struct octets_reader {
	struct reader base;
	const struct sink *sink;
	int n, now;			/* pieces; the present one */
	struct piece piece[PIECES];
	bool ready;
};

int octet_shape(const char *name, const char *value, struct matrix *m,
                struct err *e)
{
	const char *p = value;

	for (m->ndim = 0; *p; p += *p == ',' && p[1]) {
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

/* Adds a piece, whose foreign bytes will lie at the end of its operand's
 * memory (convert.h). */
static int add_piece(struct octets_reader *r, const struct part *p,
                     const char *name, struct matrix shape, struct err *e)
{
	struct piece *x = &r->piece[r->n];

	if (r->n == PIECES)
		return err_set(e, ERR_REQUEST, "more than %d operands", PIECES);
	x->element = element_of(shape.dtype);
	shape.memory = NULL;
	x->m = shape;
	r->n++;
	if (matrix_bytes(&x->m, &x->size, e) < 0)
		return -1;
	x->m.dtype = element_dtype(x->element);
	x->target = p->sink->operand(p->sink->arg, name, e);
	return x->target ? 0 : -1;
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
		if (more && add_piece(r, p, p->name ? p->name : name, shape, e))
			return -1;
	}
	if (r->n)
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
	size_t sum = 0;

	for (int i = 0; i < r->n; i++)
		if (!size_add(sum, r->piece[i].size, &sum))
			return err_set(e, ERR_TOO_LARGE, "the shapes are "
			               "beyond any memory");
	if (p->length == UINT64_MAX || sum == p->length ||
	    (p->bound && sum < p->length))
		return 0;
	return err_set(e, ERR_FORMAT, "%s: the shapes need %zu bytes, the "
	               "body has %llu", p->name ? p->name : "octets", sum,
	               (unsigned long long)p->length);
}

static int octets_feed(struct reader *base, const void *bytes, size_t n,
                       struct err *e)
{
	struct octets_reader *r = (struct octets_reader *)base;
	const char *from = bytes;

	while (n) {
		struct piece *x = &r->piece[r->now];
		size_t take = size_min(n, x->size - x->got);

		if (element_take(&x->m, x->element, x->got, from, take, e))
			return -1;
		x->got += take;
		if (r->sink->arrived && element_native(x->element))
			r->sink->arrived(r->sink->arg, x->m.memory, x->got);
		from += take;
		n -= take;
		if (n && ++r->now == r->n) {
			r->now--;
			return err_set(e, ERR_FORMAT, "bytes after the last "
			               "element of the shapes");
		}
	}
	return 0;
}

static int octets_finish(struct reader *base, struct err *e)
{
	struct octets_reader *r = (struct octets_reader *)base;

	for (int i = 0; i < r->n && !r->ready; i++) {
		struct piece *x = &r->piece[i];

		if (convert_elements(&x->m, x->element, e))
			return -1;
		*x->target = x->m;
		x->m = (struct matrix){ .ndim = MATRIX_ABSENT };
	}
	r->ready = true;
	return 0;
}

static int octets_end(struct reader *base, bool *work, struct err *e)
{
	struct octets_reader *r = (struct octets_reader *)base;

	*work = false;
	for (int i = 0; i < r->n; i++) {
		const struct piece *x = &r->piece[i];

		if (x->got < x->size)
			return err_set(e, ERR_FORMAT, "raw bytes: %zu of the "
			               "%zu bytes of operand %d arrived",
			               x->got, x->size, i + 1);
		*work |= !element_native(x->element) && convert_is_long(&x->m);
	}
	return *work ? 0 : octets_finish(base, e);
}

static void octets_free(struct reader *base)
{
	struct octets_reader *r = (struct octets_reader *)base;

	for (int i = 0; i < r->n; i++)
		matrix_fini(&r->piece[i].m);
	free(r);
}

static double octets_cost(const struct reader *base)
{
	const struct octets_reader *r = (const struct octets_reader *)base;
	double bytes = 0;

	for (int i = 0; i < r->n; i++)
		bytes += 2.0 * (double)matrix_size(&r->piece[i].m);
	return bytes;
}

static const struct reader_kind octets_kind = {
	octets_feed, octets_end, octets_finish, octets_free, octets_cost,
};

static int begin(struct octets_reader *r, const struct part *p, struct err *e)
{
	if (lay_out(r, p, e) < 0 || check_length(r, p, e) < 0)
		return -1;
	for (int i = 0; i < r->n; i++)
		if (matrix_alloc_arriving(&r->piece[i].m, p->sink->pool, e))
			return -1;
	return 0;
}

struct reader *octets_open(const struct part *p, struct err *e)
{
	struct octets_reader *r = calloc(1, sizeof *r);

	if (!r) {
		err_set(e, ERR_MEMORY, "no memory for a reader");
		return NULL;
	}
	r->base.kind = &octets_kind;
	r->sink = p->sink;
	if (begin(r, p, e) == 0)
		return &r->base;
	octets_free(&r->base);
	return NULL;
}

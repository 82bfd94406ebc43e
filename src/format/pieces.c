/* pieces.c - see pieces.h. */
#include "base/size.h"
#include "format/pieces.h"

int pieces_add(struct pieces *p, const char *name, const struct matrix *shape,
               struct element x, struct err *e)
{
	struct piece *piece = &p->piece[p->n];
	size_t elements;

	if (p->n == PIECES)
		return err_set(e, ERR_REQUEST, "more than %d operands", PIECES);
	piece->element = x;
	piece->m = *shape;
	piece->m.memory = NULL;
	piece->m.dtype = element_dtype(x);
	p->n++;
	if (matrix_count(&piece->m, &elements, e))
		return -1;
	if (!size_mul(elements, x.bytes, &piece->size))
		return err_set(e, ERR_TOO_LARGE, "the shapes are beyond any "
		               "memory");
	piece->target = p->sink->operand(p->sink->arg, name, e);
	return piece->target ? 0 : -1;
}

int pieces_bytes(const struct pieces *p, size_t *sum, struct err *e)
{
	*sum = 0;
	for (int i = 0; i < p->n; i++)
		if (!size_add(*sum, p->piece[i].size, sum))
			return err_set(e, ERR_TOO_LARGE, "the shapes are "
			               "beyond any memory");
	return 0;
}

int pieces_alloc(struct pieces *p, struct err *e)
{
	for (int i = 0; i < p->n; i++)
		if (matrix_alloc_arriving(&p->piece[i].m, p->sink->pool, e))
			return -1;
	return 0;
}

int pieces_feed(struct pieces *p, const void *bytes, size_t n, struct err *e)
{
	const char *from = bytes;

	while (n) {
		struct piece *x = &p->piece[p->now];
		const size_t take = size_min(n, x->size - x->got);

		if (element_take(&x->m, x->element, x->got, from, take, e))
			return -1;
		x->got += take;
		if (p->sink->arrived && element_native(x->element))
			p->sink->arrived(p->sink->arg, x->m.memory, x->got);
		from += take;
		n -= take;
		if (n && p->now + 1 >= p->n)
			return err_set(e, ERR_FORMAT, "bytes after the last "
			               "element of the shapes");
		p->now += n > 0;
	}
	return 0;
}

int pieces_finish(struct pieces *p, struct err *e)
{
	for (int i = 0; i < p->n && !p->ready; i++) {
		struct piece *x = &p->piece[i];

		if (convert_elements(&x->m, x->element, e))
			return -1;
		*x->target = x->m;
		x->m = (struct matrix){ .ndim = MATRIX_ABSENT };
	}
	p->ready = true;
	return 0;
}

int pieces_end(struct pieces *p, bool *work, struct err *e)
{
	*work = false;
	for (int i = 0; i < p->n; i++) {
		const struct piece *x = &p->piece[i];

		if (x->got < x->size)
			return err_set(e, ERR_FORMAT, "raw bytes: %zu of the "
			               "%zu bytes of operand %d arrived",
			               x->got, x->size, i + 1);
		*work |= !element_native(x->element) && convert_is_long(&x->m);
	}
	return *work ? 0 : pieces_finish(p, e);
}

void pieces_fini(struct pieces *p)
{
	for (int i = 0; i < p->n; i++)
		matrix_fini(&p->piece[i].m);
}

double pieces_cost(const struct pieces *p)
{
	double bytes = 0;

	for (int i = 0; i < p->n; i++)
		bytes += 2.0 * (double)matrix_size(&p->piece[i].m);
	return bytes;
}

/* need.c - see need.h. */
#include "base/size.h"
#include "ops/need.h"

void need_scratch(struct need *n, size_t all, size_t largest)
{
	n->bytes += all;
	n->largest = size_max(n->largest, largest);
}

void need_buffer(struct need *n, size_t bytes)
{
	bytes = size_max(bytes, 1);	/* no buffer is empty */
	need_scratch(n, bytes, bytes);
}

void need_pieces(struct need *n, const struct sheet *d, size_t all,
                 size_t largest, bool gaps)
{
	n->largest = size_max(n->largest, largest);
	if (all == 0)
		need_buffer(n, 0);
	else if (gaps || !d->unified_memory)
		n->bytes += all;
}

void need_matrix(struct need *n, const struct sheet *d,
                 const struct matrix *m)
{
	const size_t size = matrix_size(m);

	if (m->ndim != MATRIX_ABSENT)
		need_pieces(n, d, size, dtype_is_half(m->dtype) ? 2 * size :
		                                                  size, false);
}

/* Operands in the same memory share one buffer. */
static bool is_repeated(const struct args *a, int i)
{
	for (int k = 0; k < i; k++)
		if (a->in[i].memory && a->in[k].memory == a->in[i].memory)
			return true;
	return false;
}

void need_matrices(struct need *n, const struct sheet *d,
                   const struct args *a)
{
	for (int i = 0; i < OP_INPUTS; i++)
		if (!is_repeated(a, i))
			need_matrix(n, d, &a->in[i]);
	for (int i = 0; i < OP_OUTPUTS; i++)
		need_matrix(n, d, &a->out[i]);
}

/* Elements of 16 bits lie in the device's memory twice: as they are, which the
 * operation counts, and widened to float32 (device/halves.c). */
static void need_wide(struct need *n, const struct matrix *m)
{
	if (m->ndim != MATRIX_ABSENT && dtype_is_half(m->dtype))
		need_scratch(n, 2 * matrix_size(m), 0);
}

struct need args_need(const struct args *a, const struct variant *v,
                      const struct sheet *d)
{
	struct need n = { 0 };

	if (v->need)
		v->need(a, v, d, &n);
	for (int i = 0; i < OP_INPUTS; i++)
		need_wide(&n, &a->in[i]);
	for (int i = 0; i < OP_OUTPUTS; i++)
		need_wide(&n, &a->out[i]);
	return n;
}

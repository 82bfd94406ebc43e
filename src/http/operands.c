/* operands.c - see operands.h. */
#include "base/size.h"
#include "http/operands.h"

enum { CONVERT_AT_ONCE = 128 << 10 };	/* elements: below 1 ms */

int operands_convert(struct args *a, struct memory_pool *p, struct err *e)
{
	for (int i = 0; i < OP_INPUTS; i++)
		if (a->in[i].ndim != MATRIX_ABSENT &&
		    matrix_convert(&a->in[i], args_operand_dtype(a, i), p, e))
			return -1;
	return 0;
}

/* Elements of the dense matrix of that shape, or as many as there can be. */
static size_t dense_elements(const struct matrix *m)
{
	size_t n = 1;

	for (int i = 0; i < m->ndim; i++)
		if (!size_mul(n, m->dim[i], &n))
			return SIZE_MAX;
	return n;
}

bool operands_convert_long(const struct args *a, int dtype)
{
	size_t elements = 0;
	bool mixed = false;

	for (int i = 0; i < OP_INPUTS; i++) {
		const struct matrix *m = &a->in[i];

		if (m->ndim == MATRIX_ABSENT)
			continue;
		if (m->layout != a->op->inputs[i].layout &&
		    !(a->op->sparse_too >> i & 1)) {
			mixed = true;
			elements = size_max(elements, dense_elements(m));
		}
		elements = size_max(elements, matrix_elements(m));
		mixed |= dtype >= 0 && (int)m->dtype != dtype;
		dtype = (int)m->dtype;
	}
	return mixed && elements > CONVERT_AT_ONCE;
}

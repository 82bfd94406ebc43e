/* operands.c - see operands.h. */
#include "base/size.h"
#include "http/operands.h"
#include "matrix/touch.h"

enum { EACH = 16 };		/* bytes read and written for an element */

int operands_convert(struct args *a, struct memory_pool *p, struct err *e)
{
	for (int i = 0; i < OP_INPUTS; i++)
		if (a->in[i].ndim != MATRIX_ABSENT &&
		    matrix_convert_operand(&a->in[i], args_operand_dtype(a, i),
		                           a->op->inputs[i].name, p, e))
			return -1;
	return 0;
}

/* Returns the number of elements of a dense matrix of m's shape. */
static double dense_elements(const struct matrix *m)
{
	double n = 1;

	for (int i = 0; i < m->ndim; i++)
		n *= (double)m->dim[i];
	return n;
}

double operands_convert_cost(const struct args *a, int dtype)
{
	double elements = 0;
	bool mixed = false;

	for (int i = 0; i < OP_INPUTS; i++) {
		const struct matrix *m = &a->in[i];

		if (m->ndim == MATRIX_ABSENT)
			continue;
		if (m->layout != a->op->inputs[i].layout &&
		    !(a->op->sparse_too >> i & 1)) {
			mixed = true;
			elements += dense_elements(m);
		}
		elements += (double)matrix_elements(m);
		mixed |= (dtype >= 0 && (int)m->dtype != dtype) ||
		         (dtype_is_integer(m->dtype) &&
		          (!(op_usual_dtypes(a->op) & DTYPE_BIT(m->dtype)) ||
		           a->op->indices >> i & 1));
		mixed |= dtype_is_half(m->dtype) && !a->op->halves;
		mixed |= m->text && a->op->exact;
		dtype = (int)m->dtype;
	}
	return mixed ? EACH * elements : 0;
}

void operands_touch_outputs(const struct args *a)
{
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (a->out[i].ndim != MATRIX_ABSENT && a->out[i].memory &&
		    !a->out[i].memory->given)
			touch_all(a->out[i].memory);
}

/* settle.c - see op.h: brings operands into the form that their operation
 * wants, before the call is checked. */
#include <stdio.h>

#include "base/nearest.h"
#include "matrix/sparse.h"
#include "ops/op.h"

int args_check_rounded(const struct args *a, struct err *e)
{
	char pointer[64];

	for (int i = 0; a->op->inputs[i].name; i++) {
		if (!a->in[i].rounded || a->op->indices >> i & 1)
			continue;
		snprintf(pointer, sizeof pointer, "/%s",
		         a->op->inputs[i].name);
		return err_set_at(e, ERR_FORMAT, pointer, "%s: %s has "
		    "integers that cannot be kept exact: beyond int64, or of "
		    "a sparse matrix beyond 2^53; dtype=float64 rounds them",
		    a->op->name, a->op->inputs[i].name);
	}
	return 0;
}

/* The types of all operands except those of indices, as bits. */
static unsigned operand_dtypes(const struct args *a)
{
	unsigned seen = 0;

	for (int i = 0; a->op->inputs[i].name; i++)
		if (a->in[i].ndim != MATRIX_ABSENT &&
		    !(a->op->indices >> i & 1))
			seen |= DTYPE_BIT(a->in[i].dtype);
	return seen;
}

/* The operands' own type where the operation computes in it: a real type but
 * float64, or int32, if all operands are of that type, float32 of several such
 * reals, int64 if all are integers, else float64. With a complex operand it is
 * complex64 if no other operand is wider than float32, else complex128. */
static enum dtype common_dtype(const struct args *a)
{
	const unsigned seen = operand_dtypes(a);
	const unsigned usual = op_usual_dtypes(a->op);
	const unsigned narrow = DTYPE_HALVES | DTYPE_BIT(FLOAT32);

	if (a->op->halves && seen == DTYPE_BIT(FLOAT16))
		return FLOAT16;
	if (a->op->halves && seen == DTYPE_BIT(BFLOAT16))
		return BFLOAT16;
	if (seen & DTYPE_COMPLEXES)
		return seen & ~(narrow | DTYPE_BIT(COMPLEX64)) ? COMPLEX128 :
		                                                 COMPLEX64;
	if (seen && !(seen & ~narrow))
		return FLOAT32;
	if (seen == DTYPE_BIT(INT32) && usual & seen)
		return INT32;
	return seen && !(seen & ~DTYPE_INTEGERS) &&
	       usual & DTYPE_BIT(INT64) ? INT64 : FLOAT64;
}

/* Returns whether the elements of all operands are in memory. Those of a
 * pipeline's intermediates are not while the front checks a step. */
static bool has_elements(const struct args *a)
{
	for (int i = 0; a->op->inputs[i].name; i++)
		if (a->in[i].ndim != MATRIX_ABSENT && !a->in[i].memory)
			return false;
	return true;
}

/* Refuses operands whose common type is d, which the operation does not take:
 * names the first one that is complex, as d is if it is not taken. */
static int refuse_operands(const struct args *a, enum dtype d, struct err *e)
{
	const struct operand *in = a->op->inputs;
	struct nearest types = nearest_to("");
	char pointer[64];
	int i = 0;

	while (in[i + 1].name && !dtype_is_complex(a->in[i].dtype))
		i++;
	for (int t = 0; t < DTYPE_COUNT; t++)
		if (op_takes_dtype(a->op, (enum dtype)t))
			nearest_add(&types, dtype_name((enum dtype)t));
	snprintf(pointer, sizeof pointer, "/%s", in[i].name);
	err_set_at(e, ERR_PARAMETER, pointer, "%s: %s is %s, but %s takes "
	           "only %s", a->op->name, in[i].name, dtype_name(d),
	           a->op->name, nearest_list(&types));
	nearest_fini(&types);
	return -1;
}

int args_settle_dtype(struct args *a, int wanted, struct err *e)
{
	enum dtype d = wanted < 0 ? common_dtype(a) : (enum dtype)wanted;

	if (wanted < 0 && op_usual_dtypes(a->op) & DTYPE_BIT(INT64) &&
	    args_check_rounded(a, e) < 0)
		return -1;
	if (wanted < 0 && d == FLOAT64 && a->op->exact && has_elements(a))
		d = a->op->exact(a);
	if (wanted < 0 && !op_takes_dtype(a->op, d))
		return refuse_operands(a, d, e);
	a->half = d;
	a->dtype = dtype_is_half(d) ? FLOAT32 : d;
	return op_takes_dtype(a->op, d) ? 0 :
	       op_refuse_dtype(a->op, dtype_name(d), e);
}

enum dtype args_operand_dtype(const struct args *a, int i)
{
	if (a->op->indices >> i & 1)
		return FLOAT64;
	if (dtype_is_half(a->half))
		return a->half;
	return a->op->halves && a->dtype == FLOAT32 &&
	       dtype_is_half(a->in[i].dtype) ? a->in[i].dtype : a->dtype;
}

/* Are the zeros of dense operands kept in CSR? They are beside an operand whose
 * elements are not known yet: these may be infinite or NaN. */
static bool keeps_zeros(const struct args *a)
{
	return a->op->zeros_count &&
	       (!has_elements(a) || a->op->zeros_count(a));
}

static int settle_layout(struct args *a, int i, struct memory_pool *p,
                         struct err *e)
{
	const bool sparse = a->op->sparse_too >> i & 1 &&
	                    a->in[i].layout == DENSE;
	const enum layout wanted = sparse ? CSR : a->op->inputs[i].layout;
	struct matrix *m = &a->in[i];

	if (m->layout == DENSE && wanted == CSR && keeps_zeros(a))
		return sparse_convert_all(m, p, e);
	return sparse_convert(m, wanted, p, e);
}

bool args_keeps_layout(const struct args *a, int i)
{
	if (!(a->op->sparse_too >> i & 1))
		return false;
	if (a->in[i].layout == DENSE)
		return !a->op->becomes_sparse || !a->op->becomes_sparse(a, i);
	return !a->op->stays_sparse || a->op->stays_sparse(a, i);
}

int args_settle_layout(struct args *a, struct memory_pool *p, struct err *e)
{
	for (int i = 0; a->op->inputs[i].name; i++)
		if (a->in[i].ndim == 2 && !args_keeps_layout(a, i) &&
		    settle_layout(a, i, p, e) < 0)
			return -1;
	return 0;
}

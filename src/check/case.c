/* case.c - see case.h. */
#include <string.h>

#include "check/case.h"
#include "device/seq.h"
#include "matrix/sparse.h"
#include "ops/execute.h"

enum { POISON = 0xa5 };

static int set_param(struct args *a, const char *name, const char *value,
                     struct err *e)
{
	const int i = op_param(a->op, name);

	if (i < 0)
		return err_set(e, ERR_PARAMETER, "%s has no parameter %s",
		               a->op->name, name);
	return args_set(a, i, value, e);
}

static int set_params(struct args *a, const struct check_case *c,
                      struct err *e)
{
	for (const char *const *p = c->row->params; *p; p += 2)
		if (set_param(a, p[0], p[1], e) < 0)
			return -1;
	return c->choice ? set_param(a, c->row->vary, c->choice, e) : 0;
}

static int add_operand(struct args *a, int i, const char *letters,
                       const size_t *size, struct memory_pool *pool,
                       struct err *e)
{
	struct matrix *m = &a->in[i];

	*m = (struct matrix){ .dtype = args_operand_dtype(a, i) };
	for (const char *l = letters; *l; l++)
		m->dim[m->ndim++] = size[strchr("mnk", *l) - "mnk"];
	return matrix_alloc(m, pool, e);
}

/* Returns whether an operand is a stack of 0 matrices. Functions for kind.fill
 * and judges must not be called then, because they read the first matrix of
 * each stack. */
static bool is_stack_of_none(const struct args *a)
{
	for (int i = 0; a->op->inputs[i].name; i++)
		if (a->in[i].ndim > 2 && matrix_stack(&a->in[i]) == 0)
			return true;
	return false;
}

static bool has_elements(const struct args *a)
{
	for (int i = 0; a->op->outputs[i].name; i++)
		if (a->out[i].ndim != MATRIX_ABSENT &&
		    matrix_elements(&a->out[i]) > 0)
			return true;
	return false;
}

double check_value(const struct judge *j, const struct args *a)
{
	return is_stack_of_none(a) && !has_elements(a) ? 0 : j->value(a);
}

static int fill(struct args *a, const struct check_case *c,
                struct memory_pool *pool, struct err *e)
{
	const struct check_row *row = c->row;

	for (int i = 0; row->operands[i]; i++)
		if (add_operand(a, i, row->operands[i], c->size, pool, e) < 0)
			return -1;
	if (!is_stack_of_none(a) && c->kind->fill(c->kind, a, e) < 0)
		return -1;
	for (int i = 0; row->operands[i]; i++)
		if (sparse_convert(&a->in[i], i == 0 && row->sparse ? CSR :
		                   a->op->inputs[i].layout, pool, e) < 0)
			return -1;
	return 0;
}

int check_prepare(const struct check_case *c, struct memory_pool *pool,
                  struct args *a, struct err *e)
{
	args_init(a, c->op);
	a->dtype = c->dtype;
	a->variant = c->variant;
	a->quality = c->variant && c->variant->streams ? QUALITY_ESTIMATE :
	                                                 QUALITY_FULL;
	if (c->row->want)
		a->want = c->row->want;
	if (set_params(a, c, e) < 0 || fill(a, c, pool, e) < 0)
		return -1;
	return args_prepare(a, pool, e);
}

/* Fills the outputs with garbage, so that the judges notice elements that the
 * call does not write. */
static void poison(struct args *a)
{
	for (int i = 0; a->op->outputs[i].name; i++)
		if (a->out[i].ndim != MATRIX_ABSENT)
			memset(matrix_data(&a->out[i]), POISON,
			       matrix_size(&a->out[i]));
}

int check_call(struct device *d, struct args *a, struct err *e)
{
	struct seq *s = seq_new(d, a->dtype, TIMING_NONE, e);
	int rc;

	if (!s)
		return -1;
	poison(a);
	rc = op_execute(s, a);
	seq_free(s);
	return rc;
}

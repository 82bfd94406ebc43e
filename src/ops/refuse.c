/* refuse.c - refuses a name that an operation does not have: lists the names
 * there are and suggests the one that was probably meant. */
#include <stdio.h>

#include "base/nearest.h"
#include "ops/op.h"

int op_refuse_dtype(const struct op *o, const char *name, struct err *e)
{
	struct nearest n = nearest_to(name);

	for (int d = 0; d < DTYPE_COUNT; d++)
		if (op_takes_dtype(o, (enum dtype)d))
			nearest_add(&n, dtype_name((enum dtype)d));
	err_set_at(e, ERR_PARAMETER, "/dtype", "%s: dtype is %.40s, must be "
	           "one of %s%s", o->name, name, nearest_list(&n),
	           nearest_hint(&n));
	nearest_fini(&n);
	return -1;
}

int op_refuse_variant(const struct op *o, const char *name, struct err *e)
{
	struct nearest n = nearest_to(name);

	nearest_add(&n, "auto");
	for (const struct variant *v = o->variants; v->name; v++)
		nearest_add(&n, v->name);
	err_set(e, ERR_PARAMETER, "%s has no variant %.60s%s GET /kernels "
	        "lists them", o->name, name, nearest_hint_and(&n));
	nearest_fini(&n);
	return -1;
}

int op_refuse_output(const struct op *o, const char *name, struct err *e)
{
	struct nearest n = nearest_to(name);

	for (const struct output *out = o->outputs; out->name; out++)
		nearest_add(&n, out->name);
	err_set(e, ERR_PARAMETER, "%s has no output %.60s, it has %s%s",
	        o->name, name, nearest_list(&n), nearest_hint(&n));
	nearest_fini(&n);
	return -1;
}

static int refuse_operand(const struct op *o, const char *name,
                          struct nearest *operands, struct err *e)
{
	const bool one = !o->inputs[1].name;

	return err_set(e, ERR_REQUEST, "%s has no operand %.60s%s Its "
	               "operand%s %s", o->name, name,
	               nearest_hint_and(operands), one ? " is" : "s are",
	               nearest_list(operands));
}

static int refuse_parameter(const struct op *o, const char *name,
                            const char *const *common, struct err *e)
{
	struct nearest n = nearest_to(name);
	char shape[OP_INPUTS][NEAREST_NAME];

	for (const struct param *p = o->params; p->name; p++)
		nearest_try(&n, p->name);
	nearest_try_all(&n, common);
	nearest_try(&n, "shape");
	for (int i = 0; o->inputs[i].name; i++) {
		snprintf(shape[i], sizeof shape[i], "%s.shape",
		         o->inputs[i].name);
		nearest_try(&n, shape[i]);
	}
	err_set(e, ERR_PARAMETER, "%s has no parameter %.60s%s GET /ops lists "
	        "them", o->name, name, nearest_hint_and(&n));
	return -1;
}

int op_refuse_name(const struct op *o, const char *name,
                   const char *const *common, bool matrix, struct err *e)
{
	struct nearest operands = nearest_to(name);

	if (op_input(o, name) >= 0)
		return err_set(e, ERR_REQUEST, "%s: %s is an operand and no "
		               "parameter: the body has the operands", o->name,
		               name);
	for (const struct operand *in = o->inputs; in->name; in++)
		nearest_add(&operands, in->name);
	if (matrix || operands.name)
		refuse_operand(o, name, &operands, e);
	else
		refuse_parameter(o, name, common, e);
	nearest_fini(&operands);
	return -1;
}

int op_refuse(const char *name, struct err *e)
{
	struct nearest n = nearest_to(name);

	for (int i = 0; ops[i]; i++)
		nearest_add(&n, ops[i]->name);
	err_set(e, ERR_PARAMETER, "%.60s is no operation, there are %s%s",
	        name, nearest_list(&n), nearest_hint(&n));
	nearest_fini(&n);
	return -1;
}

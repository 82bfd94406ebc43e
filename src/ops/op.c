/* op.c - see op.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/size.h"
#include "base/text.h"
#include "ops/failure.h"
#include "ops/op.h"
#include "ops/pipeline.h"

const struct op *const ops[] = {
#define OP(id) &op_##id,
#include "ops/ops.def"
#undef OP
	NULL
};

const struct op *op_find(const char *name)
{
	for (const struct op *const *o = ops; *o; o++)
		if (strcmp((*o)->name, name) == 0)
			return *o;
	return NULL;
}

/* The index of the row of that name in a table that ends with a NULL name. */
#define FIND(table, wanted)                                             \
	do {                                                            \
		for (int i = 0; (table)[i].name; i++)                   \
			if (strcmp((table)[i].name, (wanted)) == 0)     \
				return i;                               \
		return -1;                                              \
	} while (0)

int op_input(const struct op *o, const char *name)
{
	FIND(o->inputs, name);
}

int op_param(const struct op *o, const char *name)
{
	FIND(o->params, name);
}

int op_output(const struct op *o, const char *name)
{
	FIND(o->outputs, name);
}

const struct variant *op_variant(const struct op *o, const char *name)
{
	for (const struct variant *v = o->variants; v->name; v++)
		if (strcmp(v->name, name) == 0)
			return v;
	return NULL;
}

bool op_has_batches(const struct op *o)
{
	const struct variant *v = o->variants;

	while (v->name && !v->run_batch)
		v++;
	return v->name != NULL;
}

void args_init(struct args *a, const struct op *o)
{
	*a = (struct args){ .op = o, .dtype = FLOAT64, .stack = 1,
	                    .verdict = verdict_none(),
	                    .failed = { .ndim = MATRIX_ABSENT },
	                    .gang.board = { .ndim = MATRIX_ABSENT } };
	for (int i = 0; i < OP_INPUTS; i++)
		a->in[i].ndim = MATRIX_ABSENT;
	for (int i = 0; i < OP_OUTPUTS; i++)
		a->out[i].ndim = MATRIX_ABSENT;
	for (int i = 0; o->params[i].name; i++)
		a->param[i] = o->params[i].fallback;
	for (int i = 0; o->outputs[i].name; i++)
		a->want |= (unsigned)!o->outputs[i].on_request << i;
}

void args_fini(struct args *a)
{
	for (int i = 0; i < OP_INPUTS; i++)
		matrix_fini(&a->in[i]);
	for (int i = 0; i < OP_OUTPUTS; i++)
		matrix_fini(&a->out[i]);
	matrix_fini(&a->failed);
	matrix_fini(&a->gang.board);
	pipeline_free(a->pipeline);
	a->pipeline = NULL;
}

/* Are both numbers, and the same? A choice may be a number, which JSON's
 * writers print in several ways: 1, 1.0. */
static bool is_same_number(const char *choice, const char *value)
{
	char *end_choice, *end_value;
	const double x = strtod(choice, &end_choice);
	const double y = strtod(value, &end_value);

	return end_choice != choice && !*end_choice && end_value != value &&
	       !*end_value && isfinite(x) && x == y;
}

static int set_choice(const struct param *p, const char *value, double *to)
{
	for (int i = 0; p->choices[i]; i++)
		if (strcmp(p->choices[i], value) == 0 ||
		    is_same_number(p->choices[i], value)) {
			*to = i;
			return 0;
		}
	return -1;
}

static int set_boolean(const char *value, double *to)
{
	bool yes = strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
	bool no = strcmp(value, "false") == 0 || strcmp(value, "0") == 0;

	*to = yes;
	return yes || no ? 0 : -1;
}

static int set_number(const struct param *p, const char *value, double *to)
{
	char *end;
	double x = strtod(value, &end);

	if (end == value || *end || !isfinite(x))
		return -1;
	if (x < p->min || x > p->max || (p->above_min && x == p->min) ||
	    (p->below_max && x == p->max))
		return -1;
	if (p->type == PARAM_INTEGER && x != rint(x))
		return -1;
	*to = x;
	return 0;
}

/* Parses whole numbers separated by commas. */
static int set_list(const struct param *p, const char *value, double *to)
{
	double list[PARAM_LIST_LENGTH];
	char *end;

	for (int i = 0; i < PARAM_LIST_LENGTH; i++) {
		list[i] = strtod(value, &end);
		if (end == value || list[i] != rint(list[i]) ||
		    !(list[i] >= p->min && list[i] <= p->max))
			return -1;
		if (*end != (i + 1 < PARAM_LIST_LENGTH ? ',' : 0))
			return -1;
		value = end + 1;
	}
	memcpy(to, list, sizeof list);
	return 0;
}

/* Writes which values the parameter allows. */
static void describe(const struct param *p, struct text *t)
{
	switch (p->type) {
	case PARAM_CHOICE:
		text_puts(t, "one of");
		for (int i = 0; p->choices[i]; i++)
			text_printf(t, "%s %s", i ? "," : "", p->choices[i]);
		break;
	case PARAM_BOOLEAN:
		text_puts(t, "true or false");
		break;
	case PARAM_LIST:
		text_printf(t, "%d whole numbers from %.17g to %.17g by "
		            "commas", PARAM_LIST_LENGTH, p->min, p->max);
		break;
	default:
		text_printf(t, "%s number", p->type == PARAM_INTEGER ?
		            "a whole" : "a finite");
		if (p->min > -HUGE_VAL)
			text_printf(t, " %s %.17g", p->above_min ? "above" :
			            "from", p->min);
		if (p->max < HUGE_VAL)
			text_printf(t, " %s %.17g", p->below_max ? "below" :
			            "to", p->max);
	}
}

static int refuse(const struct args *a, const struct param *p,
                  const char *value, struct err *e)
{
	struct nearest near = nearest_to(value);
	struct text t = { 0 };
	char pointer[64];

	describe(p, &t);
	if (p->choices)
		nearest_add_all(&near, p->choices);
	snprintf(pointer, sizeof pointer, "/%s", p->name);
	err_set_at(e, ERR_PARAMETER, pointer, "%s: %s is %.60s, must be %s%s",
	           a->op->name, p->name, value, t.data ? t.data : "",
	           nearest_hint(&near));
	text_fini(&t);
	nearest_fini(&near);
	return -1;
}

int args_set(struct args *a, int i, const char *value, struct err *e)
{
	const struct param *p = &a->op->params[i];
	int rc = p->type == PARAM_CHOICE ? set_choice(p, value, &a->param[i]) :
	         p->type == PARAM_BOOLEAN ? set_boolean(value, &a->param[i]) :
	         p->type == PARAM_LIST ? set_list(p, value, &a->param[i]) :
	         set_number(p, value, &a->param[i]);

	return rc < 0 ? refuse(a, p, value, e) : 0;
}

static int check_operand(const struct args *a, int i, struct err *e)
{
	const struct operand *in = &a->op->inputs[i];
	char pointer[64], text[MATRIX_SHAPE_TEXT];

	snprintf(pointer, sizeof pointer, "/%s", in->name);
	if (a->in[i].ndim == MATRIX_ABSENT)
		return in->optional ? 0 : err_set_at(e, ERR_REQUEST, pointer,
		    "%s: operand %s is missing", a->op->name, in->name);
	if (a->in[i].ndim < in->min_dims)
		return err_set_at(e, ERR_SHAPE, pointer, "%s: %s has %d "
		    "dimensions (%s), at least %d are needed", a->op->name,
		    in->name, a->in[i].ndim, matrix_shape_text(&a->in[i], text),
		    in->min_dims);
	if (a->in[i].layout != in->layout && !(a->op->sparse_too >> i & 1))
		return err_set_at(e, ERR_SHAPE, pointer, "%s: %s is %s, must "
		    "be one matrix", a->op->name, in->name,
		    matrix_shape_text(&a->in[i], text));
	return 0;
}

int args_check(struct args *a, struct err *e)
{
	for (int i = 0; a->op->inputs[i].name; i++)
		if (check_operand(a, i, e) < 0)
			return -1;
	if (a->op->check && a->op->check(a, e) < 0)
		return -1;
	a->stack = matrix_stack(&a->in[0]);
	if (a->op->shape(a, e) < 0)
		return -1;
	for (int i = 0; dtype_is_half(a->half) && i < OP_OUTPUTS; i++)
		if (a->out[i].dtype == FLOAT32)
			a->out[i].dtype = a->half;
	return 0;
}

int args_usual_outputs(const struct args *a, unsigned *has, struct err *e)
{
	struct args try = *a, usual;

	args_init(&usual, a->op);
	try.want = usual.want;
	*has = 0;
	if (args_check(&try, e) < 0)
		return -1;
	for (int i = 0; a->op->outputs[i].name; i++)
		*has |= (unsigned)(try.out[i].ndim != MATRIX_ABSENT) << i;
	return 0;
}

int args_first_output(const struct args *a, struct err *e)
{
	unsigned has;

	if (args_usual_outputs(a, &has, e) < 0)
		return -1;
	return has ? __builtin_ctz(has) :
	       err_set(e, ERR_PARAMETER, "%s has no output for these operands "
	               "and parameters", a->op->name);
}

int args_alloc(struct args *a, struct memory_pool *p, struct err *e)
{
	for (int i = 0; a->op->outputs[i].name; i++)
		if (a->out[i].ndim != MATRIX_ABSENT && !a->out[i].memory &&
		    matrix_alloc(&a->out[i], p, e) < 0)
			return -1;
	if (!a->op->describe || a->stack < 2)
		return 0;
	a->failed = failures_shape(a->stack);
	return matrix_alloc(&a->failed, p, e);
}

int args_prepare(struct args *a, struct memory_pool *p, struct err *e)
{
	return args_check(a, e) < 0 ? -1 : args_alloc(a, p, e);
}

bool args_has_halves(const struct args *a)
{
	bool any = false;

	for (int i = 0; i < OP_INPUTS; i++)
		any |= dtype_is_half(a->in[i].dtype);
	for (int i = 0; i < OP_OUTPUTS; i++)
		any |= dtype_is_half(a->out[i].dtype);
	return any;
}

static bool same_shape(const struct matrix *a, const struct matrix *b)
{
	return a->dtype == b->dtype && a->ndim == b->ndim &&
	       a->layout == DENSE && b->layout == DENSE &&
	       (a->ndim <= 0 || memcmp(a->dim, b->dim, (size_t)a->ndim *
	                                               sizeof a->dim[0]) == 0);
}

bool args_alike(const struct args *a, const struct args *b)
{
	bool alike = a->op == b->op && a->variant == b->variant &&
	             a->dtype == b->dtype && a->quality == b->quality &&
	             a->want == b->want &&
	             memcmp(a->param, b->param, sizeof a->param) == 0;

	for (int i = 0; alike && i < OP_INPUTS; i++)
		alike = same_shape(&a->in[i], &b->in[i]);
	for (int i = 0; alike && i < OP_OUTPUTS; i++)
		alike = same_shape(&a->out[i], &b->out[i]);
	return alike;
}

/* The bytes of all matrices of a call, the indices of sparse ones included. */
static double all_bytes(const struct args *a)
{
	double bytes = 0;

	for (int i = 0; i < OP_INPUTS; i++)
		bytes += (double)matrix_size(&a->in[i]) +
		         (double)matrix_index_size(&a->in[i]);
	for (int i = 0; i < OP_OUTPUTS; i++)
		bytes += (double)matrix_size(&a->out[i]) +
		         (double)matrix_index_size(&a->out[i]);
	return bytes;
}

/* The bounds are about 30 us of one core. The matrices' bytes count as well,
 * for op->bytes(), the least that is moved, may be less than what is looked
 * at. */
bool args_is_tiny(const struct args *a)
{
	enum { MOST = 256 << 10 };

	return a->op->flops(a) <= 1e6 && a->op->bytes(a) <= MOST &&
	       all_bytes(a) <= MOST;
}

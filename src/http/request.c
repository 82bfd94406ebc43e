/* request.c - see request.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/size.h"
#include "base/text.h"
#include "format/json_value.h"
#include "format/octets.h"
#include "http/outputs.h"
#include "http/request.h"

static const int64_t timeout_most_ms = 7 * 24 * 3600 * INT64_C(1000);

static int parse_whole(const char *name, const char *value, int64_t least,
                       int64_t most, int64_t *to, struct err *e)
{
	char *end;

	errno = 0;
	*to = strtoll(value, &end, 10);
	if (end != value && !*end && !errno && *to >= least && *to <= most &&
	    *value >= '0' && *value <= '9')
		return 0;
	return err_set(e, ERR_PARAMETER, "%s is %.60s, must be a whole number "
	               "from %lld to %lld", name, value, (long long)least,
	               (long long)most);
}

/* Returns the index of value in choices, or -1 with an error that lists these
 * for `name`. */
static int choose(const char *name, const char *value,
                  const char *const *choices, struct err *e)
{
	struct nearest near = nearest_to(value);
	int i;

	for (i = 0; choices[i]; i++)
		if (strcmp(choices[i], value) == 0)
			return i;
	nearest_add_all(&near, choices);
	err_set(e, ERR_PARAMETER, "%s is %.60s, must be one of %s%s", name,
	        value, nearest_list(&near), nearest_hint(&near));
	nearest_fini(&near);
	return -1;
}

static int set_device(struct request *r, const char *value, struct err *e)
{
	if (strlen(value) >= sizeof r->selector || !r->anywhere)
		return engine_select(r->engine, value, &r->devices, e);
	strcpy(r->selector, value);
	if (engine_select(r->engine, value, &r->devices, &r->elsewhere))
		err_point(&r->elsewhere, "", "device");
	return 0;
}

/* Any dtype is accepted here, because raw octets may have a type that the
 * operation does not compute in. args_settle_dtype() refuses such a type if the
 * operands do not have it. */
static int set_dtype(struct request *r, const char *value, struct err *e)
{
	enum dtype d;

	if (dtype_find(value, &d))
		return op_refuse_dtype(r->args->op, value, e);
	r->dtype = (int)d;
	return 0;
}

static int set_variant(struct request *r, const char *value, struct err *e)
{
	const struct op *o = r->args->op;

	if (strcmp(value, "auto") == 0)
		return 0;
	r->args->variant = op_variant(o, value);
	return r->args->variant ? 0 : op_refuse_variant(o, value, e);
}

static int set_timeout(struct request *r, const char *value, struct err *e)
{
	return parse_whole("timeout_ms", value, 1, timeout_most_ms,
	                   &r->timeout_ms, e);
}

static int set_priority(struct request *r, const char *value, struct err *e)
{
	int64_t n;

	if (parse_whole("priority", value, 0, 9, &n, e))
		return -1;
	if (n < r->tenant->limits.urgency)
		return err_set(e, ERR_FORBIDDEN, "priority is %d; the token "
		               "allows %d to 9", (int)n,
		               r->tenant->limits.urgency);
	r->priority = (int)n;
	return 0;
}

static int want_output(struct request *r, const char *name, struct err *e)
{
	const struct op *o = r->args->op;
	const int i = op_output(o, name);

	if (i < 0)
		return op_refuse_output(o, name, e);
	r->args->want |= 1u << i;
	return 0;
}

static int set_return(struct request *r, const char *value, struct err *e)
{
	char *copy = strdup(value), *rest = copy, *one;
	int rc = 0;

	if (!copy)
		return err_set(e, ERR_MEMORY, "no memory for a parameter");
	r->args->want = 0;
	while (!rc && (one = strsep(&rest, ",")))
		rc = want_output(r, one + strspn(one, " "), e);
	free(copy);
	return rc;
}

static int set_timing(struct request *r, const char *value, struct err *e)
{
	static const char *const levels[] = {
		[TIMING_FULL] = "full", [TIMING_SUMMARY] = "summary",
		[TIMING_NONE] = "none", [TIMING_TRACE] = "trace", NULL
	};
	const int i = choose("timing", value, levels, e);

	r->timing = (enum timing_level)i;
	return i < 0 ? -1 : 0;
}

static int set_quality(struct request *r, const char *value, struct err *e)
{
	static const char *const levels[] = {
		[QUALITY_ESTIMATE] = "estimate", [QUALITY_FULL] = "full",
		[QUALITY_NONE] = "none", NULL
	};
	const int i = choose("quality", value, levels, e);

	r->args->quality = (enum quality)i;
	return i < 0 ? -1 : 0;
}

static int set_store(struct request *r, const char *value, struct err *e)
{
	if (!r->keeping)
		return err_set(e, ERR_PARAMETER, "store is not possible here");
	*r->keeping = keep_new(r->store, r->tenant, r->codec, e);
	return *r->keeping ? keep_parse(*r->keeping, r->args->op, value, e) :
	       -1;
}

static int set_ttl(struct request *r, const char *value, struct err *e)
{
	return outputs_ttl(value, &r->ttl_ns, e);
}

static int set_into(struct request *r, const char *value, struct err *e)
{
	if (!r->takes_into)
		return err_set(e, ERR_PARAMETER, "into is not possible here");
	r->into = memory_ref(shares_find(r->shares, r->tenant, value, e));
	snprintf(r->into_id, sizeof r->into_id, "%s", value);
	return r->into ? 0 : -1;
}

/* The parameters that every operation takes. */
static const struct {
	const char *name;
	unsigned kinds;			/* of its values in JSON */
	int (*set)(struct request *r, const char *value, struct err *e);
} common[] = {
	{ "device", VALUE_STRING | VALUE_NUMBER, set_device },
	{ "dtype", VALUE_STRING, set_dtype },
	{ "variant", VALUE_STRING, set_variant },
	{ "timeout_ms", VALUE_NUMBER, set_timeout },
	{ "priority", VALUE_NUMBER, set_priority },
	{ "return", VALUE_STRING | VALUE_STRINGS, set_return },
	{ "timing", VALUE_STRING, set_timing },
	{ "quality", VALUE_STRING, set_quality },
	{ "store", VALUE_STRING | VALUE_STRINGS, set_store },
	{ "ttl", VALUE_NUMBER, set_ttl },
	{ "into", VALUE_STRING, set_into },
};

static int refuse_name(const struct request *r, const char *name,
                       bool matrix, struct err *e)
{
	const char *names[COUNT(common) + 1] = { NULL };

	for (size_t i = 0; i < COUNT(common); i++)
		names[i] = common[i].name;
	return op_refuse_name(r->args->op, name, names, matrix, e);
}

int request_common(const char *name)
{
	for (size_t i = 0; i < COUNT(common); i++)
		if (strcmp(common[i].name, name) == 0)
			return (int)i;
	return -1;
}

void request_note(struct request *r, const char *name)
{
	r->given_common |= 1u << request_common(name);
}

bool request_returns(const struct request *r)
{
	return r->given_common >> request_common("return") & 1;
}

/* Returns the index of the operand that "shape" or "a.shape" is for; -1:
 * none. */
static int shape_of(const struct op *o, const char *name)
{
	const char *dot = strchr(name, '.');
	char operand[32];

	if (strcmp(name, "shape") == 0)
		return 0;
	if (!dot || strcmp(dot, ".shape") != 0 ||
	    (size_t)(dot - name) >= sizeof operand)
		return -1;
	snprintf(operand, sizeof operand, "%.*s", (int)(dot - name), name);
	return op_input(o, operand);
}

/* A choice may be a number, as an ord of 1. */
unsigned request_kinds_of(const struct op *o, int i)
{
	static const unsigned kinds[] = {
		[PARAM_REAL] = VALUE_NUMBER, [PARAM_INTEGER] = VALUE_NUMBER,
		[PARAM_BOOLEAN] = VALUE_BOOLEAN,
		[PARAM_CHOICE] = VALUE_STRING | VALUE_NUMBER,
		[PARAM_LIST] = VALUE_STRING | VALUE_NUMBERS,
	};

	return kinds[o->params[i].type];
}

unsigned request_kinds(void *arg, const char *name)
{
	const struct op *const o = ((const struct request *)arg)->args->op;
	const int own = op_param(o, name), all = request_common(name);

	return own >= 0 ? request_kinds_of(o, own) :
	       all >= 0 ? common[all].kinds :
	       shape_of(o, name) >= 0 ? VALUE_STRING | VALUE_NUMBERS :
	       VALUE_PLAIN;
}

static int given_twice(const char *name, struct err *e)
{
	return err_set(e, ERR_PARAMETER, "%.60s is given twice", name);
}

/* Sets bit i; -1 if it was set before. */
static int mark(unsigned *bits, int i, const char *name, struct err *e)
{
	if (*bits >> i & 1)
		return given_twice(name, e);
	*bits |= 1u << i;
	return 0;
}

void request_note_shape(struct request *r, const char *name)
{
	if (!*r->shape_name)
		snprintf(r->shape_name, sizeof r->shape_name, "%s", name);
}

static int set_shape(struct request *r, int i, const char *name,
                     const char *value, struct err *e)
{
	if (r->shape[i].ndim != MATRIX_ABSENT)
		return given_twice(name, e);
	r->shaped = true;
	request_note_shape(r, name);
	return octet_shape(name, value, &r->shape[i], e);
}

/* Sets the pointer of an error that has none to the parameter. */
static int point_at(const char *name, struct err *e)
{
	if (!e->pointer[0])
		err_point(e, "", name);
	return -1;
}

int request_parameter(void *arg, const char *name, const char *value,
                      struct err *e)
{
	struct request *r = arg;
	const struct op *o = r->args->op;
	int i = op_param(o, name), rc;

	if (i >= 0) {
		rc = mark(&r->given, i, name, e) ? -1 :
		     args_set(r->args, i, value, e);
	} else if ((i = request_common(name)) >= 0) {
		rc = mark(&r->given_common, i, name, e) ? -1 :
		     common[i].set(r, value, e);
	} else if ((i = shape_of(o, name)) >= 0) {
		rc = set_shape(r, i, name, value, e);
	} else {
		rc = refuse_name(r, name, false, e);
	}
	return rc ? point_at(name, e) : 0;
}

void request_query_ends(struct request *r)
{
	r->in_query = r->given;
	r->in_query_common = r->given_common;
	r->in_body = true;
	r->shape_in_query = *r->shape_name;
}

/* Returns the first operand that was not given; -1: all were. */
static int next_operand(const struct request *r)
{
	for (int i = 0; r->args->op->inputs[i].name; i++)
		if (!(r->operands >> i & 1))
			return i;
	return -1;
}

struct matrix *request_operand(void *arg, const char *name, struct err *e)
{
	struct request *r = arg;
	const struct op *o = r->args->op;
	const int i = name ? op_input(o, name) : next_operand(r);

	if (i < 0) {
		if (name && refuse_name(r, name, true, e))
			point_at(name, e);
		err_set(e, ERR_REQUEST, "%s has no operand left for this one",
		        o->name);
		return NULL;
	}
	if (r->operands >> i & 1) {
		err_set(e, ERR_REQUEST, "operand %.60s is given twice",
		        o->inputs[i].name);
		point_at(o->inputs[i].name, e);
		return NULL;
	}
	r->operands |= 1u << i;
	r->args->in[i].layout = o->sparse_too >> i & 1 ? CSR :
	                        o->inputs[i].layout;
	return &r->args->in[i];
}

int request_check_name(void *arg, const char *name, bool matrix,
                       struct err *e)
{
	const struct request *r = arg;
	const struct op *o = r->args->op;

	if (op_input(o, name) >= 0 || op_param(o, name) >= 0 ||
	    request_common(name) >= 0 || shape_of(o, name) >= 0)
		return 0;
	return refuse_name(r, name, matrix, e);
}

int request_init(struct request *r, struct engine *g, struct args *args,
                 struct err *e)
{
	*r = (struct request){ .engine = g, .args = args, .dtype = -1,
	                       .priority = 5, .ttl_ns = -1,
	                       .selector = "auto" };
	for (int i = 0; i < OP_INPUTS; i++)
		r->shape[i].ndim = MATRIX_ABSENT;
	return engine_select(g, "auto", &r->devices, e);
}

void request_fini(struct request *r)
{
	memory_unref(r->into);
	r->into = NULL;
}

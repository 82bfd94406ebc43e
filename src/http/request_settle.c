/* request_settle.c - see request.h: from a request's operands to a call. */
#include <string.h>

#include "base/size.h"
#include "http/operands.h"
#include "http/outputs.h"
#include "http/request.h"
#include "http/upload.h"
#include "ops/variant.h"
#include "queue/keep.h"

static int refuse_into(const struct args *a, int output, const char *why,
                       struct err *e)
{
	return err_set_at(e, ERR_PARAMETER, "/into", "%s: output %s %s",
	                  a->op->name, a->op->outputs[output].name, why);
}

int request_check_into(const struct request *r, bool tells, struct err *e)
{
	return !r->into || tells ? 0 :
	       err_set_at(e, ERR_PARAMETER, "/into", "into needs an answer in "
	                  "JSON, and no respond-async");
}

/* Is the memory, or what it is a part of, an operand? */
static bool is_operand(const struct args *a, const struct memory *into)
{
	bool is = false;

	for (int i = 0; i < OP_INPUTS; i++) {
		const struct memory *m = a->in[i].memory;

		is |= m && (m == into || m->whole == into);
	}
	return is;
}

/* Places the outputs in the share, one after the other. A first one is the
 * share itself, whose mapping a worker keeps. */
static int place_outputs(struct args *a, struct memory *into, struct err *e)
{
	size_t at = 0;

	for (int i = 0; a->op->outputs[i].name; i++) {
		struct matrix *m = &a->out[i];
		const size_t bytes = m->ndim == MATRIX_ABSENT ? 0 :
		                     matrix_size(m);

		if (m->ndim == MATRIX_ABSENT)
			continue;
		if (!(a->op->changing_out >> i & 1) || m->layout != DENSE)
			return refuse_into(a, i, "cannot be in a share", e);
		if (at > into->bytes || bytes > into->bytes - at)
			return err_set_at(e, ERR_PARAMETER, "/into", "the "
			    "share has %zu bytes, the outputs take %zu or "
			    "more", into->bytes, at + bytes);
		m->memory = at ? memory_part(into, at, bytes, e) :
		                 memory_ref(into);
		if (!m->memory)
			return -1;
		at += size_round_up(bytes, MEMORY_ALIGN);
	}
	return 0;
}

int request_place(struct request *r, struct args *a, struct err *e)
{
	return r->into ? place_outputs(a, r->into, e) : 0;
}

static int settle_into(struct request *r, const struct keeping *k,
                       struct err *e)
{
	struct args *a = r->args;

	if (!r->into)
		return 0;
	if (k)
		return err_set_at(e, ERR_PARAMETER, "/into", "into and store "
		                  "do not go together");
	if (is_operand(a, r->into))
		return err_set_at(e, ERR_PARAMETER, "/into", "the share for "
		                  "the outputs holds an operand");
	return request_place(r, a, e);
}

void request_set_tenant(struct request *r, const struct tenant *t)
{
	r->tenant = t;
	if (r->priority < t->limits.urgency)
		r->priority = t->limits.urgency;
}

int request_settle_store(struct request *r, const struct exchange *x,
                         struct err *e)
{
	struct keeping *k = r->keeping ? *r->keeping : NULL;

	if (r->ttl_ns >= 0 && !k)
		return err_set_at(e, ERR_PARAMETER, "/ttl", "ttl is for what "
		                  "store names, which is not given");
	if (r->ttl_ns >= 0)
		k->ttl_ns = r->ttl_ns;
	return outputs_admit(x, k, e);
}

/* Does the call make every output that `return` names? Who names all outputs of
 * the operation wants those that there are. */
static int check_returned(const struct args *a, unsigned named, struct err *e)
{
	unsigned all = 0;

	for (int i = 0; a->op->outputs[i].name; i++)
		all |= 1u << i;
	for (int i = 0; named != all && i < OP_OUTPUTS; i++)
		if (named >> i & 1 && a->out[i].ndim == MATRIX_ABSENT)
			return err_set_at(e, ERR_PARAMETER, "/return", "%s: "
			    "this call has no output %s to return",
			    a->op->name, a->op->outputs[i].name);
	return 0;
}

/* Checks the call. An output that it does not have may have been named by
 * `store` alone: then the outputs `named` by `return` are not at fault. */
static int check_call(struct args *a, const struct keeping *k, unsigned named,
                      struct err *e)
{
	struct args returned = *a;

	if (args_check(a, e) == 0)
		return 0;
	returned.want = named;
	if (k && strcmp(e->pointer, "/return") == 0 &&
	    (!named || args_check(&returned, &(struct err){ 0 }) == 0))
		strcpy(e->pointer, "/store");
	return -1;
}

int request_settle(struct request *r, struct memory_pool *p, struct err *e)
{
	struct keeping *const k = r->keeping ? *r->keeping : NULL;
	struct args *a = r->args;
	const unsigned named = request_returns(r) ? a->want : 0;

	return args_settle_dtype(a, request_dtype(r), e) < 0 ||
	       operands_convert(a, p, e) < 0 ||
	       args_settle_layout(a, p, e) < 0 ||
	       keep_settle(k, a, request_returns(r), e) < 0 ||
	       check_call(a, k, named, e) < 0 ||
	       check_returned(a, named, e) < 0 ||
	       keep_check(k, a, e) < 0 ||
	       settle_into(r, k, e) < 0 || args_alloc(a, p, e) < 0 ? -1 : 0;
}

/* Removes the devices that cannot run the variant that the request names. */
static int check_variant(struct request *r, struct err *e)
{
	const struct variant *v = r->args->variant;
	const char *reason = "", *why;

	if (!v)
		return 0;
	if (!(v->dtypes & DTYPE_BIT(r->args->dtype)))
		return err_set_at(e, ERR_PARAMETER, "/variant", "%s: variant "
		                  "%s does not compute in %s",
		                  r->args->op->name, v->name,
		                  dtype_name(r->args->dtype));
	for (int i = 0; i < engine_devices(r->engine); i++)
		if (r->devices >> i & 1 &&
		    (why = variant_lacks(v, engine_sheet(r->engine, i)))) {
			r->devices &= ~(UINT64_C(1) << i);
			reason = why;
		}
	if (r->devices)
		return 0;
	err_set_at(r->anywhere ? &r->elsewhere : e, ERR_PARAMETER, "/variant",
	           "%s: variant %s cannot run here: %s", r->args->op->name,
	           v->name, reason);
	return r->anywhere ? 0 : -1;
}

int request_end(struct request *r, struct err *e)
{
	if (r->shaped && !r->shape_used)
		return upload_wants_no_shape(r->shape_name, r->shape_in_query,
		                             e);
	return check_variant(r, e);
}

/* request_operands.c - see request.h: what the readers of a body ask about the
 * operands of a request. */
#include "base/size.h"
#include "http/request.h"
#include "http/upload.h"

bool request_is_operand(void *arg, const char *name)
{
	const struct request *r = arg;

	return op_input(r->args->op, name) >= 0;
}

int request_layout(void *arg, int i, const char **name, struct matrix *shape,
                   struct err *e)
{
	struct request *r = arg;
	const struct operand *in = r->args->op->inputs;

	r->shape_used = true;
	for (int k = 0; in[k].name; k++) {
		if (r->shape[k].ndim == MATRIX_ABSENT || i-- > 0)
			continue;
		if (r->dtype < 0)
			return upload_wants_dtype(e);
		*name = in[k].name;
		*shape = r->shape[k];
		shape->dtype = (enum dtype)r->dtype;
		return 1;
	}
	return 0;
}

int request_dtype(const struct request *r)
{
	const bool computes = r->dtype >= 0 &&
	                      op_takes_dtype(r->args->op,
	                                     (enum dtype)r->dtype);

	return r->shape_used && !computes ? -1 : r->dtype;
}

int request_named_dtype(void *arg)
{
	return ((const struct request *)arg)->dtype;
}

int request_fetched(void *arg, const char *name, struct matrix *m,
                    struct err *e)
{
	const struct request *r = arg;
	const struct stored *s = store_find(r->store, r->tenant->name, name,
	                                    e);

	if (!s)
		return -1;
	*m = matrix_ref(&s->matrix);
	return 0;
}

int request_reference(void *arg, const char *name, struct matrix *m,
                      struct err *e)
{
	const struct request *r = arg;
	const int noted = r->unlooked ? (store_check_name(name, e) ? -1 : 1) :
	                  wanted_note(r->wanted, name, e);

	return noted ? noted : request_fetched(arg, name, m, e);
}

int request_share(void *arg, const char *id, const struct matrix *m,
                  struct memory **from, struct err *e)
{
	const struct request *r = arg;

	*from = memory_ref(shares_find(r->shares, r->tenant, id, e));
	if (!*from)
		return -1;
	return !(r->args->op->changing_in >> (m - r->args->in) & 1);
}

/* Has the request asked for several devices? None of them takes a whole
 * operand, so an early upload to one would be in vain. */
static bool is_for_several(const struct args *a)
{
	const int i = op_param(a->op, "devices");

	return i >= 0 && args_real(a, i, 1) > 1;
}

/* Reports an arrival after every step that is worth a message; never for an
 * operand of less than two steps. */
void request_arrived(void *arg, struct memory *m, size_t bytes)
{
	enum { STEP = 1 << 20, STEPS = 32 };
	const size_t step = size_max(STEP, m->bytes / STEPS);
	struct request *r = arg;

	if (r->arriving != m) {
		r->arriving = m;
		r->reported = 0;
	}
	if (bytes - r->reported < step || m->bytes < 2 * STEP ||
	    is_for_several(r->args))
		return;
	r->reported = bytes;
	engine_expect(r->engine, r->devices, m, bytes);
}

static int check_output(void *arg, const char *name, struct err *e)
{
	const struct op *o = ((const struct request *)arg)->args->op;

	return op_output(o, name) < 0 ? op_refuse_output(o, name, e) : 0;
}

struct sink request_sink(struct request *r, struct memory_pool *p)
{
	return (struct sink){
		.operand = request_operand, .parameter = request_parameter,
		.is_operand = request_is_operand, .kinds = request_kinds,
		.check_name = request_check_name,
		.check_output = check_output, .layout = request_layout,
		.reference = request_reference, .fetched = request_fetched,
		.share = request_share,
		.dtype = request_named_dtype,
		.arrived = request_arrived, .pool = p, .arg = r,
	};
}

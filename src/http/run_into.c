/* run_into.c - see run.h: a spilled request whose results shall lie in a share.
 * Another host has computed them; they are copied to the share on a pool
 * thread. */
#include <string.h>

#include "base/size.h"
#include "base/slice.h"
#include "http/run.h"

enum { SLICE_BYTES = 256 << 10 };

static int copy_one(const struct matrix *from, struct matrix *to, struct err *e)
{
	const size_t bytes = from->memory ? matrix_size(from) : 0;
	size_t n;

	for (size_t at = 0; at < bytes; at += n) {
		n = size_min(bytes - at, SLICE_BYTES);
		memcpy((char *)to->memory->data + at,
		       (const char *)from->memory->data + at, n);
		if (slice_next(e))
			return -1;
	}
	return 0;
}

static void copy(void *arg)
{
	struct run *const r = arg;

	for (int i = 0; i < OP_OUTPUTS && !r->err.code; i++)
		copy_one(&r->fetched[i], &r->repeated->args.out[i], &r->err);
}

static void copied(void *arg)
{
	struct run *const r = arg;

	r->preparing = false;
	for (int i = 0; i < OP_OUTPUTS; i++)
		matrix_fini(&r->fetched[i]);
	if (r->x && r->err.code)
		exchange_reply_problem(r->x, &r->err, NULL);
	else if (r->x)
		run_send_reply(r, r->repeated);
	if (r->ended)
		run_free(r);
}

void run_place(struct run *r)
{
	struct args *const a = &r->repeated->args;
	double bytes = 0;

	r->err = (struct err){ 0 };
	for (int i = 0; i < OP_OUTPUTS; i++) {
		r->fetched[i] = a->out[i];
		a->out[i].memory = NULL;
		if (r->fetched[i].memory)
			bytes += (double)matrix_size(&r->fetched[i]);
	}
	strcpy(r->repeated->into, r->request.into_id);
	r->preparing = true;
	if (request_place(&r->request, a, &r->err))
		copied(r);
	else
		pool_submit(r->api->options.codec, &r->task,
		            pool_cost_ns(bytes), copy, copied, r);
}

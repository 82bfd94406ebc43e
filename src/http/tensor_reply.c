/* tensor_reply.c - see tensor_reply.h.
 *
 * A reply is a JSON object, followed by the bytes of the binary outputs. The
 * client chooses for each output whether its elements are printed in the JSON
 * or sent as bytes, which are taken from the result's own memory. The JSON is
 * printed before the first byte is sent, because a header has its length.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "format/writer.h"
#include "http/json_text.h"
#include "http/tensor_reply.h"

enum {
	PRINT_AT_ONCE = 8192,		/* elements printed in the loop's
					 * thread: well below 1 ms */
	PRINT_ROOM = 4096,
};

static const char head_length[] = "Inference-Header-Content-Length";

const struct op *tensor_op(const struct exchange *x, struct tensor_request **r,
                           struct err *e)
{
	const struct op *o = op_find(exchange_segment(x, 0));

	if (!o) {
		op_refuse(exchange_segment(x, 0), e);
		e->code = ERR_NOT_FOUND;
		return NULL;
	}
	*r = calloc(1, sizeof **r);
	if (*r)
		return o;
	err_set(e, ERR_MEMORY, "no memory for the request");
	return NULL;
}

struct reader *tensor_upload(const struct exchange *x, const struct sink *k,
                             struct tensor_request *r, struct err *e)
{
	const char *const given = exchange_header(x, head_length);
	char *end = NULL;
	uint64_t length = UINT64_MAX;

	errno = 0;
	if (given)
		length = strtoull(given, &end, 10);
	if (!given || (*given >= '0' && *given <= '9' && !*end && !errno))
		return tensors_open(k, length, r, e);
	err_set(e, ERR_REQUEST, "%s is %.40s, must be a number of bytes",
	        head_length, given);
	return NULL;
}

/* The body of a reply. */
struct tensors_out {
	struct job *job;		/* a counted reference */
	struct tensor_request request;	/* a copy: the run may end before the
					 * body is made */
	struct text head;
	const struct matrix *part[OP_OUTPUTS + 1];	/* the outputs that are
					 * sent as bytes */
	int n, now;
	size_t sent;			/* bytes sent of the head or, if
					 * in_parts, of part[now] */
	bool in_parts;
};

static void free_out(void *arg)
{
	struct tensors_out *o = arg;

	text_fini(&o->head);
	job_unref(o->job);
	free(o);
}

static bool is_binary(const struct tensor_request *r, const char *name)
{
	for (int i = 0; i < r->n; i++)
		if (strcmp(r->output[i].name, name) == 0)
			return r->output[i].binary;
	return r->binary;
}

/* Appends the elements of a matrix as JSON. */
static void put_data(struct text *t, const struct matrix *m)
{
	const bool scalar = m->ndim == 0;
	struct json_writer w;
	size_t n = 1;

	json_text_put_name(t, "data");
	if (scalar)
		text_puts(t, "[");
	json_writer_init(&w, m);
	while (n) {
		char *room = text_reserve(t, PRINT_ROOM);

		n = room ? json_writer_more(&w, room, PRINT_ROOM) : 0;
		text_grew(t, n);
	}
	t->failed |= w.broken;
	if (scalar)
		text_puts(t, "]");
}

static int put_output(struct tensors_out *o, const char *name,
                      const struct matrix *m, struct err *e)
{
	const char *datatype = tensor_datatype(m->dtype);
	struct text *t = &o->head;

	if (!datatype || m->layout == CSR)
		return err_set(e, ERR_ACCEPT, "output %s is %s, for which the "
		               "protocol has no datatype; POST /%s answers it",
		               name, m->layout == CSR ? "sparse" :
		               dtype_name(m->dtype), o->job->args.op->name);
	text_puts(t, t->data[t->length - 1] == '[' ? "{" : ",{");
	json_text_put_name(t, "name");
	json_text_put_string(t, name);
	json_text_put_name(t, "datatype");
	json_text_put_string(t, datatype);
	json_text_put_name(t, "shape");
	text_puts(t, "[");
	for (int i = 0; i < m->ndim; i++)
		text_printf(t, "%s%zu", i ? "," : "", m->dim[i]);
	text_puts(t, "]");
	if (is_binary(&o->request, name)) {
		json_text_put_name(t, "parameters");
		text_printf(t, "{\"binary_data_size\":%zu}", matrix_size(m));
		o->part[o->n++] = m;
	} else {
		put_data(t, m);
	}
	text_puts(t, "}");
	return 0;
}

static int make(void *arg, struct err *e)
{
	struct tensors_out *o = arg;
	const struct args *a = &o->job->args;
	struct text *t = &o->head;

	text_puts(t, "{");
	json_text_put_name(t, "model_name");
	json_text_put_string(t, a->op->name);
	text_puts(t, ",\"model_version\":\"1\"");
	json_text_put_name(t, "id");
	json_text_put_string(t, *o->request.id ? o->request.id : o->job->id);
	text_puts(t, ",\"outputs\":[");
	for (int i = 0; i < OP_OUTPUTS && !t->failed; i++)
		if (a->out[i].ndim != MATRIX_ABSENT &&
		    put_output(o, a->op->outputs[i].name, &a->out[i], e))
			return -1;
	if (a->failures && !t->failed && put_output(o, "failed", &a->failed, e))
		return -1;
	text_puts(t, "]}");
	return t->failed ? err_set(e, ERR_MEMORY, "no memory for the reply") :
	                   0;
}

/* The reply's callback: sends the head, then one part after another. */
static ssize_t more(void *arg, char *room, size_t most)
{
	struct tensors_out *o = arg;
	size_t used = 0;

	while (used < most) {
		const struct matrix *m = o->in_parts && o->now < o->n ?
		                         o->part[o->now] : NULL;
		const char *from = m ? matrix_data(m) : o->head.data;
		const size_t size = m ? matrix_size(m) :
		                    o->in_parts ? 0 : o->head.length;
		const size_t n = size_min(size - o->sent, most - used);

		if (o->in_parts && !m)
			break;
		if (n)
			memcpy(room + used, from + o->sent, n);
		used += n;
		o->sent += n;
		if (o->sent < size)
			continue;
		o->sent = 0;
		o->now += o->in_parts;
		o->in_parts = true;
	}
	return (ssize_t)used;
}

static void send_out(struct exchange *x, void *arg)
{
	static const char binary_type[] = "application/octet-stream";
	struct tensors_out *o = arg;
	uint64_t size = o->head.length;
	char length[24];

	if (!o->n) {
		exchange_reply_text(x, 200, "application/json", &o->head);
		free_out(o);
		return;
	}
	snprintf(length, sizeof length, "%zu", o->head.length);
	exchange_reply_header(x, head_length, length);
	if (o->n == 1) {
		exchange_reply_bytes(x, 200, binary_type, &o->head,
		                     matrix_data(o->part[0]),
		                     matrix_size(o->part[0]), free_out, o);
		return;
	}
	for (int i = 0; i < o->n; i++)
		size += matrix_size(o->part[i]);
	exchange_reply_stream(x, 200, binary_type, size, more, free_out, o);
}

static const struct body_kind tensors_kind = { make, send_out, free_out };

/* Returns the number of elements that are printed in the JSON; at most
 * PRINT_AT_ONCE count for each output. */
static size_t printed(const struct tensors_out *o)
{
	const struct args *a = &o->job->args;
	size_t n = 0;

	for (int i = 0; i < OP_OUTPUTS; i++)
		if (a->out[i].ndim != MATRIX_ABSENT &&
		    !is_binary(&o->request, a->op->outputs[i].name))
			n += size_min(json_writer_items(&a->out[i]),
			              PRINT_AT_ONCE);
	return n;
}

static struct job_reply *send_tensors(const struct sending *s, struct err *e)
{
	struct tensors_out *o = calloc(1, sizeof *o);

	if (!o) {
		err_set(e, ERR_MEMORY, "no memory for the reply");
		return NULL;
	}
	o->job = job_ref(s->job);
	o->request = *s->tensors;
	return job_reply_make(s, &tensors_kind, o,
	                      printed(o) < PRINT_AT_ONCE, e);
}

const struct reply_format tensor_format = {
	"application/json", true, send_tensors
};

/* job_reply.c - see job_reply.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "format/writer.h"
#include "http/accept.h"
#include "http/access.h"
#include "http/archive.h"
#include "http/job_reply.h"
#include "http/job_text.h"
#include "http/matrix_reply.h"
#include "http/result_text.h"
#include "queue/keep.h"

enum {
	PRINT_AT_ONCE = 8192,		/* items: well below 1 ms */
	PACK_AT_ONCE = 64 << 10,	/* bytes */
};

/* A reply whose body is made on the codec pool. */
struct job_reply {
	struct exchange *x;		/* NULL: the client has left */
	const struct body_kind *kind;
	void *body;			/* NULL: it was sent */
	struct task task;
	bool making;			/* a pool thread uses this struct: do
					 * not free it */
	struct err err;
};

/* Adds the header Linalgd-Stored, a list of OUTPUT:NAME as in the parameter
 * `store`. */
static void stored_header(struct exchange *x, const struct job *j)
{
	const struct keeping *k = j->keeping;
	struct text t = { 0 };

	if (!k || !k->done)
		return;
	for (int i = 0; i < k->n; i++)
		text_printf(&t, "%s%s:%s", i ? "," : "",
		            j->args.op->outputs[k->kept[i].output].name,
		            k->kept[i].name);
	if (!t.failed)
		exchange_reply_header(x, "Linalgd-Stored", t.data);
	text_fini(&t);
}

void job_reply_headers(struct exchange *x, struct job *j)
{
	struct text t = { 0 };

	access_job(x, j);
	exchange_reply_header(x, "Linalgd-Job", j->id);
	if (job_state_is_end(j->state))
		job_text_server_timing(&t, j);
	if (t.length && !t.failed)
		exchange_reply_header(x, "Server-Timing", t.data);
	text_fini(&t);
	stored_header(x, j);
}

void job_reply_accepted(struct exchange *x, struct engine *g, struct job *j)
{
	struct text t = { 0 };
	char path[JOB_PATH];

	exchange_reply_header(x, "Location", job_text_path(j, path));
	exchange_reply_header(x, "Preference-Applied", "respond-async");
	job_reply_headers(x, j);
	job_text_status(&t, g, j);
	exchange_reply_text(x, 202, "application/json", &t);
}

static void let_job_go(void *arg)
{
	job_unref(arg);
}

/* Returns the first output. A successful job may have none: `return` can name
 * only some that depend on the elements, such as eigen's `tie`. */
static const struct matrix *first_output(const struct job *j, struct err *e)
{
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (j->args.out[i].ndim != MATRIX_ABSENT)
			return &j->args.out[i];
	err_set_at(e, ERR_PARAMETER, "/return", "this call has made none of "
	           "the outputs that return names");
	return NULL;
}

static size_t count_one(const struct matrix *m)
{
	(void)m;
	return 1;
}

/* Returns the sum of `measure` over all outputs, or `most` if that is less. */
static size_t all(const struct job *j, size_t most,
                  size_t (*measure)(const struct matrix *m))
{
	size_t n = 0;

	for (int i = 0; i < OP_OUTPUTS; i++)
		if (j->args.out[i].ndim != MATRIX_ABSENT)
			n += size_min(measure(&j->args.out[i]), most - n);
	return n;
}

/* Sends a small result in one piece, with its length. */
static void send_whole(struct exchange *x, struct result_text *r,
                       const char *type)
{
	struct text t = { 0 };
	ssize_t n = 1;

	while (n > 0) {
		char *room = text_reserve(&t, 16 << 10);

		n = room ? result_text_more(r, room, 16 << 10) : -1;
		if (n > 0)
			text_grew(&t, (size_t)n);
	}
	t.failed |= n < 0;
	result_text_free(r);
	exchange_reply_text(x, 200, type, &t);
}

static struct job_reply *send_json(const struct sending *s, struct err *e)
{
	struct result_text *r = result_text_new(s->engine, s->job, s->codec,
	                                        s->x, e);

	if (!r)
		return NULL;
	if (s->job->into[0] ||
	    all(s->job, PRINT_AT_ONCE, json_writer_items) < PRINT_AT_ONCE) {
		send_whole(s->x, r, "application/json");
		return NULL;
	}
	exchange_reply_stream(s->x, 200, "application/json", UINT64_MAX,
	                      result_text_more, result_text_free, r);
	exchange_reply_holds(s->x, all(s->job, SIZE_MAX, matrix_size));
	return NULL;
}

/* Sends the first output as a body of one matrix. */
static struct job_reply *send_first(const struct sending *s, const char *type,
                                 struct err *e)
{
	const struct matrix *m = first_output(s->job, e);

	if (m)
		matrix_reply(s->x, type, m, let_job_go, job_ref(s->job), e);
	return NULL;
}

static struct job_reply *send_npy(const struct sending *s, struct err *e)
{
	return send_first(s, "application/x-npy", e);
}

static struct job_reply *send_octets(const struct sending *s, struct err *e)
{
	const struct matrix *m = first_output(s->job, e);

	if (m)
		matrix_reply_headers(s->x, m);
	return send_first(s, "application/octet-stream", e);
}

static struct job_reply *send_market(const struct sending *s, struct err *e)
{
	return send_first(s, "application/x-matrix-market", e);
}

static void make(void *arg)
{
	struct job_reply *a = arg;

	a->kind->make(a->body, &a->err);
}

static void made(void *arg)
{
	struct job_reply *a = arg;
	void *body = a->body;

	a->making = false;
	if (!a->x) {
		job_reply_free(a);
	} else if (a->err.code != ERR_NONE) {
		exchange_reply_problem(a->x, &a->err, NULL);
	} else {
		a->body = NULL;
		a->kind->send(a->x, body);
	}
}

struct job_reply *job_reply_make(const struct sending *s,
                                 const struct body_kind *kind, void *body,
                                 bool is_short, struct err *e)
{
	struct job_reply *a = calloc(1, sizeof *a);

	if (!a) {
		kind->free(body);
		err_set(e, ERR_MEMORY, "no memory for the reply");
		return NULL;
	}
	*a = (struct job_reply){ .x = s->x, .kind = kind, .body = body };
	if (is_short) {
		make(a);
		made(a);
		return a;
	}
	/* The estimate is the time to read every byte of the outputs once. */
	a->making = true;
	pool_submit(s->codec, &a->task,
	            pool_cost_ns((double)all(s->job, SIZE_MAX, matrix_size)),
	            make, made, a);
	return a;
}

static int pack(void *arg, struct err *e)
{
	return archive_fill(arg, e);
}

static void send_archive(struct exchange *x, void *arg)
{
	archive_send(x, arg);
}

static void free_archive(void *arg)
{
	archive_free(arg);
}

static const struct body_kind archive_kind = {
	pack, send_archive, free_archive,
};

static struct job_reply *send_npz(const struct sending *s, struct err *e)
{
	struct archive *a = archive_new(s->job);

	if (!a) {
		err_set(e, ERR_MEMORY, "no memory for the reply");
		return NULL;
	}
	/* The checksums of a large archive take longer than 1 ms. */
	if (all(s->job, PACK_AT_ONCE, matrix_size) == PACK_AT_ONCE)
		return job_reply_make(s, &archive_kind, a, false, e);
	if (archive_fill(a, e))
		archive_free(a);
	else
		archive_send_whole(s->x, a);
	return NULL;
}

void job_reply_free(struct job_reply *a)
{
	if (!a)
		return;
	a->x = NULL;
	if (a->making) {
		pool_cancel(&a->task);
		return;
	}
	if (a->body)
		a->kind->free(a->body);
	free(a);
}

/* The formats, in the order in which the service prefers them. */
static const struct reply_format formats_out[] = {
	{ "application/json", true, send_json },
	{ "application/x-npy", false, send_npy },
	{ "application/octet-stream", false, send_octets },
	{ "application/x-npz", true, send_npz },
	{ "application/x-matrix-market", true, send_market },
};

const struct reply_format *job_reply_choose(const struct exchange *x,
                                          struct err *e)
{
	const char *types[COUNT(formats_out) + 1] = { NULL };
	const char *header = exchange_accept(x);
	int i;

	for (size_t k = 0; k < COUNT(formats_out); k++)
		types[k] = formats_out[k].media_type;
	i = accept_choose(header, types);
	if (i >= 0)
		return &formats_out[i];
	err_set(e, ERR_ACCEPT, "Accept is %.80s; there are application/json, "
	        "x-npy, octet-stream, x-npz and x-matrix-market", header);
	return NULL;
}

bool job_reply_is_json(const struct reply_format *f)
{
	return f->send == send_json;
}

/* Returns whether the body would be empty because all outputs were stored. A
 * body of JSON still lists the stored outputs, and one of npz has the list of a
 * stack's failures. */
static bool is_empty(const struct job *j, const struct reply_format *f)
{
	return j->keeping && j->keeping->done && !job_reply_is_json(f) &&
	       !(f->send == send_npz && j->args.failures) &&
	       all(j, 1, count_one) == 0;
}

/* Refuses a format for dense matrices only if an output is sparse. */
static int check_layout(const struct job *j, const struct reply_format *f,
                        struct err *e)
{
	for (int i = 0; i < OP_OUTPUTS && !f->sparse; i++)
		if (j->args.out[i].layout == CSR)
			return err_set(e, ERR_ACCEPT, "%s holds no sparse "
			    "matrix; %s is one", f->media_type,
			    j->args.op->outputs[i].name);
	return 0;
}

struct job_reply *job_reply_send(const struct sending *s,
                                 const struct reply_format *f)
{
	struct job *j = s->job;
	struct job_reply *a = NULL;
	struct text none = { 0 };
	struct err e = j->err;
	char path[JOB_PATH];

	job_reply_headers(s->x, j);
	if (e.code == ERR_NONE && is_empty(j, f))
		exchange_reply_text(s->x, 204, NULL, &none);
	else if (e.code == ERR_NONE && check_layout(j, f, &e) == 0)
		a = f->send(s, &e);
	if (e.code != ERR_NONE)
		exchange_reply_problem(s->x, &e, job_text_path(j, path));
	return a;
}

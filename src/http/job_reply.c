/* job_reply.c - see job_reply.h. */
#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "format/writer.h"
#include "http/accept.h"
#include "http/access.h"
#include "http/archive.h"
#include "http/job_reply.h"
#include "http/job_text.h"
#include "http/matrix_reply.h"
#include "http/result_text.h"

enum {
	PRINT_AT_ONCE = 8192,		/* items: well below 1 ms */
	PACK_AT_ONCE = 64 << 10,	/* bytes */
};

/* An npz that is packed on the codec pool. */
struct job_reply {
	struct exchange *x;		/* NULL: the client has left */
	struct archive *archive;
	struct task task;
	bool packing;			/* the pool uses this: do not free */
	struct err err;
};

struct sending {
	struct exchange *x;
	struct engine *engine;
	struct pool *codec;
	struct job *job;
};

struct reply_format {
	const char *media_type;
	bool sparse;			/* can hold a sparse result */
	struct job_reply *(*send)(const struct sending *s, struct err *e);
};

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
}

static void let_job_go(void *arg)
{
	job_unref(arg);
}

/* Returns the first output. A successful job always has one. */
static const struct matrix *first_output(const struct job *j, struct err *e)
{
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (j->args.out[i].ndim != MATRIX_ABSENT)
			return &j->args.out[i];
	err_set(e, ERR_INTERNAL, "the job has no output");
	return NULL;
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
	if (all(s->job, PRINT_AT_ONCE, json_writer_items) < PRINT_AT_ONCE) {
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

static void pack(void *arg)
{
	struct job_reply *a = arg;

	archive_fill(a->archive, &a->err);
}

static void packed(void *arg)
{
	struct job_reply *a = arg;
	struct archive *archive = a->archive;

	a->packing = false;
	if (!a->x) {
		job_reply_free(a);
	} else if (a->err.code != ERR_NONE) {
		exchange_reply_problem(a->x, &a->err, NULL);
	} else {
		a->archive = NULL;
		archive_send(a->x, archive);
	}
}

/* Estimates the time to read every byte for the checksums. */
static int64_t pack_cost_ns(const struct job *j)
{
	return pool_cost_ns((double)all(j, SIZE_MAX, matrix_size));
}

/* Packs a large npz on the pool, because its checksums take long. */
static struct job_reply *pack_later(const struct sending *s,
                                 struct archive *archive, struct err *e)
{
	struct job_reply *a = calloc(1, sizeof *a);

	if (!a) {
		archive_free(archive);
		err_set(e, ERR_MEMORY, "no memory for the reply");
		return NULL;
	}
	a->x = s->x;
	a->archive = archive;
	a->packing = true;
	pool_submit(s->codec, &a->task, pack_cost_ns(s->job), pack, packed, a);
	return a;
}

static struct job_reply *send_npz(const struct sending *s, struct err *e)
{
	struct archive *a = archive_new(s->job);

	if (!a) {
		err_set(e, ERR_MEMORY, "no memory for the reply");
		return NULL;
	}
	if (all(s->job, PACK_AT_ONCE, matrix_size) == PACK_AT_ONCE)
		return pack_later(s, a, e);
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
	if (a->packing) {
		pool_cancel(&a->task);
		return;
	}
	archive_free(a->archive);
	free(a);
}

/* The formats, in the order in which the service prefers them. */
static const struct reply_format formats_out[] = {
	{ "application/json", true, send_json },
	{ "application/x-npy", false, send_npy },
	{ "application/octet-stream", false, send_octets },
	{ "application/x-npz", false, send_npz },
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

struct job_reply *job_reply_send(struct exchange *x, struct engine *g,
                          struct pool *codec, struct job *j,
                          const struct reply_format *f)
{
	const struct sending s = { x, g, codec, j };
	struct job_reply *a = NULL;
	struct err e = j->err;
	char path[JOB_PATH];

	job_reply_headers(x, j);
	if (e.code == ERR_NONE && check_layout(j, f, &e) == 0)
		a = f->send(&s, &e);
	if (e.code != ERR_NONE)
		exchange_reply_problem(x, &e, job_text_path(j, path));
	return a;
}

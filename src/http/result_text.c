/* result_text.c - see result_text.h. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "http/job_text.h"
#include "http/result_text.h"

enum {
	NUMBER_ROOM = 64,		/* what a json_writer needs at least */
	TAIL_ROOM = 1024,		/* bytes, usually enough */
	FAILURES_AT_ONCE = 64,
};

struct result_text *result_text_new(const struct engine *g, struct job *j,
                                    struct pool *codec, struct exchange *x,
                                    struct err *e)
{
	struct result_text *r = calloc(1, sizeof *r);

	if (!r) {
		err_set(e, ERR_MEMORY, "no memory for the reply");
		return NULL;
	}
	r->job = job_ref(j);
	r->codec = codec;
	r->x = x;
	text_puts(&r->piece, "{\"id\":");
	json_text_put_string(&r->piece, j->id);
	json_text_put_name(&r->piece, "op");
	json_text_put_string(&r->piece, j->args.op->name);
	text_puts(&r->piece, ",\"result\":{");
	text_reserve(&r->tail, TAIL_ROOM);
	job_text_stored(&r->tail, j);
	job_text_quality(&r->tail, j);
	job_text_device(&r->tail, g, j);
	job_text_timing(&r->tail, g, j);
	text_puts(&r->tail, "}\n");
	if (!r->piece.failed && !r->tail.failed)
		return r;
	result_text_free(r);
	err_set(e, ERR_MEMORY, "no memory for the reply");
	return NULL;
}

static void resume(void *arg)
{
	exchange_resume(arg);
}

static void begin_values(struct result_text *r, const struct matrix *m)
{
	if (r->codec && m->layout != CSR && !dtype_is_complex(m->dtype) &&
	    matrix_elements(m) >= PRINT_AHEAD_LEAST)
		r->ahead = print_ahead_new(m, r->codec, resume, r->x);
	if (!r->ahead)
		json_writer_init(&r->values, m);
	r->writing = true;
}

/* Writes values, as a stream's more(); 0: all of the output are written. */
static ssize_t more_values(struct result_text *r, char *room, size_t most)
{
	ssize_t n;

	if (!r->ahead) {
		n = (ssize_t)json_writer_more(&r->values, room, most);
		r->nonfinite |= r->values.nonfinite;
		return r->values.broken ? -1 : n;
	}
	n = print_ahead_more(r->ahead, room, most);
	if (n == 0) {
		r->nonfinite |= print_ahead_nonfinite(r->ahead);
		print_ahead_free(r->ahead);
		r->ahead = NULL;
	}
	return n;
}

static void begin_member(struct result_text *r, const char *name)
{
	text_puts(&r->piece, r->any ? ",\"" : "\"");
	text_puts(&r->piece, name);
	text_puts(&r->piece, "\":");
	r->any = true;
}

static void next_failures(struct result_text *r)
{
	const size_t n = r->job->args.failures;

	if (r->next_failure == 0)
		begin_member(r, "failed");
	for (int i = 0; i < FAILURES_AT_ONCE && r->next_failure < n; i++) {
		text_puts(&r->piece, r->next_failure ? "," : "[");
		job_text_failure(&r->piece, r->job, r->next_failure++);
	}
	if (r->next_failure == n)
		text_puts(&r->piece, "]");
}

/* Puts the next text into the piece, and prepares the writer of the values that
 * follow it. */
static void next_piece(struct result_text *r)
{
	const struct args *a = &r->job->args;

	text_clear(&r->piece);
	r->at = 0;
	while (r->next < OP_OUTPUTS && a->op->outputs[r->next].name &&
	       a->out[r->next].ndim == MATRIX_ABSENT)
		r->next++;
	if (r->next < OP_OUTPUTS && a->op->outputs[r->next].name) {
		begin_member(r, a->op->outputs[r->next].name);
		if (r->job->into[0])
			job_text_shared(&r->piece, r->job,
			                &a->out[r->next++]);
		else
			begin_values(r, &a->out[r->next++]);
		return;
	}
	if (r->next_failure < a->failures) {
		next_failures(r);
		return;
	}
	if (r->nonfinite)
		text_printf(&r->piece, "%s\"nonfinite\":true",
		            r->any ? "," : "");
	text_puts(&r->piece, "}");
	text_add(&r->piece, r->tail.data, r->tail.length);
	r->ended = true;
}

static size_t copy_piece(struct result_text *r, char *room, size_t most)
{
	const size_t n = size_min(most, r->piece.length - r->at);

	memcpy(room, r->piece.data + r->at, n);
	r->at += n;
	return n;
}

ssize_t result_text_more(void *arg, char *room, size_t most)
{
	struct result_text *r = arg;
	size_t used = 0;
	ssize_t n;

	while (used < most && !r->piece.failed) {
		if (r->at < r->piece.length) {
			used += copy_piece(r, room + used, most - used);
		} else if (r->writing) {
			if (most - used < NUMBER_ROOM)
				break;
			n = more_values(r, room + used, most - used);
			if (n < 0)
				return used && n == STREAM_LATER ?
				       (ssize_t)used : n;
			used += (size_t)n;
			r->writing = n > 0;
		} else if (r->ended) {
			break;
		} else {
			next_piece(r);
		}
	}
	return r->piece.failed ? -1 : (ssize_t)used;
}

void result_text_free(void *arg)
{
	struct result_text *r = arg;

	if (!r)
		return;
	print_ahead_free(r->ahead);
	job_unref(r->job);
	text_fini(&r->piece);
	text_fini(&r->tail);
	free(r);
}

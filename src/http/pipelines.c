/* pipelines.c - the handlers of /pipelines/{name}: saved pipelines, which are
 * descriptions (draft.h) that are kept under a name until they are deleted. */
#include <stdlib.h>
#include <strings.h>

#include "format/json_memory.h"
#include "http/draft.h"
#include "http/etag.h"
#include "http/json_text.h"
#include "http/service.h"

enum { BYTES_MOST = 64 << 10 };		/* of a description */

struct asked {
	struct exchange *x;
	struct api *api;
	struct asker by;
	struct text text;		/* that is read or written */
	char *compact;			/* what is written */
	const char *change;		/* the same, or NULL to remove it */
	struct text was;		/* what a change replaces */
};

static int begin(struct exchange *x, void **state, struct err *e)
{
	struct asked *a = calloc(1, sizeof *a);

	if (!a)
		return err_set(e, ERR_MEMORY, "no memory for the request");
	*a = (struct asked){ .x = x, .api = exchange_context(x), .by.arg = a };
	*state = a;
	return exchange_query(x, refuse_argument, NULL, e);
}

static void end(struct exchange *x, void *state)
{
	struct asked *a = state;

	(void)x;
	if (!a)
		return;
	ask_cancel(&a->by);
	text_fini(&a->text);
	text_fini(&a->was);
	free(a->compact);
	free(a);
}

/* Did it succeed? If not, replies with the problem. */
static bool succeeded(struct asked *a, const struct err *e)
{
	if (e->code)
		exchange_reply_problem(a->x, e, NULL);
	return !e->code;
}

/* --- reading */

static int read_from(struct asked *a, const char *name,
                     void (*visit)(void *arg, const char *name,
                                   const char *text),
                     depot_done_fn *then)
{
	struct depot *const d = a->api->options.depot;

	d->calls->read(d, exchange_tenant(a->x), name, visit, then, &a->by);
	return 0;
}

static void take_text(void *arg, const char *name, const char *text)
{
	struct asked *const a = arg;

	(void)name;
	text_puts(&a->text, text);
	text_puts(&a->text, "\n");
}

static int refuse(const char *header, const char *why, struct err *e)
{
	return err_set(e, ERR_PRECONDITION, "%s: the pipeline %s", header, why);
}

/* Checks If-Match against a pipeline's entity tag. */
static int check_match(const struct exchange *x, const char *etag,
                       struct err *e)
{
	const char *const match = exchange_header(x, "If-Match");

	return !match || etag_is_in(match, etag, true, false) ? 0 :
	       refuse("If-Match", "has changed", e);
}

/* Writes the entity tag of a pipeline's text, without the newline that GET
 * adds. */
static const char *tag(const struct text *t, char etag[ETAG_TEXT])
{
	size_t n = t->length;

	while (n && t->data[n - 1] == '\n')
		n--;
	return etag_of_text(t->data, n, etag);
}

static void on_got(void *arg, const struct err *e)
{
	struct asked *const a = arg;
	const char *const none = exchange_header(a->x, "If-None-Match");
	char etag[ETAG_TEXT];
	struct err changed = { 0 };

	if (!succeeded(a, e))
		return;
	tag(&a->text, etag);
	check_match(a->x, etag, &changed);
	if (!succeeded(a, &changed))
		return;
	exchange_reply_header(a->x, "ETag", etag);
	if (none && etag_is_in(none, etag, false, true))
		exchange_reply_unchanged(a->x, "application/json",
		                         a->text.data, a->text.length,
		                         a->text.length);
	else
		exchange_reply_text(a->x, 200, "application/json", &a->text);
}

static int get(struct exchange *x, void *state, struct err *e)
{
	const char *name = exchange_segment(x, 0);

	return store_check_name(name, e) ? -1 :
	       read_from(state, name, take_text, on_got);
}

/* --- changing */

static void on_changed(void *arg, bool new, const struct err *e)
{
	struct asked *const a = arg;
	struct text none = { 0 };

	if (!succeeded(a, e))
		return;
	if (new)
		exchange_reply_header(a->x, "Location", exchange_path(a->x));
	exchange_reply_text(a->x, new ? 201 : 204, NULL, &none);
}

static int save(struct asked *a, enum depot_when when, const char *was)
{
	struct depot *const d = a->api->options.depot;

	d->calls->save(d, exchange_tenant(a->x), exchange_segment(a->x, 0),
	               a->change, when, was, on_changed, &a->by);
	return 0;
}

static void take_was(void *arg, const char *name, const char *text)
{
	(void)name;
	text_puts(&((struct asked *)arg)->was, text);
}

/* Checks the entity tags of the request's preconditions. */
static int check_was(const struct asked *a, struct err *e)
{
	const char *const none = exchange_header(a->x, "If-None-Match");
	char etag[ETAG_TEXT];

	if (a->was.failed)
		return err_set(e, ERR_MEMORY, "no memory for the request");
	tag(&a->was, etag);
	if (check_match(a->x, etag, e))
		return -1;
	return none && etag_is_in(none, etag, true, true) ?
	       refuse("If-None-Match", "is there", e) : 0;
}

/* The pipeline must still be what it was when the tags were compared. */
static void on_was(void *arg, const struct err *e)
{
	struct asked *const a = arg;
	const bool match = exchange_header(a->x, "If-Match");
	struct err why = *e;

	if (why.code == ERR_NOT_FOUND && a->change)
		why = (struct err){ 0 };
	else if (!why.code)
		check_was(a, &why);
	if (!succeeded(a, &why))
		return;
	if (a->was.data)
		save(a, DEPOT_IF_SAME, a->was.data);
	else
		save(a, match ? DEPOT_IF_THERE : DEPOT_IF_NEW, NULL);
}

/* Writes the text under the name in the path; NULL: removes it. The depot
 * checks conditions without entity tags, "*"; others need the text that is
 * there. */
static int change(struct asked *a, const char *text, struct err *e)
{
	const char *const match = exchange_header(a->x, "If-Match");
	const char *const none = exchange_header(a->x, "If-None-Match");
	const bool is_there = etag_is_any(match), is_new = etag_is_any(none);

	a->change = text;
	if (match && is_new)
		return err_set(e, ERR_PRECONDITION, "If-Match and "
		               "If-None-Match: * never hold together");
	if ((match && !is_there) || (none && !is_new))
		return read_from(a, exchange_segment(a->x, 0), take_was,
		                 on_was);
	return save(a, is_new ? DEPOT_IF_NEW : is_there ? DEPOT_IF_THERE :
	               DEPOT_ALWAYS, NULL);
}

static int delete(struct exchange *x, void *state, struct err *e)
{
	return store_check_name(exchange_segment(x, 0), e) ? -1 :
	       change(state, NULL, e);
}

static int put_begin(struct exchange *x, void **state, struct err *e)
{
	static const char json[] = "application/json";
	const char *media = exchange_header(x, "Content-Type");
	const struct api *a = exchange_context(x);

	if (store_check_name(exchange_segment(x, 0), e) ||
	    begin(x, state, e) || !depot_is_well(a->options.depot, e))
		return -1;
	return media && strncasecmp(media, json, sizeof json - 1) == 0 ? 0 :
	       err_set(e, ERR_MEDIA, "Content-Type is %.60s; a description of "
	               "a pipeline is %s", media ? media : "missing", json);
}

static int put_body(struct exchange *x, void *state, const void *bytes,
                    size_t n, struct err *e)
{
	struct text *const t = &((struct asked *)state)->text;

	(void)x;
	if (n > BYTES_MOST - t->length)
		return err_set(e, ERR_TOO_LARGE, "a description of a pipeline "
		               "has at most %d bytes", BYTES_MOST);
	text_add(t, bytes, n);
	return t->failed ? err_set(e, ERR_MEMORY, "no memory for the request")
	                 : 0;
}

/* Checks a description by making its pipeline, without operands and stored
 * matrices, so that only a valid description is saved. */
static int check(struct api *a, const struct tenant *t, const char *text,
                 struct err *e)
{
	struct keeping *keeping = NULL;
	struct args args;
	struct request r;
	struct draft *d;
	struct pipeline *p = NULL;

	args_init(&args, &draft_op);
	if (request_init(&r, a->options.engine, &args, e))
		return -1;
	r.unlooked = true;
	r.tenant = t;
	r.keeping = &keeping;
	d = draft_new(&r, a->options.memory, e);
	if (d && draft_describe(d, text, e) == 0)
		p = draft_steps(d, e);
	if (d)
		d->pipeline = NULL;
	draft_free(d);
	pipeline_free(p);
	free(keeping);
	return p ? 0 : -1;
}

/* Returns a description as compact JSON, which the caller frees; NULL if it is
 * no JSON. */
static char *compact(const struct text *t)
{
	json_t *value = json_loadb(t->length ? t->data : "", t->length, 0,
	                           &(json_error_t){ .line = 0 });
	char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(17));

	json_decref(value);
	return text;
}

static int put_done(struct exchange *x, void *state, struct err *e)
{
	struct asked *const a = state;
	const char *text;

	a->compact = compact(&a->text);
	if (json_memory_failed())
		return err_set(e, ERR_MEMORY, "no memory for the pipeline");
	text = a->compact ? a->compact : a->text.length ? a->text.data : "";
	return check(a->api, exchange_tenant(x), text, e) ? -1 :
	       change(a, text, e);
}

const struct handler pipeline_get_handler = {
	.begin = begin, .done = get, .end = end,
};
const struct handler pipeline_delete_handler = {
	.begin = begin, .done = delete, .end = end,
};
const struct handler pipeline_put_handler = {
	put_begin, put_body, put_done, NULL, end
};

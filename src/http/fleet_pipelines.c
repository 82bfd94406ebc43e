/* fleet_pipelines.c - the handlers of /pipelines/{name} and of GET /pipelines
 * on a host of a fleet, whose database has the saved pipelines. */
#include <stdlib.h>

#include "fleet/matrices.h"
#include "format/json_memory.h"
#include "http/json_text.h"
#include "http/pipelines.h"

struct asked {
	struct exchange *x;
	struct api *api;
	struct asker by;
	json_t *rows;			/* of the list */
	struct text text;		/* that is read or written */
	char *compact;			/* what is written */
	struct wanted wanted;		/* the matrices that it refers to */
};

static int begin(struct exchange *x, void **state, struct err *e)
{
	struct asked *a = calloc(1, sizeof *a);

	if (!a)
		return err_set(e, ERR_MEMORY, "no memory for the request");
	*state = a;
	a->x = x;
	a->by.arg = a;
	a->api = exchange_context(x);
	return exchange_query(x, refuse_argument, NULL, e);
}

static void end(struct exchange *x, void *state)
{
	struct asked *a = state;

	(void)x;
	if (!a)
		return;
	ask_cancel(&a->by);
	wanted_fini(&a->wanted);
	json_decref(a->rows);
	text_fini(&a->text);
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
	pipelines_read(fleet_depot(a->api->options.fleet),
	               exchange_tenant(a->x), name, visit, then, &a->by);
	return 0;
}

static void take_row(void *arg, const char *name, const char *text)
{
	json_array_append_new(((struct asked *)arg)->rows,
	                      pipelines_row(name, text));
}

static void on_listed(void *arg, const struct err *e)
{
	struct asked *const a = arg;
	struct text t = { 0 };

	if (!succeeded(a, e))
		return;
	json_text_print(&t, json_pack("{s:O}", "pipelines", a->rows));
	exchange_reply_text(a->x, 200, "application/json", &t);
}

static int list(struct exchange *x, void *state, struct err *e)
{
	struct asked *a = state;

	(void)x;
	(void)e;
	a->rows = json_array();
	return read_from(a, NULL, take_row, on_listed);
}

static void take_text(void *arg, const char *name, const char *text)
{
	struct asked *const a = arg;

	(void)name;
	text_puts(&a->text, text);
	text_puts(&a->text, "\n");
}

static void on_got(void *arg, const struct err *e)
{
	struct asked *const a = arg;

	if (succeeded(a, e))
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

/* Writes the text under the name in the path; NULL: removes it. */
static int change(struct asked *a, const char *text)
{
	pipelines_save(fleet_depot(a->api->options.fleet),
	               exchange_tenant(a->x), exchange_segment(a->x, 0), text,
	               on_changed, &a->by);
	return 0;
}

static int delete(struct exchange *x, void *state, struct err *e)
{
	return store_check_name(exchange_segment(x, 0), e) ? -1 :
	       change(state, NULL);
}

static int put_begin(struct exchange *x, void **state, struct err *e)
{
	return pipelines_check_put(x, e) ||
	       wanted_check(exchange_context(x), e) ? -1 : begin(x, state, e);
}

static int put_body(struct exchange *x, void *state, const void *bytes,
                    size_t n, struct err *e)
{
	(void)x;
	return pipelines_take(&((struct asked *)state)->text, bytes, n, e);
}

static int put_checked(void *arg, struct err *e)
{
	struct asked *const a = arg;
	const char *text = a->compact ? a->compact :
	                   a->text.length ? a->text.data : "";

	return pipelines_check(a->api, exchange_tenant(a->x), text,
	                       &a->wanted, e) ? -1 : change(a, text);
}

/* Notes the stored matrices to which literal matrices of the steps refer. */
static int note(struct asked *a, struct err *e)
{
	json_t *all = a->compact ? json_loads(a->compact, 0, NULL) : NULL;
	const int rc = draft_note_references(json_object_get(all, "steps"),
	                                     &a->wanted, e);

	json_decref(all);
	return rc;
}

static int put_done(struct exchange *x, void *state, struct err *e)
{
	struct asked *const a = state;

	a->compact = pipelines_compact(&a->text);
	if (json_memory_failed())
		return err_set(e, ERR_MEMORY, "no memory for the pipeline");
	if (wanted_init(&a->wanted, a->api, x, exchange_tenant(x), e) ||
	    note(a, e))
		return -1;
	wanted_look(&a->wanted, WANTED_ELEMENTS, put_checked, a);
	return 0;
}

const struct handler fleet_pipeline_list_handler = {
	.begin = begin, .done = list, .end = end,
};
const struct handler fleet_pipeline_get_handler = {
	.begin = begin, .done = get, .end = end,
};
const struct handler fleet_pipeline_delete_handler = {
	.begin = begin, .done = delete, .end = end,
};
const struct handler fleet_pipeline_put_handler = {
	put_begin, put_body, put_done, NULL, end
};

/* pipeline_list.c - GET /pipelines: for each saved pipeline its name, the
 * number of its steps, and its operands.
 *
 * For these the descriptions are parsed, on a pool thread unless they are short
 * in all: a tenant may have a thousand pipelines of 64 KiB.
 */
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "http/draft.h"
#include "http/json_text.h"
#include "http/service.h"

enum {
	AT_ONCE = 8 << 10,		/* bytes parsed in the loop's thread:
					 * well below 1 ms */
	PARSED = 32,			/* the cost of a byte that is parsed, as
					 * of so many that are copied */
};

struct listing {
	struct exchange *x;		/* NULL: the client has left */
	struct api *api;
	struct asker by;
	struct text saved;		/* NAME NUL DESCRIPTION NUL ... */
	struct text reply;
	struct err err;
	struct task task;
	bool parsing;			/* a pool thread uses this struct: do
					 * not free it */
};

static void listing_free(struct listing *l)
{
	text_fini(&l->saved);
	text_fini(&l->reply);
	free(l);
}

static int begin(struct exchange *x, void **state, struct err *e)
{
	struct listing *l = calloc(1, sizeof *l);

	if (!l)
		return err_set(e, ERR_MEMORY, "no memory for the request");
	*l = (struct listing){ .x = x, .api = exchange_context(x),
	                       .by.arg = l };
	*state = l;
	return exchange_query(x, refuse_argument, NULL, e);
}

static void end(struct exchange *x, void *state)
{
	struct listing *l = state;

	(void)x;
	if (!l)
		return;
	ask_cancel(&l->by);
	l->x = NULL;
	if (l->parsing)
		pool_cancel(&l->task);
	else
		listing_free(l);
}

/* --- parsing, on any thread */

static json_t *row_of(const char *saved, const char *text)
{
	struct draft d = { .root = "" };
	json_t *operands = json_array();
	const char *name;
	json_t *row;

	draft_describe(&d, text, &(struct err){ 0 });
	for (int i = 0; (name = draft_mention(&d, i)); i++)
		json_array_append_new(operands, json_text_string(name));
	row = json_pack("{s:s, s:i, s:o}", "name", saved, "steps",
	                (int)json_array_size(d.steps), "operands", operands);
	json_decref(d.steps);
	json_decref(d.returned);
	json_decref(d.stored);
	return row;
}

static void parse(void *arg)
{
	struct listing *l = arg;
	json_t *rows = json_array();

	for (size_t at = 0; at < l->saved.length && !slice_next(&l->err);) {
		const char *name = l->saved.data + at;
		const char *text = name + strlen(name) + 1;

		json_array_append_new(rows, row_of(name, text));
		at = (size_t)(text - l->saved.data) + strlen(text) + 1;
	}
	json_text_print(&l->reply, json_pack("{s:o}", "pipelines", rows));
}

/* --- the reply */

static void reply(struct listing *l)
{
	if (l->err.code)
		exchange_reply_problem(l->x, &l->err, NULL);
	else
		exchange_reply_text(l->x, 200, "application/json", &l->reply);
}

static void parsed(void *arg)
{
	struct listing *l = arg;

	l->parsing = false;
	engine_vacate(l->api->options.engine);
	if (l->x)
		reply(l);
	else
		listing_free(l);
}

static void take(void *arg, const char *name, const char *text)
{
	struct listing *l = arg;

	text_add(&l->saved, name, strlen(name) + 1);
	text_add(&l->saved, text, strlen(text) + 1);
}

static void on_read(void *arg, const struct err *e)
{
	struct listing *l = arg;

	l->err = *e;
	if (!e->code && l->saved.failed)
		err_set(&l->err, ERR_MEMORY, "no memory for the pipelines");
	if (l->err.code || l->saved.length <= AT_ONCE) {
		if (!l->err.code)
			parse(l);
		reply(l);
	} else if (engine_occupy(l->api->options.engine, &l->err)) {
		reply(l);
	} else {
		l->parsing = true;
		pool_submit(l->api->options.codec, &l->task,
		            pool_cost_ns(PARSED * (double)l->saved.length),
		            parse, parsed, l);
	}
}

static int list(struct exchange *x, void *state, struct err *e)
{
	struct listing *l = state;
	struct depot *const d = l->api->options.depot;

	(void)e;
	d->calls->read(d, exchange_tenant(x), NULL, take, on_read, &l->by);
	return 0;
}

const struct handler pipeline_list_handler = {
	.begin = begin, .done = list, .end = end,
};

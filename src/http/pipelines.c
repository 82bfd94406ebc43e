/* pipelines.c - see pipelines.h; also the handlers of /pipelines/{name} and of
 * GET /pipelines. The saved pipelines are an array sorted by tenant and
 * name. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "format/json_memory.h"
#include "http/json_text.h"
#include "http/pipelines.h"
#include "http/service.h"

enum {
	MOST = 1024,			/* of a tenant */
	BYTES_MOST = 64 << 10
};

struct saved {
	const struct tenant *tenant;
	char name[STORE_NAME];
	char *text;			/* the description, compact JSON */
};

struct pipelines {
	struct saved *at;
	int n, room;
};

struct pipelines *pipelines_new(struct err *e)
{
	struct pipelines *s = calloc(1, sizeof *s);

	if (!s)
		err_set(e, ERR_MEMORY, "no memory for saved pipelines");
	return s;
}

void pipelines_free(struct pipelines *s)
{
	for (int i = 0; s && i < s->n; i++)
		free(s->at[i].text);
	free(s ? s->at : NULL);
	free(s);
}

static int compare(const struct saved *p, const struct tenant *t,
                   const char *name)
{
	const int order = strcmp(p->tenant->name, t->name);

	return order ? order : strcmp(p->name, name);
}

/* Returns the index of the tenant's pipeline of that name; if there is none,
 * *found is false and the index is where to insert it. */
static int place(const struct pipelines *s, const struct tenant *t,
                 const char *name, bool *found)
{
	int i = 0;

	while (i < s->n && compare(&s->at[i], t, name) < 0)
		i++;
	*found = i < s->n && compare(&s->at[i], t, name) == 0;
	return i;
}

static const struct saved *find(const struct pipelines *s,
                                const struct tenant *t, const char *name,
                                struct err *e)
{
	bool found;
	const int i = place(s, t, name, &found);

	if (store_check_name(name, e))
		return NULL;
	if (!found)
		err_set(e, ERR_NOT_FOUND, "there is no pipeline %.60s; GET "
		        "/pipelines lists those there are", name);
	return found ? &s->at[i] : NULL;
}

struct draft *pipelines_draft(const struct pipelines *s, const char *name,
                              struct request *r, struct memory_pool *p,
                              struct err *e)
{
	const struct saved *saved = *name ? find(s, r->tenant, name, e) : NULL;
	struct draft *d = *name && !saved ? NULL : draft_new(r, p, e);

	if (!d || !saved || draft_describe(d, saved->text, e) == 0)
		return d;
	draft_free(d);
	return NULL;
}

/* Makes room for one more of the tenant's pipelines. */
static int make_room(struct pipelines *s, const struct tenant *t,
                     struct err *e)
{
	struct saved *at;
	int own = 0;

	for (int i = 0; i < s->n; i++)
		own += s->at[i].tenant == t;
	if (own >= MOST)
		return err_set(e, ERR_MEMORY, "there are %d saved pipelines, "
		               "as many as may be", own);
	if (s->n < s->room)
		return 0;
	at = reallocarray(s->at, (size_t)(2 * s->room + 8), sizeof *at);
	if (!at)
		return err_set(e, ERR_MEMORY, "no memory for a pipeline");
	s->at = at;
	s->room = 2 * s->room + 8;
	return 0;
}

/* Saves the text, which it takes over, under the tenant's name. Returns 1 if
 * the name is new, 0 if the text replaces another, -1 with ERR_MEMORY. */
static int put_text(struct pipelines *s, const struct tenant *t,
                    const char *name, char *text, struct err *e)
{
	bool found;
	const int i = place(s, t, name, &found);

	if (!found && make_room(s, t, e)) {
		free(text);
		return -1;
	}
	if (found) {
		free(s->at[i].text);
	} else {
		memmove(&s->at[i + 1], &s->at[i],
		        (size_t)(s->n - i) * sizeof s->at[0]);
		s->at[i].tenant = t;
		memcpy(s->at[i].name, name, strlen(name) + 1);
		s->n++;
	}
	s->at[i].text = text;
	return !found;
}

/* --- PUT /pipelines/{name} */

static int put_begin(struct exchange *x, void **state, struct err *e)
{
	static const char json[] = "application/json";
	const char *media = exchange_header(x, "Content-Type");
	struct text *t;

	if (store_check_name(exchange_segment(x, 0), e) ||
	    exchange_query(x, refuse_argument, NULL, e))
		return -1;
	if (!media || strncasecmp(media, json, sizeof json - 1) != 0)
		return err_set(e, ERR_MEDIA, "Content-Type is %.60s; a "
		               "description of a pipeline is %s",
		               media ? media : "missing", json);
	t = calloc(1, sizeof *t);
	*state = t;
	return t ? 0 : err_set(e, ERR_MEMORY, "no memory for the request");
}

static int put_body(struct exchange *x, void *state, const void *bytes,
                    size_t n, struct err *e)
{
	struct text *t = state;

	(void)x;
	if (n > BYTES_MOST - t->length)
		return err_set(e, ERR_TOO_LARGE, "a description of a pipeline "
		               "has at most %d bytes", BYTES_MOST);
	text_add(t, bytes, n);
	return t->failed ? err_set(e, ERR_MEMORY, "no memory for the request")
	                 : 0;
}

/* Checks a description by making its pipeline, without operands, so that only a
 * valid description is saved. */
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
	r.store = a->store;
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

static int put_done(struct exchange *x, void *state, struct err *e)
{
	struct api *a = exchange_context(x);
	struct text *t = state, none = { 0 };
	json_t *value = json_loadb(t->length ? t->data : "", t->length, 0,
	                           &(json_error_t){ .line = 0 });
	char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(17));
	int new;

	json_decref(value);
	if (json_memory_failed()) {
		free(text);
		return err_set(e, ERR_MEMORY, "no memory for the pipeline");
	}
	if (check(a, exchange_tenant(x), text ? text : t->length ? t->data : "",
	          e)) {
		free(text);
		return -1;
	}
	new = put_text(a->pipelines, exchange_tenant(x),
	               exchange_segment(x, 0), text, e);
	if (new < 0)
		return -1;
	if (new)
		exchange_reply_header(x, "Location", exchange_path(x));
	exchange_reply_text(x, new ? 201 : 204, NULL, &none);
	return 0;
}

static void put_end(struct exchange *x, void *state)
{
	struct text *t = state;

	(void)x;
	if (t)
		text_fini(t);
	free(t);
}

/* --- GET and DELETE */

static const struct saved *named(const struct exchange *x, struct err *e)
{
	const struct api *a = exchange_context(x);

	return exchange_query(x, refuse_argument, NULL, e) ? NULL :
	       find(a->pipelines, exchange_tenant(x), exchange_segment(x, 0),
	            e);
}

static int get(struct exchange *x, void *state, struct err *e)
{
	const struct saved *p = named(x, e);
	struct text t = { 0 };

	(void)state;
	if (!p)
		return -1;
	text_puts(&t, p->text);
	text_puts(&t, "\n");
	exchange_reply_text(x, 200, "application/json", &t);
	return 0;
}

static int delete(struct exchange *x, void *state, struct err *e)
{
	struct pipelines *s = ((struct api *)exchange_context(x))->pipelines;
	const struct saved *p = named(x, e);
	struct text none = { 0 };
	int i;

	(void)state;
	if (!p)
		return -1;
	i = (int)(p - s->at);
	free(s->at[i].text);
	s->n--;
	memmove(&s->at[i], &s->at[i + 1],
	        (size_t)(s->n - i) * sizeof s->at[0]);
	exchange_reply_text(x, 204, NULL, &none);
	return 0;
}

static json_t *row_of(const struct saved *p)
{
	struct draft d = { .n = 0 };
	json_t *operands = json_array();
	const char *name;
	json_t *row;

	draft_describe(&d, p->text, &(struct err){ 0 });
	for (int i = 0; (name = draft_mention(&d, i)); i++)
		json_array_append_new(operands, json_text_string(name));
	row = json_pack("{s:s, s:i, s:o}", "name", p->name, "steps",
	                (int)json_array_size(d.steps), "operands", operands);
	json_decref(d.steps);
	json_decref(d.returned);
	json_decref(d.stored);
	return row;
}

static int list(struct exchange *x, void *state, struct err *e)
{
	const struct api *a = exchange_context(x);
	json_t *rows;
	struct text t = { 0 };

	(void)state;
	if (exchange_query(x, refuse_argument, NULL, e))
		return -1;
	rows = json_array();
	for (int i = 0; i < a->pipelines->n; i++)
		if (a->pipelines->at[i].tenant == exchange_tenant(x))
			json_array_append_new(rows,
			                      row_of(&a->pipelines->at[i]));
	json_text_print(&t, json_pack("{s:o}", "pipelines", rows));
	exchange_reply_text(x, 200, "application/json", &t);
	return 0;
}

const struct handler pipeline_list_handler = { .done = list };
const struct handler pipeline_get_handler = { .done = get };
const struct handler pipeline_delete_handler = { .done = delete };
const struct handler pipeline_put_handler = { put_begin, put_body, put_done,
                                              NULL, put_end };

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
#include "http/written.h"

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

	if (*name && !saved)
		return NULL;
	return saved ? draft_saved(saved->text, r, p, e) : draft_new(r, p, e);
}

/* Makes room for one more of the tenant's pipelines. */
static int make_room(struct pipelines *s, const struct tenant *t,
                     struct err *e)
{
	struct saved *at;
	int own = 0;

	for (int i = 0; i < s->n; i++)
		own += s->at[i].tenant == t;
	if (own >= PIPELINES_MOST)
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

int pipelines_restore(struct pipelines *s, const struct tenant *t,
                      const char *name, const char *text, struct err *e)
{
	char *copy = strdup(text);

	if (!copy)
		return err_set(e, ERR_MEMORY, "no memory for a pipeline");
	return put_text(s, t, name, copy, e) < 0 ? -1 : 0;
}

/* --- PUT /pipelines/{name} */

struct put {
	struct written written;
	struct text text;
	bool new;			/* no pipeline of the name was there */
};

static void put_free(void *state)
{
	struct put *p = state;

	text_fini(&p->text);
	free(p);
}

int pipelines_check_put(const struct exchange *x, struct err *e)
{
	static const char json[] = "application/json";
	const char *media = exchange_header(x, "Content-Type");

	if (store_check_name(exchange_segment(x, 0), e) ||
	    exchange_query(x, refuse_argument, NULL, e) ||
	    written_check(exchange_context(x), e))
		return -1;
	return media && strncasecmp(media, json, sizeof json - 1) == 0 ? 0 :
	       err_set(e, ERR_MEDIA, "Content-Type is %.60s; a description of "
	               "a pipeline is %s", media ? media : "missing", json);
}

static int put_begin(struct exchange *x, void **state, struct err *e)
{
	struct put *p;

	if (pipelines_check_put(x, e))
		return -1;
	p = calloc(1, sizeof *p);
	if (!p)
		return err_set(e, ERR_MEMORY, "no memory for the request");
	written_init(&p->written, x, put_free);
	*state = p;
	return 0;
}

int pipelines_take(struct text *t, const void *bytes, size_t n, struct err *e)
{
	if (n > PIPELINES_BYTES - t->length)
		return err_set(e, ERR_TOO_LARGE, "a description of a pipeline "
		               "has at most %d bytes", PIPELINES_BYTES);
	text_add(t, bytes, n);
	return t->failed ? err_set(e, ERR_MEMORY, "no memory for the request")
	                 : 0;
}

static int put_body(struct exchange *x, void *state, const void *bytes,
                    size_t n, struct err *e)
{
	(void)x;
	return pipelines_take(&((struct put *)state)->text, bytes, n, e);
}

int pipelines_check(struct api *a, const struct tenant *t, const char *text,
                    struct wanted *w, struct err *e)
{
	struct keeping *keeping = NULL;
	struct args args;
	struct request r;
	struct draft *d;
	struct pipeline *p = NULL;

	args_init(&args, &draft_op);
	if (request_init(&r, a->options.engine, &args, e))
		return -1;
	r.store = w ? w->store : a->store;
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

static void put_reply(struct written *w, const struct err *e)
{
	struct text none = { 0 };

	if (e->code || !((const struct put *)w)->new) {
		written_reply_204(w, e);
		return;
	}
	if (!w->x)
		return;
	exchange_reply_header(w->x, "Location", exchange_path(w->x));
	exchange_reply_text(w->x, 201, NULL, &none);
}

char *pipelines_compact(const struct text *t)
{
	json_t *value = json_loadb(t->length ? t->data : "", t->length, 0,
	                           &(json_error_t){ .line = 0 });
	char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(17));

	json_decref(value);
	return text;
}

/* Fills in a row about the tenant's pipeline of that name. */
static void set_row(struct journal_row *r, enum journal_verb verb,
                    const struct tenant *t, const char *name)
{
	r->verb = verb;
	strcpy(r->tenant, t->name);
	strcpy(r->name, name);
}

static int put_done(struct exchange *x, void *state, struct err *e)
{
	struct api *a = exchange_context(x);
	const struct tenant *t = exchange_tenant(x);
	const char *name = exchange_segment(x, 0);
	struct put *p = state;
	struct journal_entry *entry;
	char *text = pipelines_compact(&p->text);
	int new;

	if (json_memory_failed()) {
		free(text);
		return err_set(e, ERR_MEMORY, "no memory for the pipeline");
	}
	if (pipelines_check(a, t, text ? text :
	                    p->text.length ? p->text.data : "", NULL, e)) {
		free(text);
		return -1;
	}
	entry = written_entry(a, 1, e);
	if (entry) {
		entry->must = true;
		set_row(entry->row, JOURNAL_PUT_PIPELINE, t, name);
		text_puts(&entry->row->text, text);
	}
	if (e->code || (entry && entry->row->text.failed)) {
		free(text);
		journal_entry_free(entry);
		return err_set(e, ERR_MEMORY, "no memory for the journal");
	}
	new = put_text(a->pipelines, t, name, text, e);
	if (new < 0) {
		journal_entry_free(entry);
		return -1;
	}
	p->new = new;
	written_reply(&p->written, a, entry, put_reply);
	return 0;
}

/* --- GET and DELETE */

static const struct saved *named(const struct exchange *x, struct err *e)
{
	return exchange_query(x, refuse_argument, NULL, e) ? NULL :
	       find(((struct api *)exchange_context(x))->pipelines,
	            exchange_tenant(x), exchange_segment(x, 0), e);
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
	struct api *a = exchange_context(x);
	struct pipelines *s = a->pipelines;
	const struct saved *p = named(x, e);
	struct journal_entry *entry;
	int i;

	if (!p || written_check(a, e))
		return -1;
	entry = written_entry(a, 1, e);
	if (e->code)
		return -1;
	if (entry) {
		entry->must = true;
		set_row(entry->row, JOURNAL_REMOVE_PIPELINE, p->tenant,
		        p->name);
	}
	i = (int)(p - s->at);
	free(s->at[i].text);
	s->n--;
	memmove(&s->at[i], &s->at[i + 1],
	        (size_t)(s->n - i) * sizeof s->at[0]);
	written_reply(state, a, entry, written_reply_204);
	return 0;
}

json_t *pipelines_row(const char *saved, const char *text)
{
	struct draft d = { .n = 0 };
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
			json_array_append_new(rows, pipelines_row(
			    a->pipelines->at[i].name,
			    a->pipelines->at[i].text));
	json_text_print(&t, json_pack("{s:o}", "pipelines", rows));
	exchange_reply_text(x, 200, "application/json", &t);
	return 0;
}

const struct handler pipeline_list_handler = { .done = list };
const struct handler pipeline_get_handler = { .done = get };
const struct handler pipeline_delete_handler = {
	.begin = written_begin, .done = delete, .end = written_end,
};
const struct handler pipeline_put_handler = { put_begin, put_body, put_done,
                                              NULL, written_end };

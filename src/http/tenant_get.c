/* tenant_get.c - GET /tenant: what the request's token allows, and what its
 * tenant may use and uses. */
#include <stdlib.h>

#include "base/clock.h"
#include "http/json_text.h"
#include "http/service.h"
#include "queue/quota.h"

/* A limit that is 0 is none, and not told. */
static void add_limit(json_t *to, const char *name, uint64_t limit)
{
	if (limit)
		json_object_set_new(to, name, json_integer((json_int_t)limit));
}

static json_t *limits_of(const struct tenant_limits *l)
{
	json_t *row = json_pack("{s:i, s:i}", "priority", l->urgency, "weight",
	                        l->weight ? (int)l->weight : 1);

	add_limit(row, "running", l->running);
	add_limit(row, "queued", l->queued);
	add_limit(row, "stored_bytes", l->stored);
	add_limit(row, "in_flight_bytes", l->in_flight);
	add_limit(row, "device_seconds", l->device_seconds);
	return row;
}

/* Returns how many bytes the tenant's matrices have. Of those that other hosts
 * keep, `all` may hold the shapes alone. */
static size_t bytes_of(const struct store *all, const struct tenant *t)
{
	size_t i, stop, bytes = 0;

	for (store_range(all, t->name, &i, &stop); i < stop; i++) {
		const struct matrix *m = &store_at(all, i)->matrix;

		bytes += matrix_size(m) + matrix_index_size(m);
	}
	return bytes;
}

/* `all` is a store that holds the tenant's matrices, or NULL if the database
 * that knows them does not answer. */
static json_t *use_of(struct tenant *t, const struct store *all)
{
	json_t *row = json_pack("{s:I, s:I, s:I, s:f}",
	    "running", (json_int_t)t->use.running,
	    "queued", (json_int_t)t->use.queued,
	    "in_flight_bytes", (json_int_t)t->use.in_flight,
	    "device_seconds", (double)quota_spent_ns(t) / 1e9);

	if (all)
		json_object_set_new(row, "stored_bytes",
		    json_integer((json_int_t)bytes_of(all, t)));
	return row;
}

static json_t *scopes_of(unsigned scopes)
{
	json_t *list = json_array();

	for (unsigned bit = 1; bit <= SCOPE_ADMIN; bit <<= 1) {
		char name[SCOPES_TEXT];

		if (scopes & bit)
			json_array_append_new(list,
			    json_string(scopes_text(bit, name)));
	}
	return list;
}

struct asked {
	struct exchange *x;
	struct asker by;
};

static void on_listed(void *arg, struct store *all, const struct err *e)
{
	struct exchange *const x = ((struct asked *)arg)->x;
	struct tenant *const t = exchange_tenant(x);
	char moment[CLOCK_TEXT];
	struct text text = { 0 };
	json_t *row;

	row = json_pack("{s:s, s:o, s:o, s:o}", "tenant", t->name, "scopes",
	                scopes_of(exchange_scopes(x)), "limits",
	                limits_of(&t->limits),
	                "use", use_of(t, e->code ? NULL : all));
	if (*exchange_token(x))
		json_object_set_new(row, "token",
		                    json_string(exchange_token(x)));
	if (exchange_expires_ms(x) < INT64_MAX)
		json_object_set_new(row, "expires", json_string(
		    clock_text(exchange_expires_ms(x), moment)));
	json_text_print(&text, row);
	exchange_reply_text(x, 200, "application/json", &text);
}

static int begin(struct exchange *x, void **state, struct err *e)
{
	struct asked *const a = calloc(1, sizeof *a);

	if (!a)
		return err_set(e, ERR_MEMORY, "no memory for the request");
	*a = (struct asked){ .x = x, .by.arg = a };
	*state = a;
	return exchange_query(x, refuse_argument, NULL, e);
}

static int get(struct exchange *x, void *state, struct err *e)
{
	struct api *const api = exchange_context(x);
	struct depot *const d = api->options.depot;
	struct asked *const a = state;

	(void)e;
	d->calls->matrices(d, exchange_tenant(x), on_listed, &a->by);
	return 0;
}

static void end(struct exchange *x, void *state)
{
	struct asked *const a = state;

	(void)x;
	if (a)
		ask_cancel(&a->by);
	free(a);
}

const struct handler tenant_handler = {
	.begin = begin, .done = get, .end = end,
};
